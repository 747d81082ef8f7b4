import { WorkerProcess, type WorkerProcessOptions } from './worker-process.ts';

interface ProcessSetOptions extends WorkerProcessOptions {
  /** A task that a process runs before it is warm; it takes nothing. */
  warmUp: string | null;
  /** Processor time that it may take. */
  warmUpCpuMaxMs: number;
  /** Tasks after which a process is replaced. */
  tasksMax: number;
  /** A process that has nothing to do is given up after this time. */
  idleMs: number;
}

/** A process that has grown to this share of its memory is replaced: the next task is to have what it may have. */
const GROWN_SHARE = 0.75;

/** After so many failures nobody waits for a warm process any more: the tasks themselves fail then, and are counted. */
const WARM_FAILURES_MAX = 3;

/** The worker processes of one pool: started when needed, used again, given up when idle, grown or old. */
export class ProcessSet {
  isClosed = false;
  private readonly options: ProcessSetOptions;
  private readonly alive = new Set<WorkerProcess>();
  private readonly idle = new Map<WorkerProcess, NodeJS.Timeout>();
  private warming: Promise<void> | null = null;
  /** Of warming up, one after the other. */
  private failures = 0;

  constructor(options: ProcessSetOptions) {
    this.options = options;
  }

  /** True when a process is there that `warm` has started. */
  get isWarm(): boolean {
    return [...this.alive].some((worker) => worker.isLoaded && !worker.isEnding);
  }

  /** Starts a process where there is no such, and waits until it has loaded what tasks need, or for the signal. */
  async warm(signal?: AbortSignal): Promise<void> {
    if (this.isWarm || this.isClosed || signal?.aborted === true) return;
    this.warming ??= this.startWarm().finally(() => {
      this.warming = null;
    });
    const aborted = Promise.withResolvers<void>();
    const onAbort = () => aborted.resolve();
    signal?.addEventListener('abort', onAbort, { once: true });
    await Promise.race([this.warming, aborted.promise]).finally(() => signal?.removeEventListener('abort', onAbort));
  }

  private async startWarm(): Promise<void> {
    const worker = this.start();
    try {
      await worker.warmUp(this.options.warmUp, this.options.warmUpCpuMaxMs);
      this.failures = 0;
      this.putBack(worker, 0);
    } catch (error) {
      worker.kill();
      this.failures += 1;
      if (!this.isClosed && this.failures < WARM_FAILURES_MAX) throw error;
    }
  }

  /** The idle process that was used last, so that those nobody needs are given up, a warm one first; else a new one. */
  take(): WorkerProcess {
    const idle = [...this.idle];
    const [worker, timer] = idle.findLast(([each]) => each.isLoaded) ?? idle.at(-1) ?? [];
    if (worker === undefined) return this.start();
    clearTimeout(timer);
    this.idle.delete(worker);
    return worker;
  }

  putBack(worker: WorkerProcess, rssBytes: number): void {
    const { tasksMax, memoryMaxMb, idleMs } = this.options;
    if (worker.isEnding) return;
    const isGrown = rssBytes > memoryMaxMb * 1_048_576 * GROWN_SHARE;
    if (this.isClosed || worker.tasksDone >= tasksMax || isGrown) worker.kill();
    else this.idle.set(worker, setTimeout(() => this.giveUp(worker), idleMs).unref());
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const worker of this.alive) worker.kill();
    await Promise.all([...this.alive].map((worker) => worker.ended));
  }

  private start(): WorkerProcess {
    const worker = new WorkerProcess(this.options);
    this.alive.add(worker);
    void worker.ended.then(() => {
      this.alive.delete(worker);
      clearTimeout(this.idle.get(worker));
      return this.idle.delete(worker);
    });
    return worker;
  }

  private giveUp(worker: WorkerProcess): void {
    this.idle.delete(worker);
    worker.kill();
  }
}
