import * as operations from '@cairn/contracts';
import { type BoundOperation, file, handle, socket, stream } from '@cairn/service-kit';
import { exportList } from './lists/export-list.ts';
import { getSavedList } from './lists/get-saved-list.ts';
import { listRows } from './lists/list-rows.ts';
import { listSavedLists } from './lists/list-saved-lists.ts';
import { listModels, type ModelsDeps } from './models/list-models.ts';
import { testProviderKey, type TestProviderKeyDeps } from './models/test-provider-key.ts';
import { continueListSearch } from './runs/continue-list-search.ts';
import { exportReport } from './runs/export-report.ts';
import { getRunStatus } from './runs/get-run-status.ts';
import { getSource } from './runs/get-source.ts';
import { listRunSources } from './runs/list-run-sources.ts';
import { listRuns } from './runs/list-runs.ts';
import { listRunEvents } from './watch/list-run-events.ts';
import { respondToResearch } from './runs/respond-to-research.ts';
import { startCompanySearch } from './runs/start-company-search.ts';
import { startCrawler } from './runs/start-crawler.ts';
import { startDeepSearch } from './runs/start-deep-search.ts';
import { startPeopleSearch } from './runs/start-people-search.ts';
import { startResearch } from './runs/start-research.ts';
import type { StartDeps } from './runs/start-run.ts';
import { startWebResearch } from './runs/start-web-research.ts';
import { stopRun } from './runs/stop-run.ts';
import { uploadReference, type UploadDeps } from './uploads/upload-reference.ts';
import { showLivePage } from './watch/show-live-page.ts';
import { streamLivePage } from './watch/stream-live-page.ts';
import { streamResearchVersioned } from './watch/stream-research-versioned.ts';
import { streamResearch } from './watch/stream-research.ts';
import type { WatchDeps } from './watch/stream-run.ts';
import { streamSearchRun } from './watch/stream-search-run.ts';

/** Binds each operation of this service to its handler. */
export function boundOperations(
  deps: StartDeps & WatchDeps & UploadDeps & ModelsDeps & TestProviderKeyDeps,
): BoundOperation[] {
  return [
    handle(operations.listModels, (request) => listModels(deps, request)),
    handle(operations.testProviderKey, (request) => testProviderKey(deps, request)),
    handle(operations.startWebResearch, (request) => startWebResearch(deps, request)),
    handle(operations.startCrawler, (request) => startCrawler(deps, request)),
    handle(operations.startPeopleSearch, (request) => startPeopleSearch(deps, request)),
    handle(operations.startCompanySearch, (request) => startCompanySearch(deps, request)),
    handle(operations.continueListSearch, (request) => continueListSearch(deps, request)),
    handle(operations.stopRun, (request) => stopRun(deps, request)),
    handle(operations.listRuns, (request) => listRuns(deps, request)),
    handle(operations.listRunSources, (request) => listRunSources(deps, request)),
    handle(operations.getSource, (request) => getSource(deps, request)),
    handle(operations.listRunEvents, (request) => listRunEvents(deps, request)),
    handle(operations.getRunStatus, (request) => getRunStatus(deps, request)),
    handle(operations.startResearch, (request) => startResearch(deps, request)),
    handle(operations.respondToResearch, (request) => respondToResearch(deps, request)),
    handle(operations.startDeepSearch, (request) => startDeepSearch(deps, request)),
    handle(operations.uploadReference, (request) => uploadReference(deps, request)),
    handle(operations.listSavedLists, (request) => listSavedLists(deps, request)),
    handle(operations.getSavedList, (request) => getSavedList(deps, request)),
    handle(operations.listRows, (request) => listRows(deps, request)),
    file(operations.exportReport, (request) => exportReport(deps, request)),
    file(operations.exportList, (request) => exportList(deps, request)),
    stream(operations.streamResearch, (request, emit) => streamResearch(deps, request, emit)),
    stream(operations.streamResearchVersioned, (request, emit) => streamResearchVersioned(deps, request, emit)),
    stream(operations.streamSearchRun, (request, emit) => streamSearchRun(deps, request, emit)),
    socket(operations.connectRun),
    file(operations.showLivePage, (request) => showLivePage(deps, request)),
    stream(operations.streamLivePage, (request, emit) => streamLivePage(deps, request, emit)),
  ];
}
