import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { EVENT_CONSUMERS } from '@cairn/contracts';
import { connectEventBus, EVENT_STREAM } from '@cairn/events';
import { createNetwork, DATA_IN_ROOT, type Host, type Network, sh } from './hosts.ts';
import {
  etcdServer,
  haproxyServer,
  mountDisks,
  natsServer,
  postgresServer,
  type Server,
  SERVICE_NAMES,
} from './servers.ts';
import { addressesOnLoopback, BASE_URL, createReplica, type Replica } from './services.ts';

export interface ReplicatedCluster {
  network: Network;
  servers: Server[];
  replicas: Replica[];
  /** URLs of the gateways, which a client uses in turn. */
  gateways: string[];
  /** Of the database of a service that publishes model calls, by the addresses of its hosts. */
  outboxUrl: string;
  /** Runs `cairn … --json` and returns what it printed. */
  operator<T>(...args: string[]): Promise<T>;
  /** The host whose PostgreSQL accepts writes; null while there is none. */
  primary(): Promise<Host | null>;
  /** The host whose broker leads the consumer that webhooks are fed from; null while there is none. */
  leaderOfDeliveries(): Promise<string | null>;
  /** Resolves when everything is ready again: all replicas, a primary with two standbys, the broker's leaders. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

interface ClusterOptions {
  /** Below which the servers' programs are. */
  root: string;
  folder: string;
  bundles: string;
  replicas: number;
  say(line: string): void;
}

const HOSTS = 3;
const UP_TIMEOUT_MS = 90_000;
const BROKERS_MS = 15_000;
const ENVIRONMENT = {
  CAIRN_LOG_LEVEL: 'warn',
  CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
  CAIRN_REFUSED_REQUESTS_PER_SECOND: '100000',
  DATABASE_POOL_MAX: '6',
};

const OUTBOX_OF = 'research';

/** Starts everything in network namespaces. The process must be in namespaces of its own: all ends with it. */
export async function startCluster(options: ClusterOptions): Promise<ReplicatedCluster> {
  const { root, folder, replicas, say } = options;
  const began = performance.now();
  await mkdir(folder, { recursive: true });
  await sh('chmod', '755', folder);
  const network = await createNetwork(HOSTS, root, folder);
  const { hosts } = network;
  const password = randomBytes(18).toString('base64url');
  const servers = await startDatabase(network, password, hosts.slice(0, replicas));
  say(`etcd, PostgreSQL and HAProxy on ${HOSTS} hosts: ${secondsSince(began)} s.`);
  const { cairn, installation, eventsUrl, brokers } = await provisionCluster(network, options, password);
  servers.push(...brokers);
  say(`Database, schemas and streams with ${HOSTS} replicas: ${secondsSince(began)} s.`);
  const running = await startReplicas(network, { ...options, installation });
  say(`${running.length} processes of ${SERVICE_NAMES.length} services: ready after ${secondsSince(began)} s.`);
  const leaderOfDeliveries = () => leaderOf(eventsUrl);
  return {
    network,
    servers,
    replicas: running,
    gateways: running.filter(({ service }) => service === 'gateway').map(({ url }) => url),
    outboxUrl: await outboxUrlOf(installation, hosts),
    operator: async <T>(...args: string[]) => JSON.parse(await cairn(...args, '--json')) as T,
    primary: () => primaryOf(hosts),
    leaderOfDeliveries,
    async settled() {
      await until('every replica is ready', async () =>
        (await Promise.all(running.map(({ ready }) => ready()))).every(Boolean),
      );
      await wholeDatabase(hosts);
      await until('the broker has leaders', async () => (await leaderOfDeliveries()) !== null);
    },
    async stop() {
      await Promise.all(running.map((replica) => replica.stop()));
      await Promise.all(servers.map((server) => server.kill()));
    },
  };
}

async function startDatabase(network: Network, password: string, serving: Host[]): Promise<Server[]> {
  const { hosts, root, folder } = network;
  await Promise.all(hosts.map(mountDisks));
  await enterableRoot(root, folder);
  const servers: Server[] = hosts.map((host) => etcdServer(network, host));
  for (const host of hosts) servers.push(await postgresServer(network, host, password));
  for (const host of hosts) servers.push(await haproxyServer(network, host, serving));
  for (const server of servers) await server.start();
  await wholeDatabase(hosts);
  return servers;
}

function wholeDatabase(hosts: readonly Host[]): Promise<void> {
  return until(
    'PostgreSQL has a primary and two standbys',
    async () => (await primaryOf(hosts)) !== null && (await standbysOf(hosts)) === HOSTS - 1,
  );
}

