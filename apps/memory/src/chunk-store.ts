import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from './document-store.ts';

export interface ChunkRow {
  chunk_id: string;
  doc_id: string;
  vault_id: string;
  ordinal: number;
  title_path: string;
  context_prefix: string;
  body: string;
  body_sha256: Buffer;
  location: Record<string, unknown>;
  occurred_at: Date | null;
}

/** A chunk with what its document says of it. */
export interface FoundChunk extends ChunkRow {
  title: string;
  source_uri: string | null;
}

export async function insertChunks(tx: Tx, scope: MemoryScope, rows: readonly ChunkRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute({
    name: 'chunks_insert',
    text: `INSERT INTO chunks (tenant_id, memory_id, chunk_id, doc_id, vault_id, ordinal, title_path, context_prefix, body, body_sha256, location, occurred_at)
           SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::text[], $10::bytea[], $11::jsonb[], $12::timestamptz[])`,
    values: [
      scope.tenantId,
      scope.memoryId,
      rows.map((row) => row.chunk_id),
      rows.map((row) => row.doc_id),
      rows.map((row) => row.vault_id),
      rows.map((row) => row.ordinal),
      rows.map((row) => row.title_path),
      rows.map((row) => row.context_prefix),
      rows.map((row) => row.body),
      rows.map((row) => row.body_sha256),
      rows.map((row) => JSON.stringify(row.location)),
      rows.map((row) => row.occurred_at),
    ],
  });
}

/** What is there of the documents, in the order of their text. */
export async function chunksOfDocuments(tx: Tx, scope: MemoryScope, docIds: readonly string[]): Promise<ChunkRow[]> {
  return tx.query<ChunkRow>(
    'SELECT * FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3) ORDER BY doc_id, ordinal',
    [scope.tenantId, scope.memoryId, docIds],
  );
}

export async function deleteChunks(tx: Tx, scope: MemoryScope, chunkIds: readonly string[]): Promise<void> {
  if (chunkIds.length === 0) return;
  await tx.execute('DELETE FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = ANY($3)', [
    scope.tenantId,
    scope.memoryId,
    chunkIds,
  ]);
}

/** Chunks that kept their text but may have moved inside their document. */
export async function moveChunks(
  tx: Tx,
  scope: MemoryScope,
  rows: readonly Pick<ChunkRow, 'chunk_id' | 'ordinal' | 'location'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(
    `UPDATE chunks SET ordinal = moved.ordinal, location = moved.location
       FROM unnest($3::text[], $4::int[], $5::jsonb[]) AS moved (chunk_id, ordinal, location)
      WHERE chunks.tenant_id = $1 AND chunks.memory_id = $2 AND chunks.chunk_id = moved.chunk_id`,
    [
      scope.tenantId,
      scope.memoryId,
      rows.map((row) => row.chunk_id),
      rows.map((row) => row.ordinal),
      rows.map((row) => JSON.stringify(row.location)),
    ],
  );
}

/** The chunks of these ids that are still there, by id. */
export async function findChunks(
  tx: Tx,
  scope: MemoryScope,
  chunkIds: readonly string[],
): Promise<Map<string, FoundChunk>> {
  if (chunkIds.length === 0) return new Map();
  const rows = await tx.query<FoundChunk>({
    name: 'chunks_found',
    text: `SELECT chunks.*, documents.title, documents.source_uri
             FROM chunks JOIN documents USING (tenant_id, memory_id, doc_id)
            WHERE chunks.tenant_id = $1 AND chunks.memory_id = $2 AND chunks.chunk_id = ANY($3)`,
    values: [scope.tenantId, scope.memoryId, chunkIds],
  });
  return new Map(rows.map((row) => [row.chunk_id, row]));
}
