import * as operation from '@cairn/contracts';
import { answer, type BoundOperation, file, socket, stream } from '@cairn/service-kit';
import { downloadList, listLists, readList, readListRows } from './lists/read-lists.ts';
import { continueSearch, respond, stop } from './runs/change-runs.ts';
import { readStatus } from './runs/get-status.ts';
import { startCrawlRun, startWebRun } from './runs/start-agents.ts';
import { startDeepSearchRun } from './runs/start-deep-search.ts';
import { startListSearch } from './runs/start-list-search.ts';
import { startResearchRun } from './runs/start-research.ts';
import type { StartParts } from './runs/start-run.ts';
import { takeReference, type UploadParts } from './uploads/take-reference.ts';
import { showPage } from './watch/live-page.ts';
import { streamRun, type WatchParts } from './watch/stream-run.ts';

/** The operations this service answers. */
export function operations(parts: StartParts & WatchParts & UploadParts): BoundOperation[] {
  return [
    answer(operation.startWebResearch, (call) => startWebRun(parts, call)),
    answer(operation.startCrawler, (call) => startCrawlRun(parts, call)),
    answer(operation.startPeopleSearch, (call) => startListSearch(parts, call, 'people')),
    answer(operation.startCompanySearch, (call) => startListSearch(parts, call, 'company')),
    answer(operation.continueListSearch, (call) => continueSearch(parts, call)),
    answer(operation.stopRun, (call) => stop(parts, call)),
    answer(operation.getRunStatus, (call) => readStatus(parts, call)),
    answer(operation.startResearch, (call) => startResearchRun(parts, call)),
    answer(operation.respondToResearch, (call) => respond(parts, call)),
    answer(operation.startDeepSearch, (call) => startDeepSearchRun(parts, call)),
    answer(operation.uploadReference, (call) => takeReference(parts, call)),
    answer(operation.listSavedLists, (call) => listLists(parts, call)),
    answer(operation.getSavedList, (call) => readList(parts, call)),
    answer(operation.listRows, (call) => readListRows(parts, call)),
    file(operation.exportList, (call) => downloadList(parts, call)),
    stream(operation.streamResearch, (call, emit) => streamRun(parts, call, emit)),
    stream(operation.streamResearchVersioned, (call, emit) => streamRun(parts, call, emit)),
    stream(operation.streamSearchRun, (call, emit) => streamRun(parts, call, emit)),
    socket(operation.connectRun),
    file(operation.showLivePage, (call) => showPage(parts, call)),
    stream(operation.streamLivePage, (call, emit) => streamRun(parts, call, emit)),
  ];
}
