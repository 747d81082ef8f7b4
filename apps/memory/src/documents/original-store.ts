import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** What was handed in, sealed, and how many bytes it has unsealed. */
export interface SealedOriginal {
  payload: Buffer;
  bytes: number;
}

/** Puts the originals in the place of those of the versions before; null: none is kept of the document. */
export async function saveOriginals(
  tx: Tx,
  scope: MemoryScope,
  originals: ReadonlyMap<string, SealedOriginal | null>,
): Promise<void> {
  const docIds = [...originals.keys()];
  const kept = [...originals].flatMap(([docId, original]) => (original === null ? [] : [{ docId, ...original }]));
  const [{ held }] = (await tx.query<{ held: boolean }>({
    name: 'originals_held',
    text: `SELECT EXISTS (SELECT FROM document_originals
                           WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)) AS held`,
    values: [scope.tenantId, scope.memoryId, docIds],
  })) as [{ held: boolean }];
  if (kept.length === 0 && !held) return;
  await tx.execute({
    name: 'originals_removed',
    text: 'DELETE FROM document_originals WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)',
    values: [scope.tenantId, scope.memoryId, docIds],
  });
  await tx.execute({
    name: 'originals_added',
    text: `INSERT INTO document_originals (tenant_id, memory_id, doc_id, payload)
           SELECT $1, $2, * FROM unnest($3::text[], $4::bytea[])`,
    values: [scope.tenantId, scope.memoryId, kept.map(({ docId }) => docId), kept.map(({ payload }) => payload)],
  });
  await tx.execute({
    name: 'originals_counted',
    text: `WITH given AS (SELECT * FROM unnest($3::text[], $4::bigint[]) AS given (doc_id, bytes)),
                before AS (
                  SELECT doc_id, original_bytes FROM documents
                   WHERE tenant_id = $1 AND memory_id = $2 AND doc_id IN (SELECT doc_id FROM given)),
                change AS (
                  INSERT INTO storage_changes (tenant_id, documents, bytes)
                    SELECT $1, 0, sum(coalesce(given.bytes, 0) - coalesce(before.original_bytes, 0))
                      FROM given JOIN before USING (doc_id) HAVING count(*) > 0)
           UPDATE documents SET original_bytes = given.bytes FROM given
            WHERE tenant_id = $1 AND memory_id = $2 AND documents.doc_id = given.doc_id`,
    values: [scope.tenantId, scope.memoryId, docIds, docIds.map((docId) => originals.get(docId)?.bytes ?? null)],
  });
}

/** What is kept of the document, or null. */
export async function findOriginal(tx: Tx, scope: MemoryScope, docId: string): Promise<Buffer | null> {
  const rows = await tx.query<{ payload: Buffer }>(
    'SELECT payload FROM document_originals WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = $3',
    [scope.tenantId, scope.memoryId, docId],
  );
  return rows[0]?.payload ?? null;
}
