import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { deadlineIn, pollUntil } from './deadline.ts';
import { isSameProcess, processIdentity, signalProcess } from './process-identity.ts';
import { lastLogLines, logEnd, openServerLog } from './server-log.ts';

const EXIT_POLL_INTERVAL_MS = 15;
const ADOPTED_WATCH_INTERVAL_MS = 200;

export interface ServerExit {
  /** Null when a signal ended it, or when it was adopted and so is nobody's child that we could ask. */
  code: number | null;
  lastLines: string[];
}

/** A server that runs on its own: it survives us, and once let go it does not keep this process alive either. */
export interface ServerProcess {
  pid: number;
  exited: Promise<ServerExit>;
  isRunning(): Promise<boolean>;
  /** Hands it over to the caller; until then a server that we started keeps this process alive. */
  letGo(): void;
  /** Sends each signal in turn until the process has ended; harmless on one that has. */
  end(steps: readonly EndStep[]): Promise<void>;
}

export interface EndStep {
  signal: NodeJS.Signals;
  waitMs: number;
}

interface LaunchOptions {
  command: string;
  args: readonly string[];
  workingDirectory: string;
  logPath: string;
  /** Only for root, who can become someone else. */
  account?: { uid: number; gid: number } | undefined;
  environment: Record<string, string>;
}

/**
 * Starts a server in a session of its own, so that a terminal's Ctrl-C reaches only its parent, who then ends services
 * and servers in the right order. Rejects when the program cannot be executed.
 */
export async function launchServer(options: LaunchOptions): Promise<ServerProcess> {
  const log = await openServerLog(options.logPath);
  const from = await logEnd(options.logPath);
  let child: ChildProcess;
  let ended: Promise<number | null>;
  try {
    child = spawn(options.command, [...options.args], {
      cwd: options.workingDirectory,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: options.environment,
      ...options.account,
    });
    // A program may end before anything else is awaited, and Node reports it only once.
    ended = new Promise((resolve) => child.once('exit', resolve));
    await once(child, 'spawn');
  } finally {
    await log.close();
  }
  const pid = child.pid!;
  const identity = await processIdentity(pid);
  const exited = ended.then(async (code) => ({ code, lastLines: await lastLogLines(options.logPath, from) }));
  return {
    pid,
    exited,
    letGo: () => child.unref(),
    isRunning: async () => identity !== null && child.exitCode === null && child.signalCode === null,
    end: async (steps) => {
      child.ref();
      if (await endProcess(pid, identity, steps)) await exited;
      child.unref();
    },
  };
}

/** Takes over a server that an earlier process left running; null when it has ended meanwhile. */
export async function adoptServer(pid: number, logPath: string): Promise<ServerProcess | null> {
  const identity = await processIdentity(pid);
  if (identity === null) return null;
  const from = await logEnd(logPath);
  const gone = Promise.withResolvers<void>();
  let watch: NodeJS.Timeout | undefined;
  const exited = gone.promise.then(async (): Promise<ServerExit> => {
    clearInterval(watch);
    return { code: null, lastLines: await lastLogLines(logPath, from) };
  });
  const look = async () => {
    if (!(await isSameProcess(pid, identity))) gone.resolve();
  };
  return {
    pid,
    exited,
    letGo: () => {
      watch = setInterval(() => void look(), ADOPTED_WATCH_INTERVAL_MS).unref();
    },
    isRunning: () => isSameProcess(pid, identity),
    end: async (steps) => {
      if (await endProcess(pid, identity, steps)) gone.resolve();
    },
  };
}

/** True when the process has ended. */
async function endProcess(pid: number, identity: string | null, steps: readonly EndStep[]): Promise<boolean> {
  if (identity === null) return true;
  const gone = async () => !(await isSameProcess(pid, identity));
  for (const step of steps) {
    if (!(await signalProcess(pid, identity, step.signal))) return gone();
    if (await pollUntil(gone, deadlineIn(step.waitMs), EXIT_POLL_INTERVAL_MS)) return true;
  }
  return false;
}
