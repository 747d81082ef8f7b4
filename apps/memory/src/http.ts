import * as operations from '@cairn/contracts';
import { type BoundOperation, file, handle, handleMcp, stream } from '@cairn/service-kit';
import { deleteDocument, type DeleteDocumentDeps } from './documents/delete-document.ts';
import { deleteDocuments } from './ingestion/jobs/delete-documents.ts';
import { getDocumentJob } from './ingestion/jobs/get-document-job.ts';
import { listDocumentJobs } from './ingestion/jobs/list-document-jobs.ts';
import { retryDocuments } from './ingestion/jobs/retry-documents.ts';
import { updateDocument, type UpdateDocumentDeps } from './ingestion/changing/update-document.ts';
import { getChunk } from './documents/get-chunk.ts';
import { getDocument } from './documents/get-document.ts';
import { getDocumentOriginal } from './ingestion/get-document-original.ts';
import { getDocumentContent } from './documents/get-document-content.ts';
import { getDocumentStats } from './documents/get-document-stats.ts';
import { listDocuments } from './documents/list-documents.ts';
import { getContradiction } from './graph/contradictions/get-contradiction.ts';
import { listContradictions } from './graph/contradictions/list-contradictions.ts';
import { reopenContradiction } from './graph/contradictions/reopen-contradiction.ts';
import { resolveContradiction } from './graph/contradictions/resolve-contradiction.ts';
import { decideEntityReview } from './graph/decisions/decide-entity-review.ts';
import { listEntityDecisions } from './graph/decisions/list-entity-decisions.ts';
import { listEntityReviews } from './graph/decisions/list-entity-reviews.ts';
import { mergeEntities } from './graph/decisions/merge-entities.ts';
import { splitEntity } from './graph/decisions/split-entity.ts';
import { undoEntityDecision } from './graph/decisions/undo-entity-decision.ts';
import { getMemoryHealth } from './graph/health/get-memory-health.ts';
import { listHealthHistory } from './graph/health/list-health-history.ts';
import { exploreGraph } from './graph/query/explore-graph.ts';
import { getEntity } from './graph/query/get-entity.ts';
import { listEntities } from './graph/query/list-entities.ts';
import { exportDocuments } from './exports/export-documents.ts';
import { exportGraph } from './exports/export-graph.ts';
import { exportThreads } from './exports/export-threads.ts';
import { getEntityPath } from './graph/query/get-entity-path.ts';
import { getEntityLinks } from './graph/query/get-entity-links.ts';
import { getGraphOverview } from './graph/query/get-graph-overview.ts';
import { ingestDocuments, type IngestDocumentsDeps } from './ingestion/ingest-documents.ts';
import { routeDocument, type RouteDocumentDeps } from './ingestion/routing/route-document.ts';
import { callMcp } from './mcp/call-mcp.ts';
import { getSearch } from './search/log/get-search.ts';
import { getSearchLog } from './search/log/get-search-log.ts';
import { listSearches } from './search/log/list-searches.ts';
import { rateSearch } from './search/log/rate-search.ts';
import type { SearchLogOperationDeps } from './search/log/search-log-deps.ts';
import { updateSearchLog } from './search/log/update-search-log.ts';
import { searchMemory } from './search/search-memory.ts';
import { streamSearch } from './search/stream-search.ts';
import { addTurn } from './threads/add-turn.ts';
import { createThread } from './threads/create-thread.ts';
import { deleteThread } from './threads/delete-thread.ts';
import { getThread } from './threads/get-thread.ts';
import { listThreads } from './threads/list-threads.ts';
import { listTurns } from './threads/list-turns.ts';
import { updateThread } from './threads/update-thread.ts';
import type { McpDeps } from './mcp/mcp-deps.ts';
import type { ThreadDeps } from './threads/locate-thread.ts';

/** What the handlers use, all together. */
export type OperationDeps = IngestDocumentsDeps &
  DeleteDocumentDeps &
  UpdateDocumentDeps &
  RouteDocumentDeps &
  McpDeps &
  SearchLogOperationDeps &
  ThreadDeps;

