import { workerData } from 'node:worker_threads';

// Watches over its own process from a thread, because the main thread may be busy with a hostile input: ends it when
// it takes too much memory, whatever kind of memory it is, and when the service that started it is gone.

const CHECK_EVERY_MS = 100;
const { parentPid, rssMaxBytes } = workerData as { parentPid: number; rssMaxBytes: number };

setInterval(() => {
  if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL');
  // The pool takes SIGABRT for what it is when V8 itself runs out of memory.
  if (process.memoryUsage.rss() > rssMaxBytes) process.kill(process.pid, 'SIGABRT');
}, CHECK_EVERY_MS);
