import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** How far a turn's neighbours are looked for. */
const FOLLOWING_MAX = 2;

/** The documents that came next into the same vault, nearest first, by document. */
export async function followingDocuments(
  tx: Tx,
  scope: MemoryScope,
  documents: readonly { docId: string; vaultId: string }[],
): Promise<Map<string, string[]>> {
  if (documents.length === 0) return new Map();
  const rows = await tx.query<{ doc_id: string; following: string[] }>({
    name: 'documents_following',
    text: `SELECT wanted.doc_id, array(SELECT doc_id FROM documents
                                        WHERE tenant_id = $1 AND memory_id = $2 AND vault_id = wanted.vault_id AND doc_id > wanted.doc_id
                                        ORDER BY doc_id LIMIT $5) AS following
             FROM unnest($3::text[], $4::text[]) AS wanted (doc_id, vault_id)`,
    values: [
      scope.tenantId,
      scope.memoryId,
      documents.map(({ docId }) => docId),
      documents.map(({ vaultId }) => vaultId),
      FOLLOWING_MAX,
    ],
  });
  return new Map(rows.map((row) => [row.doc_id, row.following]));
}
