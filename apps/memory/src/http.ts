import {
  deleteDocument,
  getDocument,
  ingestDocuments,
  listDocuments,
  searchMemory,
  streamSearch,
} from '@cairn/contracts';
import { answer, type BoundOperation, stream } from '@cairn/service-kit';
import { type DeleteParts, removeDocument } from './delete-document.ts';
import { acceptDocuments, type IngestParts } from './ingest-documents.ts';
import { listMemoryDocuments, readDocument } from './read-documents.ts';
import { answerSearch, type SearchParts, streamAnswer } from './search-memory.ts';

/** The operations this service answers. */
export function operations(parts: IngestParts & DeleteParts & SearchParts): BoundOperation[] {
  return [
    answer(ingestDocuments, (call) => acceptDocuments(parts, call)),
    answer(listDocuments, (call) => listMemoryDocuments(parts, call)),
    answer(getDocument, (call) => readDocument(parts, call)),
    answer(deleteDocument, (call) => removeDocument(parts, call)),
    answer(searchMemory, (call) => answerSearch(parts, call)),
    stream(streamSearch, (call, emit) => streamAnswer(parts, call, emit)),
  ];
}
