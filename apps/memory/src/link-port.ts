import type { Tx } from '@cairn/postgres';
import type { ChunkRow } from './chunk-store.ts';
import type { DocumentRow, MemoryScope } from './document-store.ts';

/** What the document became: its chunks as they are now, and the ids of those that were there before and are gone. */
export interface LinkedDocument {
  document: DocumentRow;
  chunks: readonly ChunkRow[];
}

/**
 * Makes more of an indexed document than text: entities, relations, contradictions. Called in a durable step of its
 * own after the text is searchable, inside the transaction that completes the document; a crash or a failure calls
 * it again with the same document, which then must not count twice. What throws is retried with back-off.
 */
export interface DocumentLinker {
  linkDocument(
    tx: Tx,
    memory: MemoryScope,
    document: LinkedDocument['document'],
    chunks: LinkedDocument['chunks'],
  ): Promise<void>;
}
