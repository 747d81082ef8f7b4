import type { Tx } from '@cairn/postgres';
import type { IndexHit } from '@cairn/search-index';
import type { MemoryScope } from '../memories/memory-scope.ts';

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

/**
 * What names a chunk to the statements here: its document, too. Until PostgreSQL has gathered statistics, about a
 * minute after a first import, it takes each index that begins with tenant and memory for as good as another, and
 * by the wrong one it read every chunk of the memory (19 ms for ten chunks out of 6,000). With both ids either
 * index will do; LATERAL with LIMIT or OFFSET keeps it from reading all and joining then.
 */
export type ChunkKey = Pick<ChunkRow, 'chunk_id' | 'doc_id'>;

/** A chunk with what its document says of it. */
export interface FoundChunk extends Omit<ChunkRow, 'ordinal' | 'context_prefix' | 'body_sha256'> {
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
    `SELECT chunk.* FROM unnest($3::text[]) AS wanted (doc_id)
      CROSS JOIN LATERAL (SELECT * FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = wanted.doc_id
                           ORDER BY ordinal OFFSET 0) AS chunk
      ORDER BY chunk.doc_id, chunk.ordinal`,
    [scope.tenantId, scope.memoryId, [...new Set(docIds)]],
  );
}

export async function deleteChunks(tx: Tx, scope: MemoryScope, rows: readonly ChunkKey[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(
    'DELETE FROM chunks WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = ANY($3) AND doc_id = ANY($4)',
    [scope.tenantId, scope.memoryId, rows.map((row) => row.chunk_id), docIdsOf(rows)],
  );
}

/** Writes ordinal and location of chunks that kept their text but may have moved inside their document. */
export async function updateChunkPositions(
  tx: Tx,
  scope: MemoryScope,
  rows: readonly (ChunkKey & Pick<ChunkRow, 'ordinal' | 'location'>)[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(
    `UPDATE chunks SET ordinal = moved.ordinal, location = moved.location
       FROM unnest($3::text[], $4::int[], $5::jsonb[]) AS moved (chunk_id, ordinal, location)
      WHERE chunks.tenant_id = $1 AND chunks.memory_id = $2 AND chunks.chunk_id = moved.chunk_id
        AND chunks.chunk_id = ANY($3) AND chunks.doc_id = ANY($6)`,
    [
      scope.tenantId,
      scope.memoryId,
      rows.map((row) => row.chunk_id),
      rows.map((row) => row.ordinal),
      rows.map((row) => JSON.stringify(row.location)),
      docIdsOf(rows),
    ],
  );
}

/** For a document that is moved to another vault. */
export async function moveChunksToVault(
  tx: Tx,
  scope: MemoryScope,
  rows: readonly ChunkKey[],
  vaultId: string,
): Promise<void> {
  await tx.execute(
    'UPDATE chunks SET vault_id = $5 WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = ANY($3) AND doc_id = ANY($4)',
    [scope.tenantId, scope.memoryId, rows.map((row) => row.chunk_id), docIdsOf(rows), vaultId],
  );
}

/** Those of the found chunks that are still there, by id. */
export async function findChunks(
  tx: Tx,
  scope: MemoryScope,
  found: readonly Pick<IndexHit, 'chunkId' | 'docId'>[],
): Promise<Map<string, FoundChunk>> {
  if (found.length === 0) return new Map();
  const rows = await tx.query<FoundChunk>({
    name: 'chunks_found',
    text: `SELECT chunk.*, document.title, document.source_uri
             FROM unnest($3::text[], $4::text[]) AS hit (chunk_id, doc_id)
            CROSS JOIN LATERAL (SELECT chunk_id, doc_id, vault_id, title_path, body, location, occurred_at FROM chunks
                                 WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = hit.chunk_id AND doc_id = hit.doc_id
                                 LIMIT 1) AS chunk
            CROSS JOIN LATERAL (SELECT title, source_uri FROM documents
                                 WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = hit.doc_id LIMIT 1) AS document`,
    values: [scope.tenantId, scope.memoryId, found.map((hit) => hit.chunkId), found.map((hit) => hit.docId)],
  });
  return new Map(rows.map((row) => [row.chunk_id, row]));
}

function docIdsOf(rows: readonly ChunkKey[]): string[] {
  return [...new Set(rows.map((row) => row.doc_id))];
}
