export { createFairScheduler } from './fair-scheduler.ts';
export type { FairScheduler, Share } from './fair-scheduler.ts';
export { afterMs, leaseTable } from './lease-table.ts';
export type { DueRows } from './lease-table.ts';
export { pauseAfter } from './pause-after.ts';
export { startWorkers } from './start-workers.ts';
export { LeaseLostError, whileLeased } from './while-leased.ts';
