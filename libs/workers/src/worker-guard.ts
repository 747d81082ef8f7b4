import { workerData } from 'node:worker_threads';
import { taskBudget } from './task-budget.ts';

// Watches over its own process from a thread, because the main thread may be busy with a hostile input: ends it when
// a task takes too much memory, whatever kind of memory it is, or too much processor time, and when the service that started it is gone.

const CHECK_EVERY_MS = 100;
const { parentPid, rssMaxBytes, budget } = workerData as {
  parentPid: number;
  rssMaxBytes: number;
  budget: SharedArrayBuffer;
};
const { read } = taskBudget(budget);
let current = 0;
let cpuBeforeMs = 0;

setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
  // The pool takes SIGABRT for what it is when V8 itself runs out of memory.
  if (process.memoryUsage.rss() > rssMaxBytes) process.kill(process.pid, 'SIGABRT');
  const { task, cpuMaxMs } = read();
  if (task !== current) {
    current = task;
    cpuBeforeMs = cpuMs();
  } else if (cpuMaxMs > 0 && cpuMs() - cpuBeforeMs > cpuMaxMs) process.kill(process.pid, 'SIGXCPU');
}, CHECK_EVERY_MS);

/** Of all threads of the process. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
