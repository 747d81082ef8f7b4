export { startRunFeed } from './feed.ts';
export type { RunFeed } from './feed.ts';
export { LEDGER_MIGRATIONS } from './migrations.ts';
export { RunLost } from './run-context.ts';
export type { Answered, Question, RunContext, StepOutcome } from './run-context.ts';
export {
  appendEvents,
  createRun,
  endRun,
  extendRun,
  findRun,
  lockRun,
  readEvents,
  releaseRun,
  sendMessage,
} from './run-store.ts';
export type { NewRun, OnEnd } from './run-store.ts';
export { ENDED, RunFailure } from './run.ts';
export type { EndStatus, LedgerStatus, NewEvent, RunEventRow, RunRow } from './run.ts';
export { startRunner } from './runner.ts';
export type { Runner, RunnerOptions, RunWork } from './runner.ts';
