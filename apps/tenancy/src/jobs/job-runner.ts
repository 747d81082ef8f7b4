import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { pauseAfter, startWorkers, whileLeased } from '@cairn/work-queue';
import { claimJob, type JobKind, type JobRow, JOBS, JOBS_CHANNEL, moveJob } from '../stores/job-store.ts';

/** Where a step leads. `commit` runs in the transaction that records it. */
export type StepResult =
  | { next: string; commit?: (tx: Tx) => Promise<void> }
  | { again: true; afterMs: number }
  | { done: true; commit?: (tx: Tx) => Promise<void> };

/** One step of a job. It may be repeated after a crash, so it does what is left to do. */
type Step = (job: JobRow, signal: AbortSignal) => Promise<StepResult>;

export interface JobDefinition {
  steps: Readonly<Record<string, Step>>;
  /** After so many failures of one step, or of one of `of`, the job continues with another; without it a step is retried for ever. */
  onExhausted?: { afterAttempts: number; step: string; of?: readonly string[] };
}

interface RunnerDeps {
  /** Connected as the worker role. */
  database: Database;
  definitions: Readonly<Record<JobKind, JobDefinition>>;
  logger: Logger;
}

const LEASE_MS = 10_000;
const HEARTBEAT_MS = 3_000;
const FAILURE_PAUSE_MS = 1_000;
/** A step that failed may be repeated after a quarter of a second. */
const POLL_MS = 250;
/** A step may wait for an unavailable service while other jobs go on beside it. */
const SLOTS = 8;
const BACKOFF_MS = [250, 1_000, 2_000, 5_000, 15_000];
const ERROR_MAX_CHARS = 500;

/** Runs jobs for as long as the service runs, on any number of replicas; a step that a crash interrupted is repeated. */
export function startJobRunner(deps: RunnerDeps): Promise<Running> {
  return startWorkers({
    database: deps.database,
    channel: JOBS_CHANNEL,
    lanes: [{ slots: SLOTS, work: (signal) => runOne(deps, signal) }],
    pollMs: POLL_MS,
    failurePauseMs: FAILURE_PAUSE_MS,
    onError: (error) => deps.logger.warn({ err: error }, 'job runner: claiming or recording a job failed; retrying'),
  });
}

/** Claims a job and runs its steps until it ends, waits, fails or loses its lease. False when none was due. */
async function runOne(deps: RunnerDeps, stopped: AbortSignal): Promise<boolean> {
  // When the lease has expired, another worker of the same process may claim the job.
  const claim = { owner: randomUUID(), leaseMs: LEASE_MS };
  const job = await deps.database.transaction((tx) => claimJob(tx, claim));
  if (job === null) return false;
  const extend = () => deps.database.transaction((tx) => JOBS.extend(tx, job, LEASE_MS));
  await whileLeased({ everyMs: HEARTBEAT_MS, extend }, async (lost) => {
    let current: JobRow | null = job;
    while (current !== null && !stopped.aborted)
      current = await runStep(deps, current, AbortSignal.any([stopped, lost]));
  });
  return true;
}

/** Runs the job's step and records the result; returns the job at its next step, or null when it ends or waits. */
async function runStep(deps: RunnerDeps, job: JobRow, signal: AbortSignal): Promise<JobRow | null> {
  const definition = deps.definitions[job.kind];
  try {
    const step = definition.steps[job.step];
    if (step === undefined) throw new Error(`${job.kind} has no step ${job.step}`);
    return await recordResult(deps, job, await step(job, signal));
  } catch (error) {
    if (signal.aborted) return null;
    return recordFailure(deps, job, error);
  }
}

async function recordResult(deps: RunnerDeps, job: JobRow, result: StepResult): Promise<JobRow | null> {
  return deps.database.transaction(async (tx) => {
    if ('again' in result) {
      await moveJob(tx, job, { step: job.step, attempts: 0, error: null, waitMs: result.afterMs });
      return null;
    }
    const stillOwner =
      'done' in result
        ? await JOBS.delete(tx, job)
        : await moveJob(tx, job, { step: result.next, attempts: 1, error: job.error, waitMs: null });
    if (!stillOwner) return null;
    await result.commit?.(tx);
    return 'done' in result ? null : { ...job, step: result.next, attempts: 1 };
  });
}

/** Records the failure and schedules a retry, or continues with `onExhausted`. */
async function recordFailure(deps: RunnerDeps, job: JobRow, error: unknown): Promise<JobRow | null> {
  const { onExhausted } = deps.definitions[job.kind];
  const exhausted =
    onExhausted !== undefined &&
    job.step !== onExhausted.step &&
    (onExhausted.of?.includes(job.step) ?? true) &&
    job.attempts >= onExhausted.afterAttempts;
  const context = { err: error, kind: job.kind, subject: job.subject_id, step: job.step, attempts: job.attempts };
  deps.logger.warn(
    context,
    exhausted
      ? 'job runner: a step failed too often; the job continues with its clean-up step'
      : 'job runner: a step failed; retrying',
  );
  const message = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_MAX_CHARS);
  const move = {
    step: exhausted ? onExhausted.step : job.step,
    attempts: exhausted ? 0 : job.attempts,
    error: message,
    waitMs: exhausted ? 0 : pauseAfter(job.attempts, BACKOFF_MS),
  };
  await deps.database.transaction((tx) => moveJob(tx, job, move));
  return null;
}
