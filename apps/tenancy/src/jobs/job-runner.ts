import type { Database, Tx } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { claimJob, endJob, extendLease, type JobKind, type JobRow, JOBS_CHANNEL, moveJob } from './job-store.ts';

/** Where a step leads. `commit` runs in the transaction that records it. */
export type StepResult =
  | { next: string; commit?: (tx: Tx) => Promise<void> }
  | { again: true; afterMs: number }
  | { done: true; commit?: (tx: Tx) => Promise<void> };

/** One step of a job. It may be repeated after a crash, so it does what is left to do. */
export type Step = (job: JobRow, signal: AbortSignal) => Promise<StepResult>;

export interface JobMachine {
  steps: Readonly<Record<string, Step>>;
  /** After so many failures of one step the job goes on with another; without it a step is tried for ever. */
  giveUp?: { afterAttempts: number; step: string };
}

export interface RunnerParts {
  /** Connected as the worker role. */
  database: Database;
  machines: Readonly<Record<JobKind, JobMachine>>;
  /** Unique to this boot: claims of a process that died are never taken for one's own. */
  owner: string;
  logger: Logger;
}

const LEASE_MS = 10_000;
const HEARTBEAT_MS = 3_000;
const POLL_MS = 1_000;
/** A step may wait for a part that is away; others' work goes on beside it. */
const LANES = 8;
const BACKOFF_MS = [250, 1_000, 2_000, 5_000, 15_000];
const ERROR_MAX_CHARS = 500;

/** Works jobs off for as long as the service runs. Any number of replicas may; a step that a crash cut off is repeated. */
export async function startJobRunner(parts: RunnerParts): Promise<Running> {
  const stopped = new AbortController();
  const sleepers = new Set<() => void>();
  const nudge = () => {
    for (const wake of sleepers) wake();
  };
  const listener = await parts.database.listen(JOBS_CHANNEL, nudge);
  const lane = async () => {
    while (!stopped.signal.aborted) {
      const worked = await runOne(parts, stopped.signal).catch((error: unknown) => {
        if (!stopped.signal.aborted) parts.logger.warn({ err: error }, 'background work waits');
        return false;
      });
      if (!worked && !stopped.signal.aborted) await pause(POLL_MS, sleepers);
    }
  };
  const lanes = Array.from({ length: LANES }, lane);
  return {
    async close() {
      stopped.abort();
      nudge();
      await listener.close();
      await Promise.all(lanes);
    },
  };
}

function pause(ms: number, sleepers: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      sleepers.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    sleepers.add(wake);
  });
}

/** Claims a job and runs its steps until it ends, waits, fails or is lost. False when nothing was due. */
async function runOne(parts: RunnerParts, stopped: AbortSignal): Promise<boolean> {
  const claim = { owner: parts.owner, leaseMs: LEASE_MS };
  const job = await parts.database.transaction((tx) => claimJob(tx, claim));
  if (job === null) return false;
  const lost = new AbortController();
  const heartbeat = setInterval(() => {
    parts.database
      .transaction((tx) => extendLease(tx, job.job_id, claim))
      .then((held) => {
        if (!held) lost.abort();
      })
      .catch(() => undefined);
  }, HEARTBEAT_MS);
  try {
    let current: JobRow | null = job;
    while (current !== null && !stopped.aborted) {
      current = await takeStep(parts, current, AbortSignal.any([stopped, lost.signal]));
    }
  } finally {
    clearInterval(heartbeat);
  }
  return true;
}

/** Runs the job's step and records where it led; gives the job as it goes on, or null when it is over for now. */
async function takeStep(parts: RunnerParts, job: JobRow, signal: AbortSignal): Promise<JobRow | null> {
  const machine = parts.machines[job.kind];
  try {
    const step = machine.steps[job.step];
    if (step === undefined) throw new Error(`a ${job.kind} has no step ${job.step}`);
    return await record(parts, job, await step(job, signal));
  } catch (error) {
    if (signal.aborted) return null;
    return fail(parts, job, error);
  }
}

async function record(parts: RunnerParts, job: JobRow, result: StepResult): Promise<JobRow | null> {
  return parts.database.transaction(async (tx) => {
    if ('again' in result) {
      await moveJob(tx, job, {
        owner: parts.owner,
        step: job.step,
        attempts: 0,
        error: null,
        waitMs: result.afterMs,
      });
      return null;
    }
    const held =
      'done' in result
        ? await endJob(tx, job, parts.owner)
        : await moveJob(tx, job, {
            owner: parts.owner,
            step: result.next,
            attempts: 1,
            error: job.error,
            waitMs: null,
          });
    if (!held) return null;
    await result.commit?.(tx);
    return 'done' in result ? null : { ...job, step: result.next, attempts: 1 };
  });
}

/** Notes the failure and when to try again, or gives the step up. */
async function fail(parts: RunnerParts, job: JobRow, error: unknown): Promise<JobRow | null> {
  const { giveUp } = parts.machines[job.kind];
  const givenUp = giveUp !== undefined && job.step !== giveUp.step && job.attempts >= giveUp.afterAttempts;
  const context = { err: error, kind: job.kind, subject: job.subject_id, step: job.step, attempts: job.attempts };
  parts.logger.warn(context, givenUp ? 'a step of background work is given up' : 'a step of background work failed');
  const message = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_MAX_CHARS);
  const move = {
    owner: parts.owner,
    step: givenUp ? giveUp.step : job.step,
    attempts: givenUp ? 0 : job.attempts,
    error: message,
    waitMs: givenUp ? 0 : BACKOFF_MS[Math.min(job.attempts, BACKOFF_MS.length) - 1]!,
  };
  await parts.database.transaction((tx) => moveJob(tx, job, move));
  return null;
}
