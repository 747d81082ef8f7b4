import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** What was handed in, sealed, and how many bytes it has unsealed. */
export interface SealedOriginal {
  payload: Buffer;
  bytes: number;
}

/** What is to be kept of a document, and how much is now; null: nothing. */
interface OriginalChange {
  docId: string;
  bytesBefore: number | null;
  original: SealedOriginal | null;
}

/** Puts originals in the place of those of the versions before. The documents are locked. */
export async function saveOriginals(tx: Tx, scope: MemoryScope, changes: readonly OriginalChange[]): Promise<void> {
  const changed = changes.filter(({ bytesBefore, original }) => bytesBefore !== null || original !== null);
  if (changed.length === 0) return;
  const docIds = changed.map(({ docId }) => docId);
  const kept = changed.flatMap(({ docId, original }) => (original === null ? [] : [{ docId, ...original }]));
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
  const added = changed.reduce(
    (sum, { bytesBefore, original }) => sum + (original?.bytes ?? 0) - (bytesBefore ?? 0),
    0,
  );
  await tx.execute({
    name: 'originals_counted',
    text: `WITH change AS (INSERT INTO storage_changes (tenant_id, documents, bytes) VALUES ($1, 0, $5))
           UPDATE documents SET original_bytes = given.bytes
             FROM unnest($3::text[], $4::bigint[]) AS given (doc_id, bytes)
            WHERE tenant_id = $1 AND memory_id = $2 AND documents.doc_id = given.doc_id`,
    values: [scope.tenantId, scope.memoryId, docIds, changed.map(({ original }) => original?.bytes ?? null), added],
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
