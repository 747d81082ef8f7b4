import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually, listenOnLoopback, type Part, type RunningCairn } from '@cairn/testing';

const READY_MS = 180_000;

export interface ServiceProcess {
  http: string;
  grpc: string;
  /** Ends it with -9. */
  kill(): Promise<void>;
}

/** A process of a service from the code in `folder`, configured as that of the installation, on addresses of its own. */
export async function startServiceFrom(
  folder: string,
  cairn: RunningCairn,
  service: Part,
  changes: Record<string, string> = {},
): Promise<ServiceProcess> {
  const environment = await eventually(() => cairn.environmentOf(service), Boolean, READY_MS);
  const [http, grpc] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const own = { CAIRN_HTTP_LISTEN: http, CAIRN_GRPC_LISTEN: grpc, NODE_CHANNEL_FD: '' };
  const child = spawn(process.execPath, [join(folder, 'apps', service, 'src', 'main.ts')], {
    cwd: folder,
    env: { ...environment, ...own, ...changes },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const answers = () => {
    if (child.exitCode !== null) throw new Error(`${service} of ${folder} ended with ${child.exitCode}`);
    return fetch(`http://${http}/readyz`).then(({ ok }) => ok);
  };
  await eventually(answers, Boolean, READY_MS);
  return { http: `http://${http}`, grpc, kill: () => killed(child) };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

/** Runs `work` while the installation's own process of a service stands still. */
export async function whileSuspended<T>(cairn: RunningCairn, service: Part, work: () => Promise<T>): Promise<T> {
  const pids: number[] = [];
  for (const pid of await cairn.processes()) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(join('apps', service, 'src', 'main.ts'))) pids.push(Number(pid));
  }
  if (pids.length === 0) throw new Error(`${service} does not run`);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
