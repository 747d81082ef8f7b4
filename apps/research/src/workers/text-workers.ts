import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createWorkerPool, type WorkerPool } from '@cairn/workers';
import type * as tasks from './tasks.ts';

/** Parses untrusted text off the event loop: a text can be crafted to take forever. */
export type TextWorkers = WorkerPool<typeof tasks>;

interface TextWorkersOptions {
  /** Worker processes. */
  workers: number | undefined;
  /** CPU time of one task. */
  cpuMaxMs: number;
}

const WORKERS_MIN = 3;
const HEAP_MAX_MB = 512;
/** More tasks than all runs of a process submit at a time. */
const QUEUE_MAX = 10_000;
/** Starting a process costs a request up to a second. */
const IDLE_MS = 60_000;

export function createTextWorkers({ workers, cpuMaxMs }: TextWorkersOptions): TextWorkers {
  return createWorkerPool<typeof tasks>({
    name: 'research',
    file: join(import.meta.dirname, 'tasks.ts'),
    workers: workers ?? Math.max(WORKERS_MIN, availableParallelism() - 1),
    cpuMaxMs,
    heapMaxMb: HEAP_MAX_MB,
    queueMax: QUEUE_MAX,
    idleMs: IDLE_MS,
    warmUp: 'loadModel' satisfies keyof typeof tasks,
  });
}
