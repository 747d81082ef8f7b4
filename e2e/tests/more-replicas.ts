import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { findFreePort } from '@cairn/embedded';
import { eventually, type Part, type SharedCairn } from '@cairn/testing';

const APPS = join(import.meta.dirname, '..', '..', 'apps');
const READY_MS = 120_000;

export interface Replica {
  http: string;
  grpc: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Another process of a service of the installation, on addresses of its own and otherwise configured alike. */
export async function startReplica(
  cairn: SharedCairn,
  service: Exclude<Part, 'postgres' | 'nats'>,
  changes: Record<string, string> = {},
): Promise<Replica> {
  // One that was just killed is being started again.
  const environment = await eventually(() => cairn.environmentOf(service), Boolean, READY_MS);
  const http = changes['CAIRN_HTTP_LISTEN'] ?? `${cairn.hostAddress}:${await findFreePort()}`;
  const grpc = changes['CAIRN_GRPC_LISTEN'] ?? `${cairn.hostAddress}:${await findFreePort()}`;
  const child = spawn(process.execPath, [join(APPS, service, 'src', 'main.ts')], {
    env: { ...environment, CAIRN_HTTP_LISTEN: http, CAIRN_GRPC_LISTEN: grpc, NODE_CHANNEL_FD: '', ...changes },
    stdio: 'ignore',
  });
  await eventually(() => fetch(`http://${http}/healthz`).then((answer) => answer.status < 500), Boolean, READY_MS);
  return {
    http: `http://${http}`,
    grpc,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
