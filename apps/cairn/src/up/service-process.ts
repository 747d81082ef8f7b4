import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { inRepository } from './in-repository.ts';
import { openServiceLog } from './service-log.ts';

interface ServiceProcessOptions {
  name: string;
  /** The service's main.ts. */
  entry: string;
  env: Record<string, string>;
  logFile: string;
  /** Called when the process ended without a request to stop and is restarted. */
  onRestart: (name: string, reason: string) => void;
  log: (line: string) => void;
}

export interface ServiceProcess {
  name: string;
  pid: () => number | undefined;
  /** Resolves when the service has said that it is ready, rejects when it ends before. */
  ready: Promise<void>;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 12_000;
/**
 * Threads that collect garbage beside the event loop, which waits for them: more than the other processors can run only
 * make it wait longer. V8's default is four.
 */
const COLLECTORS = Math.min(4, Math.max(1, availableParallelism() - 1));
const RESTART_DELAYS_MS = [200, 500, 1_000, 2_000, 5_000];

/** Runs a service as a child process, logging to its own file, and starts it again when it dies. */
export function runServiceProcess(options: ServiceProcessOptions): ServiceProcess {
  const log = openServiceLog(options.logFile, (error) =>
    options.log(`the log of ${options.name} cannot be written: ${error.message}`),
  );
  let child: ChildProcess | null = null;
  let stopping = false;
  let restarts = 0;
  const readiness = readinessOf(options);

  const start = () => {
    const started = fork(options.entry, [], {
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Its own process group: Ctrl-C reaches the parent alone, which stops the parts in order.
      detached: true,
      execArgv: [`--v8-pool-size=${COLLECTORS}`],
    });
    log.write(started.stdout!);
    log.write(started.stderr!);
    child = started;
    let wasReady = false;
    started.on('message', (message) => {
      if ((message as { type?: unknown }).type !== 'ready') return;
      wasReady = true;
      restarts = 0;
      readiness.resolve();
    });
    started.once('exit', (code, signal) => {
      if (stopping) return;
      const reason = signal ?? `exit code ${code}`;
      if (!wasReady && restarts >= RESTART_DELAYS_MS.length)
        readiness.reject(new Error(`${options.name} ended (${reason}); see ${options.logFile}`));
      const delay = RESTART_DELAYS_MS[Math.min(restarts, RESTART_DELAYS_MS.length - 1)]!;
      restarts += 1;
      options.onRestart(options.name, reason);
      setTimeout(() => {
        if (!stopping) start();
      }, delay);
    });
  };
  start();

  return {
    name: options.name,
    pid: () => child?.pid,
    ready: readiness.ready,
    async stop() {
      stopping = true;
      if (child !== null) await endProcess(child);
      await log.close();
    },
  };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const cut = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(cut);
}

/** A promise of being ready that is kept, broken, or runs out of time. */
function readinessOf(options: ServiceProcessOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error(`${options.name} was not ready in time; see ${options.logFile}`)),
    READY_TIMEOUT_MS,
  );
  const stopClock = () => clearTimeout(timer);
  // Whoever awaits it hears of a failure; nobody has to.
  promise.then(stopClock, stopClock);
  return { ready: promise, resolve, reject };
}

/** A file of one of the repository's services. */
export function serviceFile(name: string, file: 'migrate.ts' | 'config.ts'): string {
  return inRepository(`apps/${name}/src/${file}`);
}
