import { readlinkSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from './lower-priority.ts';
import type { ThreadReply } from './thread-pool.ts';

/** In a thread of `createThreadPool`: performs its tasks, one at a time, at a lower priority than the service's. */
export function serveTasks<Task, Result>(perform: (task: Task) => Result): void {
  const port = parentPort;
  if (port === null) throw new Error('this module serves tasks in a thread');
  lowerThreadPriority(ownThreadId());
  port.on('message', (task: Task) => {
    port.postMessage(replyTo(perform, task));
  });
}

function replyTo<Task, Result>(perform: (task: Task) => Result, task: Task): ThreadReply<Result> {
  try {
    return { ok: true, result: perform(task) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Linux alone names a thread and lets it have a priority; elsewhere there is nothing to lower. */
function ownThreadId(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return null;
  }
}
