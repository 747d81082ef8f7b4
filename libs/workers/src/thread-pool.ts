import { Worker } from 'node:worker_threads';
import { fairSlots } from './fair-slots.ts';
import { beginTask, prepareTaskMetrics } from './observe-task.ts';
import { refusedSlot } from './refused-slot.ts';
import { WorkerFailure } from './worker-failure.ts';

interface ThreadPoolOptions {
  /** What metrics call the pool. */
  name: string;
  /** The module of a thread. It calls `serveTasks`. */
  file: URL;
  threads: number;
  /** By the clock; a thread that takes longer is ended. */
  clockMaxMs: number;
  heapMaxMb: number;
  /** Tasks that wait for a thread; further ones are refused. */
  queueMax: number;
}

interface ThreadPool<Task, Result> {
  /**
   * Runs the task in a thread, in turn among the tenants; what is transferred costs this thread no copy. Rejects with
   * `WorkerFailure` when the thread ended, with the task's own error when it threw one, and with `rate_limited` or
   * `unavailable` when too many tasks of the tenant, or of all, wait.
   */
  run(tenantId: string, task: Task, transferred: readonly ArrayBuffer[]): Promise<Result>;
  close(): Promise<void>;
}

/** What a thread answers; see `serveTasks`. */
export type ThreadReply<Result> = { ok: true; result: Result } | { ok: false; message: string };

const IDLE_MS = 20_000;

/**
 * Threads for tasks whose memory and processor time are bounded by what they are given. Handing a large buffer to a
 * thread is free, while a process takes a copy, written and read in pieces. A task that may take for ever or all memory
 * needs the processes of `createWorkerPool`: V8 ends the whole process when a thread runs out of memory in some places.
 */
export function createThreadPool<Task, Result>(options: ThreadPoolOptions): ThreadPool<Task, Result> {
  const { name, threads, clockMaxMs, queueMax } = options;
  prepareTaskMetrics(name);
  const seats = fairSlots({ seats: threads, waitingMax: queueMax, full: refusedSlot });
  const set = new ThreadSet(options);
  return {
    async run(tenantId, task, transferred) {
      const observed = beginTask(name);
      try {
        const leave = await seats.take(tenantId);
        observed.started();
        const result = await set.run<Result>(task, transferred, clockMaxMs).finally(leave);
        observed.ended();
        return result;
      } catch (error) {
        observed.ended(error);
        throw error;
      }
    },
    close: () => set.close(),
  };
}

/** The threads of one pool: started when needed, used again, ended when idle or when a task failed in them. */
class ThreadSet {
  private readonly options: ThreadPoolOptions;
  private readonly alive = new Set<Worker>();
  private readonly idle = new Map<Worker, NodeJS.Timeout>();
  private isClosed = false;

  constructor(options: ThreadPoolOptions) {
    this.options = options;
  }

  async run<Result>(task: unknown, transferred: readonly ArrayBuffer[], clockMaxMs: number): Promise<Result> {
    if (this.isClosed) throw refusedSlot('all');
    const thread = this.take();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const onMessage = (reply: ThreadReply<Result>) =>
      reply.ok ? resolve(reply.result) : reject(new Error(reply.message));
    const onError = (error: Error & { code?: string }) =>
      reject(new WorkerFailure(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'crashed', error.message));
    const onExit = () => reject(new WorkerFailure('crashed', 'the thread ended during the task'));
    const late = setTimeout(
      () => reject(new WorkerFailure('timed_out', 'the task took longer than a thread may take')),
      clockMaxMs,
    );
    thread.once('message', onMessage).once('error', onError).once('exit', onExit);
    try {
      thread.postMessage(task, transferred);
      const result = await promise;
      this.idle.set(thread, setTimeout(() => void thread.terminate(), IDLE_MS).unref());
      return result;
    } catch (error) {
      // Whatever state it is in, the next task begins with another one.
      await thread.terminate();
      throw error;
    } finally {
      clearTimeout(late);
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.alive].map((thread) => thread.terminate()));
  }

  /** The one that was used last, so that those nobody needs end. */
  private take(): Worker {
    const [thread, timer] = [...this.idle].at(-1) ?? [];
    if (thread === undefined) return this.start();
    clearTimeout(timer);
    this.idle.delete(thread);
    return thread;
  }

  private start(): Worker {
    const thread = new Worker(this.options.file, {
      // None of the service's secrets.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.options.heapMaxMb },
    });
    thread.unref();
    this.alive.add(thread);
    // Without a task nobody listens, and an unheard error ends the process.
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      this.alive.delete(thread);
      clearTimeout(this.idle.get(thread));
      this.idle.delete(thread);
    });
    return thread;
  }
}
