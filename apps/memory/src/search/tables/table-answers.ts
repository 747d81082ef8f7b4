import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CairnError } from '@cairn/errors';
import type { Logger, Running } from '@cairn/service-kit';
import { createWorkerPool, WorkerFailure } from '@cairn/workers';
import type { RowsAnswer, TableTask } from './answer-from-rows.ts';
import type * as tasks from './answer-from-rows.ts';

/** Answers from tables, in worker processes: cells and questions are texts of others. */
export interface TableAnswers {
  /** Null when no table has the answer, or finding it takes too long: the search then answers as for any text. */
  answer(tenantId: string, task: TableTask, signal: AbortSignal): Promise<RowsAnswer | null>;
}

/** After that, waiting included, a search goes on without: it can answer from its passages. */
const TIMEOUT_MS = 3_000;
const LATE = Symbol('late');
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
      const running = pool.run(tenantId, task, 'answerFromRows', { signal });
      const stop = new AbortController();
      try {
        // Who waits no longer lets the process go on: ended each time, it would never be up in time.
        const late = setTimeout(timeoutMs, LATE, { signal: stop.signal, ref: false });
        const answer = await Promise.race([running, late]);
        if (answer !== LATE) return answer;
        running.catch((error: unknown) => logger.warn({ err: error }, 'tables: computing an answer failed'));
        logger.warn('tables: computing an answer takes too long; the search answers from its passages');
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof WorkerFailure || error instanceof CairnError)) throw error;
        logger.warn({ err: error }, 'tables: computing an answer failed; the search answers from its passages');
      } finally {
        stop.abort();
      }
      return null;
    },
    close: () => pool.close(),
  };
}
