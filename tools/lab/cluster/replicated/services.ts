import type { ChildProcess } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { type Host, type Network, CLIENT_ADDRESS } from './hosts.ts';
import { grpcPort, httpPort, SERVICE_NAMES, type ServiceName } from './servers.ts';

/** One process of a service. */
export interface Replica {
  service: ServiceName;
  host: Host;
  /** http://address:port, without passing HAProxy. */
  url: string;
  start(): Promise<void>;
  /** Ends it as an orchestrator does, with SIGTERM. */
  stop(): Promise<void>;
  /** Ends it with -9; it is started again, as whatever ends by itself. */
  kill(): Promise<void>;
  ready(): Promise<boolean>;
}

/** Folder that `operator provision` wrote, where its files say it is mounted. */
const MOUNTED_AT = '/run/cairn';
export const BASE_URL = `http://${CLIENT_ADDRESS}`;
const READY_TIMEOUT_MS = 90_000;
const PROBE_TIMEOUT_MS = 2_000;
const RESTART_MS = 1_000;

/** The addresses of all services on a host's own loopback. */
export function addressesOnLoopback(): Record<string, string> {
  return Object.fromEntries(
    SERVICE_NAMES.filter((service) => service !== 'gateway').flatMap((service) => [
      [`CAIRN_${service.toUpperCase()}_GRPC`, `127.0.0.1:${grpcPort(service)}`],
      [`CAIRN_${service.toUpperCase()}_HTTP`, `http://127.0.0.1:${httpPort(service)}`],
    ]),
  );
}

/** A replica from its bundle, with what was provisioned for its service. */
export async function createReplica(
  network: Network,
  host: Host,
  service: ServiceName,
  folders: { bundles: string; installation: string },
  environment: NodeJS.ProcessEnv,
): Promise<Replica> {
  const own = join(folders.installation, service);
  const provisioned = parseEnv((await readFile(join(own, 'service.env'), 'utf8')).replaceAll(MOUNTED_AT, own));
  const state = join(host.folder, `${service}-state`);
  await mkdir(state, { recursive: true });
  const env = {
    PATH: process.env['PATH'],
    ...addressesOnLoopback(),
    ...provisioned,
    CAIRN_BASE_URL: BASE_URL,
    CAIRN_HTTP_LISTEN: `${host.address}:${httpPort(service)}`,
    CAIRN_GRPC_LISTEN: `${host.address}:${grpcPort(service)}`,
    CAIRN_STATE_DIR: state,
    CAIRN_MEMORY_DOMAIN: 'localhost',
    ...environment,
  };
  const url = `http://${host.address}:${httpPort(service)}`;
  const main = join(folders.bundles, service, 'main.mjs');
  let child: ChildProcess | null = null;
  let wanted = false;
  const ready = async () => {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
    return fetch(`${url}/readyz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  const launch = () => {
    const process = network.start(host, service, [globalThis.process.execPath, main], { env, cwd: state });
    child = process;
    // As an orchestrator does with what ended by itself.
    process.once('exit', () => setTimeout(() => wanted && child === process && launch(), RESTART_MS));
  };
  const end = async (signal: NodeJS.Signals) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child!.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  return {
    service,
    host,
    url,
    ready,
    async start() {
      wanted = true;
      launch();
      for (const deadline = Date.now() + READY_TIMEOUT_MS; !(await ready()); await sleep(200))
        if (Date.now() > deadline)
          throw new Error(`${service} on ${host.name} was not ready in time: ${join(host.folder, service)}.log`);
    },
    async stop() {
      wanted = false;
      await end('SIGTERM');
    },
    kill: () => end('SIGKILL'),
  };
}
