import { availableParallelism } from 'node:os';
import { fairSlots } from './fair-slots.ts';
import { beginTask, prepareTaskMetrics } from './observe-task.ts';
import { WorkerFailure } from './worker-failure.ts';
import { ProcessSet } from './process-set.ts';
import { refusedSlot } from './refused-slot.ts';
import type { TaskOutcome } from './worker-process.ts';

/** The exported functions of the module that worker processes load. They must not change anything: one may run twice. */
type TaskModule = Record<string, (task: never) => unknown>;

export interface WorkerPoolOptions {
  /** What metrics call the pool. */
  name: string;
  /** Path of the module whose exported functions are the tasks; they take and return what can be cloned. */
  file: string;
  /** Processes at a time. */
  workers: number;
  /** Processes that one tenant has at a time. Default: half of the processors, so that work for requests goes on. */
  perTenantMax?: number;
  /** Processor time of one task, of all threads of its process; by the clock it may take ten times as long. */
  cpuMaxMs: number;
  /** Of one process: V8's heap. */
  heapMaxMb: number;
  /** Of one process: the heap and all memory outside of it. Default: the heap and 192 MB. */
  memoryMaxMb?: number;
  /** Tasks that wait for a process; further ones are refused. */
  queueMax: number;
  /** How long a tenant gets no process after a task that ended its own. */
  cooldownMs?: number;
  /** Name of a task that takes nothing and loads what others need; `warm` waits for it. Default: none. */
  warmUp?: string;
  /** Tasks after which a process is replaced. */
  tasksMax?: number;
  /** A process that has nothing to do is given up after this time. */
  idleMs?: number;
}

export interface WorkerPool<Tasks extends TaskModule> {
  /**
   * Runs the task in a process of its own. Rejects with `WorkerFailure` when the task ended its process or was ended,
   * with the task's own error when it threw one, and with `unavailable` when too many wait or the pool is closed.
   */
  run<Name extends keyof Tasks & string>(
    tenantId: string,
    task: Parameters<Tasks[Name]>[0],
    name: Name,
    limits?: { cpuMaxMs?: number; signal?: AbortSignal },
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>;
  /** False until `warm` has started a process, and after that ended. */
  isWarm(): boolean;
  /**
   * Starts a process, where none is warm, and waits until it has loaded what tasks need, at the priority of the service:
   * on a busy machine that takes a third of the time. For those who take work from a queue: they take it when it can be
   * begun, and leave it to others until then. Rejects when no process can be started, and resolves without one at the
   * signal and from the third such failure on: tasks that fail are counted, tasks that nobody takes are not.
   */
  warm(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const OUTSIDE_HEAP_MB = 192;
const TASKS_MAX = 2_000;
const IDLE_MS = 20_000;
/** After a task that ended its process: starting another one takes up to a second of processor time from all. */
const COOLDOWN_MS = 5_000;

export function createWorkerPool<Tasks extends TaskModule>(options: WorkerPoolOptions): WorkerPool<Tasks> {
  const { file, heapMaxMb } = options;
  prepareTaskMetrics(options.name);
  const processes = new ProcessSet({
    file,
    heapMaxMb,
    memoryMaxMb: options.memoryMaxMb ?? heapMaxMb + OUTSIDE_HEAP_MB,
    tasksMax: options.tasksMax ?? TASKS_MAX,
    idleMs: options.idleMs ?? IDLE_MS,
    warmUp: options.warmUp ?? null,
    warmUpCpuMaxMs: options.cpuMaxMs,
  });
  const perTenantMax = options.perTenantMax ?? Math.floor(availableParallelism() / 2);
  const seats = fairSlots({ seats: options.workers, perTenantMax, waitingMax: options.queueMax, full: busy });

  async function runOnce(name: string, task: unknown, cpuMaxMs: number, signal?: AbortSignal): Promise<unknown> {
    if (processes.isClosed) throw busy();
    signal?.throwIfAborted();
    const worker = processes.take();
    const onAbort = () => worker.kill();
    signal?.addEventListener('abort', onAbort, { once: true });
    let outcome: TaskOutcome | null = null;
    try {
      outcome = await worker.run(name, task, cpuMaxMs);
      return outcome.result;
    } catch (error) {
      signal?.throwIfAborted();
      if (processes.isClosed) throw busy();
      // Its seat is free only when its memory is.
      if (error instanceof WorkerFailure) await worker.ended;
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      processes.putBack(worker, outcome?.rssBytes ?? 0);
    }
  }

  return {
    async run(tenantId, task, name, { cpuMaxMs = options.cpuMaxMs, signal } = {}) {
      const observed = beginTask(options.name);
      const leave = await seats.take(tenantId, signal).catch((error: unknown) => {
        observed.ended(error);
        throw error;
      });
      observed.started();
      let cooldownMs = 0;
      try {
        const result = (await runOnce(name, task, cpuMaxMs, signal).catch((error: unknown) => {
          // It may have been somebody else who ended the process; what does so twice does it itself.
          if (error instanceof WorkerFailure && error.reason === 'crashed')
            return runOnce(name, task, cpuMaxMs, signal);
          throw error;
        })) as never;
        observed.ended();
        return result;
      } catch (error) {
        observed.ended(error);
        if (error instanceof WorkerFailure) cooldownMs = options.cooldownMs ?? COOLDOWN_MS;
        throw error;
      } finally {
        leave(cooldownMs);
      }
    },
    isWarm: () => processes.isWarm,
    warm: (signal) => processes.warm(signal),
    close: () => processes.close(),
  };
}

/** Also where a tenant's own tasks fill its share: most are background work, which waits for a better time. */
function busy(): Error {
  return refusedSlot('all');
}
