import { type ChildProcess, fork } from 'node:child_process';
import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface ServiceProcessOptions {
  name: string;
  /** The service's main.ts. */
  entry: string;
  env: Record<string, string>;
  logFile: string;
  /** Told when the process ended without being asked to and is started again. */
  onRestart: (name: string, reason: string) => void;
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
const RESTART_DELAYS_MS = [200, 500, 1_000, 2_000, 5_000];
const LOG_MAX_BYTES = 20 * 1_048_576;

/** Runs a service as a child process, logging to its own file, and starts it again when it dies. */
export async function runServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  await rotate(options.logFile);
  let child: ChildProcess | null = null;
  let stopping = false;
  let restarts = 0;
  const readiness = readinessOf(options);

  const start = async () => {
    const log = await open(options.logFile, 'a', 0o600);
    const started = fork(options.entry, [], {
      env: options.env,
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
      // Its own process group: Ctrl-C reaches the parent alone, which stops the parts in order.
      detached: true,
      execArgv: [],
    });
    await log.close();
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
        if (!stopping) void start();
      }, delay);
    });
  };
  await start();

  return {
    name: options.name,
    pid: () => child?.pid,
    ready: readiness.ready,
    async stop() {
      stopping = true;
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => child?.once('exit', () => resolve()));
      child.kill('SIGTERM');
      const cut = setTimeout(() => child?.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(cut);
    },
  };
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

/** Keeps one generation of a log that grew too long. */
async function rotate(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_MAX_BYTES) await rename(logFile, `${logFile}.1`);
}

/** A file of one of the repository's services. */
export function serviceFile(name: string, file: 'main.ts' | 'migrate.ts'): string {
  return join(import.meta.dirname, '..', '..', '..', name, 'src', file);
}
