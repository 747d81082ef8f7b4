import type { Database, Tx } from '@cairn/postgres';
import type { ChunkRow } from './chunk-store.ts';
import type { DocumentRow } from './document-store.ts';
import type { AttributedMemory, MemoryScope } from '../memories/memory-scope.ts';

/** A document with all of its chunks as they are now. */
export interface DocumentWithChunks {
  document: DocumentRow;
  chunks: readonly ChunkRow[];
}

export type LinkDocuments = (
  tx: Tx,
  memory: AttributedMemory,
  documents: readonly DocumentWithChunks[],
) => Promise<void>;

/** Reads documents while no transaction is held, and returns `linkDocuments` with what it found. */
export type Prefetch = (
  database: Pick<Database, 'withTenant'>,
  memory: AttributedMemory,
  documents: readonly DocumentWithChunks[],
) => Promise<LinkDocuments>;

/**
 * Makes more of indexed documents than text: entities, relations, contradictions. Called in a durable step of its own
 * after the text is searchable, inside the transaction that completes the documents, with the documents and their
 * places in the queue locked; a crash or a failure calls it again with the same documents, which then must not count
 * twice. What throws is retried with back-off, each document by itself.
 */
export interface DocumentLinker {
  /**
   * What takes long, such as reading and asking a model, and is done while no transaction is held; null: nothing. Returns
   * `linkDocuments` with what it found, so that it is kept no longer than its caller needs it. What it throws is retried
   * as linking is; it may be called again for the same documents.
   */
  prefetch:
    | ((
        database: Database,
        memory: AttributedMemory,
        documents: readonly DocumentWithChunks[],
      ) => Promise<LinkDocuments>)
    | null;
  linkDocuments: LinkDocuments;
  /**
   * Removes everything that only these documents contributed, in the transaction that deletes or moves them. What people
   * decided about a document that is there to stay is kept.
   */
  unlinkDocuments(
    tx: Tx,
    scope: MemoryScope,
    docIds: readonly string[],
    options?: { areDeleted: boolean },
  ): Promise<void>;
}
