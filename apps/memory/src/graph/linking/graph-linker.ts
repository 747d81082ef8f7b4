import type { DocumentLinker } from '../../documents/document-linker.ts';
import { extractorWith } from './chunk-extractors.ts';
import { linkDocuments, unlinkDocuments } from './link-documents.ts';
import { type ModelReadingDeps, readWithModel } from '../model-reading/read-with-model.ts';
import { dropReadings, readingsOf } from '../model-reading/reading-store.ts';

/**
 * The graph as ingestion's last step. Linking the same documents again changes nothing. With `reading` a model reads
 * the chunks, too, before the transaction; null is rules alone, besides what was read while there was one.
 */
export function createGraphLinker(reading: ModelReadingDeps | null): DocumentLinker {
  return {
    prefetch: reading === null ? null : (...to) => readWithModel(reading, ...to),
    unlinkDocuments,
    async linkDocuments(tx, memory, documents) {
      const docIds = documents.map(({ document }) => document.doc_id);
      const chunks = documents.flatMap((each) => each.chunks);
      await dropReadings(
        tx,
        memory,
        docIds,
        chunks.map((chunk) => chunk.chunk_id),
      );
      await linkDocuments(tx, memory, documents, extractorWith(await readingsOf(tx, memory, docIds)));
    },
  };
}
