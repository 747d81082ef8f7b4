import { repeat } from '@cairn/background';
import type { Database, Tx } from '@cairn/postgres';
import type { Logger, Running } from '@cairn/service-kit';
import { startWorkers } from '@cairn/work-queue';
import { SUSPENDED, whileOpen } from '../../memories/closed-scopes.ts';
import { isUnavailable } from '../../memories/unavailable.ts';
import { sweepSearches } from '../../search/log/search-log-store.ts';
import { sweepFailedContent } from '../failed-content.ts';
import { deleteStep, giveUp, isQueueFull, retryStep, type StepDeps } from './job-steps.ts';
import {
  type DocumentJobRow,
  dueJobs,
  holdDueJob,
  JOBS_CHANNEL,
  postponeJob,
  saveStep,
  sweepJobs,
} from './job-store.ts';
import { takeDocuments } from './take-documents.ts';

interface JobRunnerDeps extends StepDeps {
  database: Database;
  /** Connected as the worker role: finds jobs over all tenants. */
  workerDatabase: Database;
  logger: Logger;
}

type JobKey = Pick<DocumentJobRow, 'tenant_id' | 'memory_id' | 'job_id'>;

const FAILURE_PAUSE_MS = 1_000;
const POLL_MS = 1_000;
const LOOKED_AT = 10;
/** Fewer after each failure, so that only documents that cause it are passed over in the end. */
const DOCUMENTS_PER_STEP = [50, 12, 3, 1, 1];
const BACKOFF_MS = 500;
/** A memory that is suspended, closed, or whose tenant has too much in the queue. */
const WAIT_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;
const STEPS = { delete: deleteStep, retry: retryStep } as const;

/**
 * Runs jobs over documents step by step, on any number of replicas, the jobs in turn. A step is one transaction that
 * holds its job and records what it did: a step that a crash interrupts is rolled back, and the next replica repeats it.
 */
export async function startJobRunner(deps: JobRunnerDeps): Promise<Running> {
  const onError = (error: unknown) =>
    deps.logger.warn({ err: error }, 'document jobs: claiming or running a job failed; retrying');
  const workers = await startWorkers({
    database: deps.workerDatabase,
    channel: JOBS_CHANNEL,
    lanes: [{ slots: 1, work: () => runOneStep(deps) }],
    pollMs: POLL_MS,
    failurePauseMs: FAILURE_PAUSE_MS,
    onError,
  });
  const sweeping = repeat(SWEEP_EVERY_MS, () => sweep(deps.workerDatabase), onError);
  return {
    async close() {
      await Promise.all([workers.close(), sweeping.close()]);
    },
  };
}

async function sweep(database: Database): Promise<void> {
  for (const some of [sweepJobs, sweepFailedContent, sweepSearches]) while (await database.transaction(some));
}

/** One step of the job that has waited longest and that nobody else is at; false when there is none. */
async function runOneStep(deps: JobRunnerDeps): Promise<boolean> {
  for (const job of await deps.workerDatabase.transaction((tx) => dueJobs(tx, LOOKED_AT)))
    if (await runStep(deps, job)) return true;
  return false;
}

async function runStep(deps: JobRunnerDeps, key: JobKey): Promise<boolean> {
  const scope = { tenantId: key.tenant_id, memoryId: key.memory_id };
  const postpone = (delayMs: number, failed: boolean) =>
    deps.workerDatabase.transaction((tx) => postponeJob(tx, key, { delayMs, failed }));
  try {
    const ran = await whileOpen(deps.database, scope, async (tx, closedVaults) => {
      const job = await holdDueJob(tx, scope, key.job_id);
      if (job === null) return false;
      if (closedVaults.has(SUSPENDED)) await postponeJob(tx, job, { delayMs: WAIT_MS, failed: false });
      else await doStep(deps, tx, job, closedVaults);
      return true;
    });
    // What is closed is erased with its jobs.
    if (ran === null) await postpone(WAIT_MS, false);
    return ran ?? true;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (isQueueFull(error)) await postpone(WAIT_MS, false);
    else {
      deps.logger.warn({ err: error, job_id: key.job_id }, 'document jobs: a step failed; retrying');
      await postpone(BACKOFF_MS, true);
    }
    return true;
  }
}

async function doStep(deps: JobRunnerDeps, tx: Tx, job: DocumentJobRow, closedVaults: ReadonlySet<string>) {
  const scope = { tenantId: job.tenant_id, memoryId: job.memory_id };
  const max = DOCUMENTS_PER_STEP[job.attempts] ?? 1;
  const taken = await takeDocuments(tx, scope, job, { closedVaults, max });
  const outcome =
    job.attempts < DOCUMENTS_PER_STEP.length ? await STEPS[job.kind](deps, tx, scope, taken) : giveUp(taken);
  await saveStep(tx, job, outcome);
}