/** Prepares database and broker as an operator does. */
async function provisionCluster(network: Network, { folder, bundles }: ClusterOptions, password: string) {
  const { hosts } = network;
  const installation = join(folder, 'installation');
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    CAIRN_DATABASE_ADMIN_URL: `postgres://postgres:${password}@127.0.0.1:5432/postgres`,
    ...addressesOnLoopback(),
    CAIRN_BASE_URL: BASE_URL,
  };
  const main = join(bundles, 'cairn', 'main.mjs');
  const cairn = (...args: string[]) => network.run(hosts[0]!, [process.execPath, main, ...args], environment);
  const natsUrl = hosts.map(({ address }) => `nats://${address}:4222`).join(',');
  await cairn('operator', 'provision', `--out=${installation}`, `--nats-url=${natsUrl}`);
  const brokers: Server[] = [];
  for (const host of hosts) brokers.push(await natsServer(network, host, join(installation, 'nats', 'nats.conf')));
  for (const broker of brokers) await broker.start();
  await cairn('operator', 'migrate', `--owners=${join(installation, 'migrations', 'owners.json')}`);
  const operator = parseEnv(await readFile(join(installation, 'operator', 'operator.env'), 'utf8'));
  Object.assign(environment, operator);
  await untilStreams(brokers, () => cairn('broker', 'prepare', `--replicas=${HOSTS}`));
  return { cairn, installation, eventsUrl: operator['CAIRN_NATS_ADMIN_URL']!, brokers };
}

async function startReplicas(network: Network, options: ClusterOptions & { installation: string }): Promise<Replica[]> {
  const running: Replica[] = [];
  for (const service of SERVICE_NAMES)
    for (const host of network.hosts.slice(0, options.replicas))
      running.push(await createReplica(network, host, service, options, ENVIRONMENT));
  await Promise.all(running.filter(({ service }) => service !== 'gateway').map((replica) => replica.start()));
  await Promise.all(running.filter(({ service }) => service === 'gateway').map((replica) => replica.start()));
  return running;
}

async function outboxUrlOf(installation: string, hosts: readonly Host[]): Promise<string> {
  const { DATABASE_URL: url = '' } = parseEnv(await readFile(join(installation, OUTBOX_OF, 'service.env'), 'utf8'));
  const addresses = hosts.map(({ address }) => `${address}:5432`).join(',');
  return url.replace(/(?<=@)[^/]+/, addresses);
}

/** Creates the streams once the members have found each other and elected a leader. */
async function untilStreams(brokers: readonly Server[], prepare: () => Promise<string>): Promise<void> {
  let giveUpAt = Date.now() + BROKERS_MS;
  await until('the streams are there', async () => {
    if (Date.now() > giveUpAt) {
      // A leader elected while the routes were still being made may never hear of the others ("no suitable peers").
      for (const broker of brokers) await broker.stop();
      for (const broker of brokers) await broker.start();
      giveUpAt = Date.now() + BROKERS_MS;
    }
    await prepare();
    return true;
  });
}

/** Puts what the servers need below their root; mounts of this process's own namespace. */
async function enterableRoot(root: string, folder: string): Promise<void> {
  if (root !== '/') {
    await sh('mount', '--bind', root, root);
    for (const name of ['dev', 'sys', 'proc']) await sh('mount', '--rbind', `/${name}`, join(root, name));
    await sh('mount', '-t', 'tmpfs', 'tmpfs', join(root, 'run'));
    await sh('mount', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', join(root, 'tmp'));
  }
  await sh('mount', '--rbind', folder, join(root, DATA_IN_ROOT));
}

async function leaderOf(natsUrl: string): Promise<string | null> {
  const bus = await connectEventBus({ natsUrl, name: 'cluster-look', eventsReplicas: HOSTS });
  try {
    const { cluster } = await bus.manager.consumers.info(EVENT_STREAM, EVENT_CONSUMERS.webhooks.durable);
    return cluster?.leader ?? null;
  } finally {
    await bus.close();
  }
}

interface PatroniMember {
  name: string;
  role: string;
  state: string;
}

async function membersOf(hosts: readonly Host[]): Promise<PatroniMember[]> {
  for (const { address } of hosts) {
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`http://${address}:8008/cluster`, { signal }).catch(() => null);
    if (answer?.ok === true) return ((await answer.json()) as { members: PatroniMember[] }).members;
  }
  return [];
}

async function primaryOf(hosts: readonly Host[]): Promise<Host | null> {
  for (const host of hosts) {
    const signal = AbortSignal.timeout(1_000);
    const answer = await fetch(`http://${host.address}:8008/primary`, { signal }).catch(() => null);
    if (answer?.ok === true) return host;
  }
  return null;
}

async function standbysOf(hosts: readonly Host[]): Promise<number> {
  return (await membersOf(hosts)).filter(({ state }) => state === 'streaming').length;
}

/** Waits until it holds; what it throws counts as no, and is named when the time is up. */
async function until(what: string, holds: () => Promise<boolean>, timeoutMs = UP_TIMEOUT_MS): Promise<void> {
  let last = '';
  for (const deadline = Date.now() + timeoutMs; ; await sleep(300)) {
    const held = await holds().catch((error: Error) => {
      last = `: ${error.message}`;
      return false;
    });
    if (held) return;
    if (Date.now() > deadline) throw new Error(`not so within ${timeoutMs / 1_000} s: ${what}${last}`);
  }
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1_000).toFixed(1);
}