/** The operations of this service and their handlers. */
export function boundOperations(deps: OperationDeps): BoundOperation[] {
  return [
    handle(operations.ingestDocuments, (request) => ingestDocuments(deps, request)),
    handle(operations.listDocuments, (request) => listDocuments(deps, request)),
    // Before the one whose path has an id in the place of its last word.
    handle(operations.getDocumentStats, (request) => getDocumentStats(deps, request)),
    file(operations.exportDocuments, (request) => exportDocuments(deps, request)),
    handle(operations.getDocument, (request) => getDocument(deps, request)),
    handle(operations.deleteDocuments, (request) => deleteDocuments(deps, request)),
    handle(operations.retryDocuments, (request) => retryDocuments(deps, request)),
    handle(operations.listDocumentJobs, (request) => listDocumentJobs(deps, request)),
    handle(operations.getDocumentJob, (request) => getDocumentJob(deps, request)),
    file(operations.getDocumentOriginal, (request) => getDocumentOriginal(deps, request)),
    handle(operations.getDocumentContent, (request) => getDocumentContent(deps, request)),
    handle(operations.getChunk, (request) => getChunk(deps, request)),
    handle(operations.updateDocument, (request) => updateDocument(deps, request)),
    handle(operations.deleteDocument, (request) => deleteDocument(deps, request)),
    handle(operations.routeDocument, (request) => routeDocument(deps, request)),
    handle(operations.searchMemory, (request) => searchMemory(deps, request)),
    handle(operations.getSearchLog, (request) => getSearchLog(deps, request)),
    handle(operations.updateSearchLog, (request) => updateSearchLog(deps, request)),
    handle(operations.listSearches, (request) => listSearches(deps, request)),
    handle(operations.getSearch, (request) => getSearch(deps, request)),
    handle(operations.rateSearch, (request) => rateSearch(deps, request)),
    handle(operations.createThread, (request) => createThread(deps, request)),
    handle(operations.listThreads, (request) => listThreads(deps, request)),
    file(operations.exportThreads, (request) => exportThreads(deps, request)),
    handle(operations.getThread, (request) => getThread(deps, request)),
    handle(operations.updateThread, (request) => updateThread(deps, request)),
    handle(operations.deleteThread, (request) => deleteThread(deps, request)),
    handle(operations.addTurn, (request) => addTurn(deps, request)),
    handle(operations.listTurns, (request) => listTurns(deps, request)),
    handle(operations.exploreGraph, (request) => exploreGraph(deps, request)),
    handle(operations.listEntities, (request) => listEntities(deps, request)),
    handle(operations.getEntityPath, (request) => getEntityPath(deps, request)),
    handle(operations.getEntityLinks, (request) => getEntityLinks(deps, request)),
    handle(operations.getGraphOverview, (request) => getGraphOverview(deps, request)),
    file(operations.exportGraph, (request) => exportGraph(deps, request)),
    handle(operations.getEntity, (request) => getEntity(deps, request)),
    handle(operations.listContradictions, (request) => listContradictions(deps, request)),
    handle(operations.getContradiction, (request) => getContradiction(deps, request)),
    handle(operations.resolveContradiction, (request) => resolveContradiction(deps, request)),
    handle(operations.reopenContradiction, (request) => reopenContradiction(deps, request)),
    handle(operations.listEntityReviews, (request) => listEntityReviews(deps, request)),
    handle(operations.decideEntityReview, (request) => decideEntityReview(deps, request)),
    handle(operations.mergeEntities, (request) => mergeEntities(deps, request)),
    handle(operations.splitEntity, (request) => splitEntity(deps, request)),
    handle(operations.listEntityDecisions, (request) => listEntityDecisions(deps, request)),
    handle(operations.undoEntityDecision, (request) => undoEntityDecision(deps, request)),
    handle(operations.getMemoryHealth, (request) => getMemoryHealth(deps, request)),
    handle(operations.listHealthHistory, (request) => listHealthHistory(deps, request)),
    stream(operations.streamSearch, (request, emit) => streamSearch(deps, request, emit)),
    handleMcp(operations.callMcp, (context, request, response) => callMcp(deps, context, request, response)),
  ];
}
