import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export interface ServiceProcess {
  /** Of the process that runs now. */
  pid(): number;
  grpcAddress(): string;
  httpUrl(): string;
  /** Ends it with SIGKILL and starts another; resolves when that is ready. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
}

const ENTRY = join(import.meta.dirname, '..', 'src', 'main.ts');

interface Ready {
  type?: string;
  http?: string;
  grpc?: string;
}

/** The usage service as a process of its own, as in production, with these variables. */
export async function startServiceProcess(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  let current = await start(env);
  const end = async (signal: NodeJS.Signals) => {
    const { child } = current;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  return {
    pid: () => current.child.pid!,
    grpcAddress: () => current.ready.grpc!,
    httpUrl: () => current.ready.http!,
    async killAndRestart() {
      await end('SIGKILL');
      current = await start(env);
    },
    stop: () => end('SIGTERM'),
  };
}

async function start(env: Readonly<Record<string, string>>): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = fork(ENTRY, [], {
    env: { CAIRN_LOG_LEVEL: 'warn', ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.on('message', (message: Ready) => {
      if (message.type === 'ready') resolve(message);
    });
    child.once('exit', (code, signal) => reject(new Error(`the usage service ended: ${signal ?? code}`)));
  });
  return { child, ready };
}
