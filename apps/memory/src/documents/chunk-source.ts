import type { Database } from '@cairn/postgres';
import type { ChunkSource } from '../index/merging/reindex-job.ts';
import type { IndexChunk } from '../memories/search-index.ts';

interface StoredChunk {
  chunk_id: string;
  doc_id: string;
  vault_id: string;
  title_path: string;
  context_prefix: string;
  body: string;
  occurred_at: Date | null;
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
    return rows.map((row): IndexChunk => ({
      chunkId: row.chunk_id,
      docId: row.doc_id,
      vaultId: row.vault_id,
      titlePath: row.title_path,
      contextPrefix: row.context_prefix,
      body: row.body,
      occurredAtMs: row.occurred_at?.getTime() ?? null,
      createdAtMs: row.created_at.getTime(),
    }));
  };
}
