import * as operation from '@cairn/contracts';
import { answer, type BoundOperation, speakMcp, stream } from '@cairn/service-kit';
import { type DeleteParts, removeDocument } from './delete-document.ts';
import { acceptDocuments, type IngestParts } from './ingest-documents.ts';
import { listMemoryDocuments, readDocument } from './read-documents.ts';
import { type RouteParts, settleRoute } from './route-document.ts';
import { answerMcp, type McpParts } from './mcp/answer-mcp.ts';
import { answerSearch, streamAnswer } from './search-memory.ts';
import { changeThread, removeThread } from './threads/change-thread.ts';
import { beginThread } from './threads/create-thread.ts';
import type { ThreadParts } from './threads/find-home.ts';
import { listTenantThreads, readThread } from './threads/read-threads.ts';
import { listThreadTurns, takeTurn } from './threads/turns.ts';

/** The operations this service answers. */
export function operations(parts: IngestParts & DeleteParts & RouteParts & McpParts & ThreadParts): BoundOperation[] {
  return [
    answer(operation.ingestDocuments, (call) => acceptDocuments(parts, call)),
    answer(operation.listDocuments, (call) => listMemoryDocuments(parts, call)),
    answer(operation.getDocument, (call) => readDocument(parts, call)),
    answer(operation.deleteDocument, (call) => removeDocument(parts, call)),
    answer(operation.routeDocument, (call) => settleRoute(parts, call)),
    answer(operation.searchMemory, (call) => answerSearch(parts, call)),
    answer(operation.createThread, (call) => beginThread(parts, call)),
    answer(operation.listThreads, (call) => listTenantThreads(parts, call)),
    answer(operation.getThread, (call) => readThread(parts, call)),
    answer(operation.updateThread, (call) => changeThread(parts, call)),
    answer(operation.deleteThread, (call) => removeThread(parts, call)),
    answer(operation.addTurn, (call) => takeTurn(parts, call)),
    answer(operation.listTurns, (call) => listThreadTurns(parts, call)),
    stream(operation.streamSearch, (call, emit) => streamAnswer(parts, call, emit)),
    speakMcp(operation.callMcp, (call, request, response) => answerMcp(parts, call, request, response)),
  ];
}
