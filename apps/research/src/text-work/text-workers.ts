import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createWorkerPool, type WorkerPool } from '@cairn/workers';
import type * as tasks from './tasks.ts';

/** Runs what looks into foreign words away from the event loop: a text may be made to take for ever. */
export type TextWorkers = WorkerPool<typeof tasks>;

export interface TextWorkersOptions {
  /** Processes at a time. */
  workers: number | undefined;
  /** Of one task. */
  cpuMaxMs: number;
}

const WORKERS_MIN = 3;
const HEAP_MAX_MB = 512;
/** More than all runs of a process ask for at a time. */
const QUEUE_MAX = 10_000;
/** Starting a process again costs a request as much as a second. */
const IDLE_MS = 60_000;

export function createTextWorkers({ workers, cpuMaxMs }: TextWorkersOptions): TextWorkers {
  return createWorkerPool<typeof tasks>({
    file: join(import.meta.dirname, 'tasks.ts'),
    workers: workers ?? Math.max(WORKERS_MIN, availableParallelism() - 1),
    cpuMaxMs,
    heapMaxMb: HEAP_MAX_MB,
    queueMax: QUEUE_MAX,
    idleMs: IDLE_MS,
  });
}
