export { createWorkerPool } from './worker-pool.ts';
export type { WorkerPool, WorkerPoolOptions } from './worker-pool.ts';
export { WorkerFailure } from './worker-failure.ts';
export type { WorkerFailureReason } from './worker-failure.ts';
