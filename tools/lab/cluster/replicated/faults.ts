import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ReplicatedCluster } from './cluster.ts';
import type { Server, ServiceName } from './servers.ts';

/** Something that goes wrong, and how long it lasts. */
export interface Fault {
  name: string;
  lastsMs: number;
  /** Longest pauses that are allowed, in milliseconds; none: no promise. */
  limits: { writesMs?: number; deliveriesMs?: number };
  /** Makes it so; what it returns repairs it. Resolves at once, except for restarts, which are over when it does. */
  begin(cluster: ReplicatedCluster): Promise<() => Promise<void>>;
}

const run = promisify(execFile);
const SECONDS = 1_000;
const WRITES_RESUME_MS = 25 * SECONDS;
const DELIVERIES_RESUME_MS = 12 * SECONDS;
const nothing = async () => undefined;

/** Everything, one after the other, in order: services first, then the broker, the database and etcd. */
const rollingRestart: Fault = {
  name: 'rolling restart of everything',
  lastsMs: 0,
  limits: { writesMs: WRITES_RESUME_MS },
  async begin(cluster) {
    for (const replica of cluster.replicas) {
      await replica.stop();
      await replica.start();
    }
    for (const kind of ['nats', 'etcd', 'postgres'] as const)
      for (const server of cluster.servers.filter((each) => each.kind === kind)) {
        await server.stop();
        await server.start();
        await cluster.settled();
      }
    return nothing;
  },
};

const primaryKilled: Fault = {
  name: 'primary of PostgreSQL killed with its Patroni',
  lastsMs: 35 * SECONDS,
  limits: { writesMs: WRITES_RESUME_MS },
  async begin(cluster) {
    const server = await primaryServer(cluster);
    await server.kill();
    return () => server.start();
  },
};

const natsLeaderKilled: Fault = {
  name: 'NATS member killed that leads the consumer of webhooks',
  lastsMs: 20 * SECONDS,
  limits: { deliveriesMs: DELIVERIES_RESUME_MS },
  async begin(cluster) {
    const name = (await cluster.leaderOfDeliveries()) ?? 'h1';
    const server = cluster.servers.find(({ kind, host }) => kind === 'nats' && host.name === name)!;
    await server.kill();
    return () => server.start();
  },
};

const natsMemberKilled = (number: number): Fault => ({
  name: `NATS member ${number} killed`,
  lastsMs: 15 * SECONDS,
  limits: { deliveriesMs: DELIVERIES_RESUME_MS },
  async begin(cluster) {
    const server = cluster.servers.filter(({ kind }) => kind === 'nats')[number - 1]!;
    await server.kill();
    return () => server.start();
  },
});

const partition = (a: number, b: number): Fault => ({
  name: `hosts ${a} and ${b} cannot hear each other`,
  lastsMs: 20 * SECONDS,
  limits: { writesMs: 2 * WRITES_RESUME_MS },
  async begin({ network }) {
    await network.partition(network.hosts[a - 1]!, network.hosts[b - 1]!);
    return () => network.heal();
  },
});

const slowNetwork: Fault = {
  name: '1 % loss and 30 ms delay between hosts',
  lastsMs: 30 * SECONDS,
  limits: { writesMs: WRITES_RESUME_MS, deliveriesMs: DELIVERIES_RESUME_MS },
  async begin({ network }) {
    await network.slow({ delayMs: 30, loss: 0.01 });
    return () => network.heal();
  },
};

const fullDisk = (what: 'postgres' | 'nats'): Fault => ({
  name: what === 'postgres' ? 'disk of the primary of PostgreSQL full' : 'disk of a NATS member full',
  lastsMs: 35 * SECONDS,
  limits: what === 'postgres' ? { writesMs: 2 * WRITES_RESUME_MS } : { deliveriesMs: 2 * DELIVERIES_RESUME_MS },
  async begin(cluster) {
    const server =
      what === 'postgres' ? await primaryServer(cluster) : cluster.servers.find(({ kind }) => kind === 'nats')!;
    const ballast = join(server.host.folder, what, 'ballast');
    // Ends with an error when the disk is full, which is what it is for.
    await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M']).catch(() => undefined);
    return async () => {
      await rm(ballast);
      // A server that ended for want of space is started again by whoever freed it.
      await server.stop();
      await server.start();
    };
  },
});

const serverDown = (kind: Server['kind'], name: string): Fault => ({
  name,
  lastsMs: 10 * SECONDS,
  limits: {},
  async begin(cluster) {
    const servers = cluster.servers.filter((server) => server.kind === kind);
    await Promise.all(servers.map((server) => server.kill()));
    return async () => {
      await Promise.all(servers.map((server) => server.start()));
    };
  },
});

const serviceDown = (service: ServiceName): Fault => ({
  name: `every replica of ${service} down`,
  lastsMs: 10 * SECONDS,
  limits: {},
  async begin(cluster) {
    const replicas = cluster.replicas.filter((replica) => replica.service === service);
    await Promise.all(replicas.map((replica) => replica.stop()));
    return async () => {
      await Promise.all(replicas.map((replica) => replica.start()));
    };
  },
});

const replicaKilled = (service: ServiceName): Fault => ({
  name: `one replica of ${service} killed with -9`,
  lastsMs: 10 * SECONDS,
  limits: { writesMs: DELIVERIES_RESUME_MS },
  async begin(cluster) {
    await cluster.replicas.find((replica) => replica.service === service)!.kill();
    return nothing;
  },
});

async function primaryServer(cluster: ReplicatedCluster): Promise<Server> {
  for (;;) {
    const host = await cluster.primary();
    if (host !== null) return cluster.servers.find((server) => server.kind === 'postgres' && server.host === host)!;
    await sleep(SECONDS);
  }
}

/** The scenarios of `npm run cluster -- --replicated`, by the names to ask for them with. */
export const SCENARIOS: Record<string, Fault[]> = {
  restart: [rollingRestart],
  nats: [natsLeaderKilled],
  primary: [primaryKilled],
  partition: [partition(1, 2), partition(1, 3), partition(2, 3)],
  slow: [slowNetwork],
  disk: [fullDisk('postgres'), fullDisk('nats')],
  down: [
    serverDown('nats', 'NATS as a whole down'),
    serviceDown('keys'),
    serviceDown('tenancy'),
    serviceDown('webhooks'),
    serviceDown('usage'),
    replicaKilled('research'),
    replicaKilled('memory'),
    replicaKilled('gateway'),
    serverDown('postgres', 'PostgreSQL as a whole down'),
  ],
};

/** What `npm run chaos -- cluster` draws from. */
export const RANDOM_FAULTS: Fault[] = [
  ...(['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage', 'gateway'] as const).map(replicaKilled),
  ...([1, 2, 3] as const).map(natsMemberKilled),
  primaryKilled,
  partition(1, 2),
  partition(1, 3),
  partition(2, 3),
  slowNetwork,
  fullDisk('nats'),
  serviceDown('usage'),
  serviceDown('webhooks'),
];
