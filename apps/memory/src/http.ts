import * as operation from '@cairn/contracts';
import { answer, type BoundOperation, speakMcp, stream } from '@cairn/service-kit';
import { type DeleteParts, removeDocument } from './delete-document.ts';
import { acceptDocuments, type IngestParts } from './ingest-documents.ts';
import { listMemoryDocuments, readDocument } from './read-documents.ts';
import { listDisagreements, readContradiction } from './graph/contradictions/read-contradictions.ts';
import { reopen, resolve } from './graph/contradictions/settle-contradiction.ts';
import { explore } from './graph/explore-graph.ts';
import { readHealth } from './graph/health/read-health.ts';
import { merge, split } from './graph/identity/change-identity.ts';
import { listIdentityDecisions, undoDecision } from './graph/identity/decisions.ts';
import { decideReview, listReviews } from './graph/identity/reviews.ts';
import { findEntities } from './graph/list-entities.ts';
import { readEntity } from './graph/read-entity.ts';
import { answerMcp, type McpParts } from './mcp/answer-mcp.ts';
import { answerSearch, streamAnswer } from './search-memory.ts';
import { type RouteParts, settleRoute } from './route-document.ts';
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
    answer(operation.exploreGraph, (call) => explore(parts, call)),
    answer(operation.listEntities, (call) => findEntities(parts, call)),
    answer(operation.getEntity, (call) => readEntity(parts, call)),
    answer(operation.listContradictions, (call) => listDisagreements(parts, call)),
    answer(operation.getContradiction, (call) => readContradiction(parts, call)),
    answer(operation.resolveContradiction, (call) => resolve(parts, call)),
    answer(operation.reopenContradiction, (call) => reopen(parts, call)),
    answer(operation.listEntityReviews, (call) => listReviews(parts, call)),
    answer(operation.decideEntityReview, (call) => decideReview(parts, call)),
    answer(operation.mergeEntities, (call) => merge(parts, call)),
    answer(operation.splitEntity, (call) => split(parts, call)),
    answer(operation.listEntityDecisions, (call) => listIdentityDecisions(parts, call)),
    answer(operation.undoEntityDecision, (call) => undoDecision(parts, call)),
    answer(operation.getMemoryHealth, (call) => readHealth(parts, call)),
    stream(operation.streamSearch, (call, emit) => streamAnswer(parts, call, emit)),
    speakMcp(operation.callMcp, (call, request, response) => answerMcp(parts, call, request, response)),
  ];
}
