import type { Tx } from '@cairn/postgres';
import type { IndexChunk } from '@cairn/search-index';
import { indexChunkOf, type IndexedColumns } from '../documents/index-chunk.ts';
import type { ChunkRow } from '../documents/chunk-store.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';
import type { FilteredChunk } from './filter-clause.ts';

/** What the caller's snapshot has of chunks that were found, by id; a chunk of another document is not the one. */
export async function readFoundChunks(
  tx: Tx,
  memory: MemoryScope,
  found: readonly { chunkId: string; docId: string }[],
): Promise<Map<string, FilteredChunk>> {
  if (found.length === 0) return new Map();
  const rows = await tx.query<{
    chunk_id: string;
    doc_id: string;
    vault_id: string;
    occurred_at: Date | null;
    created_at: Date;
  }>({
    name: 'search_found_chunks',
    text: `SELECT chunk.*, document.created_at
             FROM unnest($3::text[], $4::text[]) AS hit (chunk_id, doc_id)
            CROSS JOIN LATERAL (SELECT chunk_id, doc_id, vault_id, occurred_at FROM chunks
                                 WHERE tenant_id = $1 AND memory_id = $2 AND chunk_id = hit.chunk_id AND doc_id = hit.doc_id
                                 LIMIT 1) AS chunk
            CROSS JOIN LATERAL (SELECT created_at FROM documents
                                 WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = hit.doc_id LIMIT 1) AS document`,
    values: [memory.tenantId, memory.memoryId, found.map((hit) => hit.chunkId), found.map((hit) => hit.docId)],
  });
  return new Map(
    rows.map((row) => [
      row.chunk_id,
      {
        docId: row.doc_id,
        vaultId: row.vault_id,
        occurredAtMs: row.occurred_at?.getTime() ?? null,
        createdAtMs: row.created_at.getTime(),
      },
    ]),
  );
}

/** Chunks as they are stored now, as the index takes them. */
export async function readIndexChunks(
  tx: Tx,
  memory: MemoryScope,
  chunkIds: readonly string[],
): Promise<Map<string, IndexChunk>> {
  const rows = await tx.query<Pick<ChunkRow, IndexedColumns> & { created_at: Date }>(
    `SELECT chunk_id, doc_id, chunks.vault_id, title_path, context_prefix, body, chunks.occurred_at, created_at
       FROM chunks JOIN documents USING (tenant_id, memory_id, doc_id)
      WHERE chunks.tenant_id = $1 AND chunks.memory_id = $2 AND chunk_id = ANY($3)`,
    [memory.tenantId, memory.memoryId, chunkIds],
  );
  return new Map(rows.map((row) => [row.chunk_id, indexChunkOf(row, row)]));
}
