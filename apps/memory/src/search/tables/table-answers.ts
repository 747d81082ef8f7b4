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

/** For a table of the largest size that is answered from. */
const CPU_MAX_MS = 8_000;
const HEAP_MAX_MB = 512;
const QUEUE_MAX = 100;
const WORKERS = 2;
/** Starting a process costs a search up to a second. */
const IDLE_MS = 60_000;

export function createTableAnswers(logger: Logger): TableAnswers & Running {
  const pool = createWorkerPool<typeof tasks>({
    name: 'tables',
    file: join(import.meta.dirname, 'answer-from-rows.ts'),
    workers: WORKERS,
    cpuMaxMs: CPU_MAX_MS,
    heapMaxMb: HEAP_MAX_MB,
    queueMax: QUEUE_MAX,
    idleMs: IDLE_MS,
  });
  return {
    async answer(tenantId, task, signal) {
      try {
        return await pool.run(tenantId, task, 'answerFromRows', { signal });
      } catch (error) {
        if (!(error instanceof WorkerFailure || error instanceof CairnError)) throw error;
        logger.warn({ err: error }, 'a table could not be computed over; the search answers from its passages');
        return null;
      }
    },
    close: () => pool.close(),
  };
}
