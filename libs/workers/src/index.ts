export { fairSlots } from './fair-slots.ts';
export { refusedSlot } from './refused-slot.ts';
export { serveTasks } from './serve-tasks.ts';
export { createThreadPool } from './thread-pool.ts';
export { createWorkerPool } from './worker-pool.ts';
export type { WorkerPool, WorkerPoolOptions } from './worker-pool.ts';
export { WorkerFailure } from './worker-failure.ts';
export type { WorkerFailureReason } from './worker-failure.ts';
