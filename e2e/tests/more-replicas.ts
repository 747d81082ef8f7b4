import { type ChildProcess, fork } from 'node:child_process';
import { findFreePort } from '@cairn/embedded';
import { eventually, type Part, type SharedCairn } from '@cairn/testing';

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
  // As `cairn up` starts them. A session of its own, too: Linux shares the processors among sessions, and a replica
  // would share one's part with the spec; the channel, by which it ends with the spec.
  const child = fork(await cairn.moduleOf(service), [], {
    env: { ...environment, CAIRN_HTTP_LISTEN: http, CAIRN_GRPC_LISTEN: grpc, NODE_CHANNEL_FD: undefined, ...changes },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
    execArgv: [],
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
