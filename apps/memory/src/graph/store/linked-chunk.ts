import type { ChunkRow } from '../../documents/chunk-store.ts';

/** A document as the graph needs it. */
export interface LinkedDocument {
  doc_id: string;
  vault_id: string;
  occurred_at: Date | null;
}

/** A chunk as the graph reads it. */
export type LinkedChunk = Pick<ChunkRow, 'chunk_id' | 'doc_id' | 'vault_id' | 'title_path' | 'body'>;
