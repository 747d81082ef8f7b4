import type { IndexChunk } from '@cairn/search-index';
import type { ChunkRow } from './chunk-store.ts';

/** Columns of a chunk that the index holds or analyses. */
export type IndexedColumns = Exclude<keyof ChunkRow, 'ordinal' | 'body_sha256' | 'location'>;

/** A stored chunk as the index takes it, with the time its document was created. */
export function indexChunkOf(row: Pick<ChunkRow, IndexedColumns>, document: { created_at: Date }): IndexChunk {
  return {
    chunkId: row.chunk_id,
    docId: row.doc_id,
    vaultId: row.vault_id,
    titlePath: row.title_path,
    contextPrefix: row.context_prefix,
    body: row.body,
    occurredAtMs: row.occurred_at?.getTime() ?? null,
    createdAtMs: document.created_at.getTime(),
  };
}
