import type { Database } from '@cairn/postgres';
import type { ChunkSource } from '@cairn/search-index';
import type { ChunkRow } from './chunk-store.ts';
import { type IndexedColumns, indexChunkOf } from './index-chunk.ts';

interface StoredChunk extends Pick<ChunkRow, IndexedColumns> {
  created_at: Date;
}

/** Reads stored chunks for the index, which analyses them again when its analyser has changed. */
export function createChunkSource(database: Database): ChunkSource {
  return async (memory, chunkIds) => {
    const rows = await database.withTenant(memory.tenantId, (tx) =>
      tx.query<StoredChunk>(
        `SELECT chunk_id, doc_id, chunks.vault_id, title_path, context_prefix, body, occurred_at, created_at
           FROM chunks JOIN documents USING (tenant_id, memory_id, doc_id)
          WHERE chunks.tenant_id = $1 AND chunks.memory_id = $2 AND chunk_id = ANY($3)`,
        [memory.tenantId, memory.memoryId, chunkIds],
      ),
    );
    return rows.map((row) => indexChunkOf(row, row));
  };
}
