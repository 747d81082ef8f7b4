import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { lowerProcessPriority } from './lower-priority.ts';
import type { TaskError, TaskMessage, WorkerMessage } from './messages.ts';
import { WorkerFailure, type WorkerFailureReason } from './worker-failure.ts';

export interface WorkerProcessOptions {
  /** The module whose exported functions are the tasks. */
  file: string;
  heapMaxMb: number;
  /** Of all memory of the process that is not shared, V8's heap included. */
  memoryMaxMb: number;
}

export interface TaskOutcome {
  result: unknown;
  rssBytes: number;
}

const MAIN = join(import.meta.dirname, 'worker-main.ts');
const START_TIMEOUT_MS = 60_000;
const STACK_KB = 3_900;
/**
 * A task on a busy machine waits for a processor, which says nothing about its input: by the clock it has so many times
 * the processor time that it may take.
 */
const CLOCK_PER_CPU = 10;
const SEMI_SPACE_MB = 16;
/**
 * Linux counts as data what V8 reserves for machine code, whether used or not: 512 MB on x64 for each of the two
 * threads with JavaScript, so that a process that has done nothing has 1,112 MB, of which 62 MB are resident (Node 24).
 */
const RESERVED_BY_NODE_MB = 1_152;
/** Enough of what the process wrote before it died to say why. */
const STDERR_TAIL_CHARS = 2_000;
/** V8 ends a process that runs out of heap with SIGABRT or, in some places, with a trap. */
const OUT_OF_MEMORY_SIGNALS: readonly (NodeJS.Signals | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

/**
 * A Node process for tasks that may take for ever, take all memory, or break the virtual machine. A thread would not
 * do: V8 ends the whole process, not the thread, when native code such as `String.prototype.match` or a growing `Map`
 * passes a thread's heap limit, and the limit does not cover memory outside of the heap.
 */
export class WorkerProcess {
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  tasksDone = 0;
  /** True once it has loaded what tasks need, by `warmUp`. */
  isLoaded = false;
  /** True once it was killed or has ended: it takes no further task. */
  isEnding = false;
  private readonly child: ChildProcess;
  private readonly ready: Promise<void>;
  private loweredPriority: Promise<void> | null = null;
  private settle: { resolve(outcome: TaskOutcome): void; reject(error: Error): void } | null = null;
  private killedFor: WorkerFailureReason | null = null;
  private stderr = '';

  constructor(options: WorkerProcessOptions) {
    this.child = startChild(options);
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-STDERR_TAIL_CHARS);
    });
    const ready = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    // Whoever runs a task awaits it; a process that nobody has given a task to may fail unseen.
    this.ready.catch(() => undefined);
    const onEnd = (why: string, signal: NodeJS.Signals | null) => {
      this.isEnding = true;
      ready.reject(new Error(`a worker process could not be started: ${why} ${this.stderr}`.trimEnd()));
      this.settle?.reject(this.failureOf(why, signal));
      this.settle = null;
      ended.resolve();
    };
    this.child.on('error', (error) => {
      this.kill();
      onEnd(error.message, null);
    });
    this.child.once('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`, signal));
    this.child.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') ready.resolve();
      else this.finish(message);
    });
  }

  /**
   * Runs one task within so much processor time, at a lower priority than the service's. Rejects with `WorkerFailure`
   * when that ends it.
   */
  async run(name: string, task: unknown, cpuMaxMs: number): Promise<TaskOutcome> {
    await this.started();
    // At its start it runs nothing but our own code: whoever waits for it on a busy machine waits a third of the time.
    await (this.loweredPriority ??= lowerProcessPriority(this.child.pid!));
    return this.perform(name, task, cpuMaxMs);
  }

  /** Waits until the process is ready and, with `name`, has run a task that reads nothing of others, at full priority. */
  async warmUp(name: string | null, cpuMaxMs: number): Promise<void> {
    await this.started();
    if (name !== null) await this.perform(name, undefined, cpuMaxMs);
    this.isLoaded = true;
  }

  private async started(): Promise<void> {
    const starting = setTimeout(() => this.kill(), START_TIMEOUT_MS);
    await this.ready.finally(() => clearTimeout(starting));
  }

  private perform(name: string, task: unknown, cpuMaxMs: number): Promise<TaskOutcome> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null)
      return Promise.reject(this.failureOf(signalCode ?? `exit code ${exitCode}`, signalCode));
    const { promise, resolve, reject } = Promise.withResolvers<TaskOutcome>();
    this.settle = { resolve, reject };
    const deadline = setTimeout(() => {
      this.killedFor = 'timed_out';
      this.kill();
    }, cpuMaxMs * CLOCK_PER_CPU);
    // What cannot be delivered to a process that is ending is reported by its exit.
    this.child.send({ name, task, cpuMaxMs } satisfies TaskMessage, () => undefined);
    return promise.finally(() => clearTimeout(deadline));
  }

  kill(): void {
    this.isEnding = true;
    this.child.kill('SIGKILL');
  }

  private finish(message: Exclude<WorkerMessage, { kind: 'ready' }>): void {
    const { settle } = this;
    this.settle = null;
    this.tasksDone += 1;
    if (settle === null) return;
    if (message.kind === 'done') settle.resolve({ result: message.result, rssBytes: message.rssBytes });
    else if (message.kind === 'failed') settle.reject(errorOf(message.error));
    else {
      // Whatever else it holds, another task would not have the memory that it should.
      this.kill();
      settle.reject(new WorkerFailure('out_of_memory', 'the task needs more memory than a worker process may have'));
    }
  }

  private failureOf(why: string, signal: NodeJS.Signals | null): WorkerFailure {
    const reason = this.killedFor ?? reasonOf(signal);
    return new WorkerFailure(reason, `the task ended its worker process: ${why}`);
  }
}

function reasonOf(signal: NodeJS.Signals | null): WorkerFailureReason {
  if (signal === 'SIGXCPU') return 'timed_out';
  return OUT_OF_MEMORY_SIGNALS.includes(signal) ? 'out_of_memory' : 'crashed';
}

function startChild(options: WorkerProcessOptions): ChildProcess {
  const { file, heapMaxMb, memoryMaxMb } = options;
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMaxMb}`,
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
    `--stack-size=${STACK_KB}`,
    // It reads its own sources, and may neither write a file nor start a program.
    '--permission',
    '--allow-fs-read=*',
    '--allow-worker',
    // Its share of the processors is one thread's: several that collect garbage would take those of others.
    '--single-threaded-gc',
    '--no-warnings',
    MAIN,
    file,
    String(memoryMaxMb),
  ];
  const dataMaxKb = (RESERVED_BY_NODE_MB + memoryMaxMb) * 1_024;
  // A limit that the system does not know, or that is lower already, leaves the guard thread to do it.
  const limit = `{ ulimit -c 0; ulimit -s 8192; ulimit -d ${dataMaxKb}; } 2>/dev/null`;
  const child = spawn('/bin/sh', ['-c', `${limit}; exec "$@"`, 'sh', ...node], {
    // A session of its own, which Linux schedules as a group.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    // None of the service's secrets; dates are read in the service's own time zone.
    env: { TZ: Intl.DateTimeFormat().resolvedOptions().timeZone },
  });
  return child;
}

function errorOf({ name, message, stack }: TaskError): Error {
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
