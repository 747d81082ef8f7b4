import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { ListenAddress, Logger, StartedService } from '@cairn/service-kit';
import type { Config } from './config.ts';

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 9_000;
const RESTART_AFTER_MS = 500;

interface ProcessesOptions {
  config: Config;
  /** main.ts. */
  entry: string;
  env: NodeJS.ProcessEnv;
  logger: Logger;
}

/**
 * Runs the gateway as several processes on one port, among which the kernel distributes connections (SO_REUSEPORT).
 * Each is a gateway of its own: with a lease, an address where keys reaches it, and a share of the limits. One that
 * exits is restarted.
 */
export async function startProcesses({ config, entry, env, logger }: ProcessesOptions): Promise<StartedService> {
  const address = await withPort(config.httpListen);
  let stopping = false;
  const children = new Set<ChildProcess>();

  const start = (index: number): Promise<void> => {
    const child = fork(entry, [], { env: { ...env, ...ownEnv(config, address, index) } });
    children.add(child);
    const ready = readiness(child);
    child.once('exit', (code, signal) => {
      children.delete(child);
      if (stopping) return;
      logger.error({ pid: child.pid, code, signal }, 'processes: a gateway process exited; restarting it in 500 ms');
      setTimeout(() => {
        if (!stopping)
          start(index).catch((error: unknown) =>
            logger.error({ err: error }, 'processes: restarting a gateway process failed'),
          );
      }, RESTART_AFTER_MS);
    });
    return ready;
  };
  const close = async () => {
    stopping = true;
    await Promise.all([...children].map(end));
  };
  try {
    await Promise.all(Array.from({ length: config.processes }, (_, index) => start(index)));
  } catch (error) {
    await close();
    throw error;
  }
  return { addresses: { http: `http://${hostOf(address)}:${address.port}` }, close };
}

/** What differs in a child: it is one process, shares the port, and receives invalidations at an address of its own. */
function ownEnv(config: Config, address: ListenAddress, index: number): NodeJS.ProcessEnv {
  const { grpcListen, gatewayAddress, metricsPort } = config;
  const grpcPort = grpcListen.port === 0 ? 0 : grpcListen.port + index;
  return {
    // That of the parent, if it has one; each child gets its own.
    NODE_CHANNEL_FD: undefined,
    CAIRN_GATEWAY_PROCESSES: '1',
    CAIRN_GATEWAY_SHARES_PORT: 'true',
    CAIRN_HTTP_LISTEN: `${hostOf(address)}:${address.port}`,
    CAIRN_GRPC_LISTEN: `${hostOf(grpcListen)}:${grpcPort}`,
    ...(metricsPort === undefined || metricsPort === 0 ? {} : { CAIRN_METRICS_PORT: String(metricsPort + index) }),
    ...(gatewayAddress === undefined ? {} : { CAIRN_GATEWAY_ADDRESS: plusPort(gatewayAddress, index) }),
  };
}

function hostOf({ host }: ListenAddress): string {
  return host.includes(':') ? `[${host}]` : host;
}

function plusPort(address: string, more: number): string {
  return address.replace(/:(\d+)$/, (_whole, port: string) => `:${Number(port) + more}`);
}

/** The same address, with a free port instead of 0. */
async function withPort(address: ListenAddress): Promise<ListenAddress> {
  if (address.port !== 0) return address;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, address.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { ...address, port };
}

function readiness(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const cut = setTimeout(() => reject(new Error('a process of the gateway was not ready in time')), READY_TIMEOUT_MS);
    child.once('exit', (code, signal) => {
      clearTimeout(cut);
      reject(new Error(`a process of the gateway ended before it was ready (${signal ?? code})`));
    });
    child.on('message', (message) => {
      if ((message as { type?: unknown }).type !== 'ready') return;
      clearTimeout(cut);
      resolve();
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const cut = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(cut);
}
