import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { TaskMessage, WorkerMessage } from './messages.ts';
import { TASK_BUDGET_BYTES, taskBudget } from './task-budget.ts';

// The entry of a worker process: loads a module and runs its exported functions, one task at a time.

type Task = (task: unknown) => unknown;

const [file, memoryMaxMb] = process.argv.slice(2) as [string, string];
const budget = new SharedArrayBuffer(TASK_BUDGET_BYTES);
const { begin, end } = taskBudget(budget);
const guard = new Worker(new URL('./worker-guard.ts', import.meta.url), {
  workerData: { parentPid: process.ppid, rssMaxBytes: Number(memoryMaxMb) * 1_048_576, budget },
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 },
});
guard.unref();
// Whoever stops the service decides what becomes of its workers; a signal to the whole process group does not.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(0));

const tasks = (await import(pathToFileURL(file).href)) as Record<string, Task | undefined>;
process.on('message', (message: TaskMessage) => {
  perform(message).then(send, (error: unknown) => send(failed(error)));
});
send({ kind: 'ready' });

async function perform({ name, task, cpuMaxMs }: TaskMessage): Promise<WorkerMessage> {
  const perform = tasks[name];
  if (typeof perform !== 'function') throw new Error(`the worker module has no task named ${name}`);
  begin(cpuMaxMs);
  try {
    return { kind: 'done', result: await perform(task), rssBytes: process.memoryUsage.rss() };
  } finally {
    end();
  }
}

function send(message: WorkerMessage): void {
  try {
    process.send!(message);
  } catch (error) {
    // The result cannot be cloned, or the pool is gone.
    if (process.connected) process.send!(failed(error));
  }
}

function failed(error: unknown): WorkerMessage {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  // What V8 throws when memory outside of its heap cannot be had.
  return /array buffer allocation failed|failed to allocate memory|invalid (?:array|typed array) length|could not allocate memory|out of memory/i.test(
    message,
  )
    ? { kind: 'out_of_memory' }
    : { kind: 'failed', error: { name, message, stack } };
}
