import { join } from 'node:path';
import { CairnError } from '@cairn/errors';
import type { Logger, Running } from '@cairn/service-kit';
import { createWorkerPool, WorkerFailure } from '@cairn/workers';
import type { RowsAnswer, TableTask } from './answer-from-rows.ts';
import type * as tasks from './answer-from-rows.ts';

/** Answers from tables, in worker processes: cells and questions are texts of others. */
export interface TableAnswers {
  /** Null when no table tells, or telling takes too long: the search then answers as for any text. */
  answer(tenantId: string, task: TableTask, signal: AbortSignal): Promise<RowsAnswer | null>;
}

/** After that, waiting included, a search goes on without: it can answer from its passages. */
const TIMEOUT_MS = 3_000;
const HEAP_MAX_MB = 512;
/** Each of them holds the rows of its tables, up to some 10 MB. */
const QUEUE_MAX = 16;
const WORKERS = 2;
/** Starting a process costs a search up to a second. */
const IDLE_MS = 60_000;

export function createTableAnswers(logger: Logger, timeoutMs = TIMEOUT_MS): TableAnswers & Running {
  const pool = createWorkerPool<typeof tasks>({
    name: 'tables',
    file: join(import.meta.dirname, 'answer-from-rows.ts'),
    workers: WORKERS,
    cpuMaxMs: TIMEOUT_MS,
    heapMaxMb: HEAP_MAX_MB,
    queueMax: QUEUE_MAX,
    idleMs: IDLE_MS,
  });
  return {
    async answer(tenantId, task, signal) {
      const late = AbortSignal.timeout(timeoutMs);
      try {
        return await pool.run(tenantId, task, 'answerFromRows', { signal: AbortSignal.any([signal, late]) });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof WorkerFailure || error instanceof CairnError || late.aborted)) throw error;
        logger.warn({ err: error }, 'a table could not be computed over; the search answers from its passages');
        return null;
      }
    },
    close: () => pool.close(),
  };
}
