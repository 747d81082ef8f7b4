import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';

const NODES = ['one', 'two', 'three'] as const;
/** Small, and quick to start: most of a node's start is loading and checking classes. */
const FOR_SPECS = [
  '-Xms512m',
  '-Xmx512m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:+UnlockDiagnosticVMOptions',
  '-XX:-BytecodeVerificationRemote',
];
/** As a server has it: the optimising compiler, the collector that OpenSearch sets, and its index mapped into memory. */
const FOR_MEASURING = ['-Xms1g', '-Xmx1g', '-XX:+UseG1GC', '-Dcairn.mmap=true'];
/** On a busy machine a node loads its classes for a minute and more. */
const START_TIMEOUT_MS = 400_000;

/** A cluster of three nodes, each a process of its own. */
export interface OpenSearchCluster {
  /** host:port of each node. */
  hosts: string[];
  /** Asks a node by HTTP. */
  ask(path: string, node?: number, method?: 'GET' | 'DELETE'): Promise<unknown>;
  kill(node: number): Promise<void>;
  restart(node: number): Promise<void>;
  /** Resolves when all nodes are there and hold every copy of every shard. */
  whole(): Promise<void>;
  /** The node that leads the cluster. */
  leader(): Promise<number>;
  close(): Promise<void>;
}

/** Starts the nodes that `npm run test:opensearch` has installed; `classPath` is Java's. */
export async function startOpenSearchCluster(
  classPath: string,
  purpose: 'specs' | 'measuring' = 'specs',
): Promise<OpenSearchCluster> {
  const flags = purpose === 'specs' ? FOR_SPECS : FOR_MEASURING;
  const folder = await mkdtemp(join(tmpdir(), 'cairn-opensearch-'));
  const ports = await freePorts(NODES.length * 2);
  const hosts = NODES.map((_name, node) => `127.0.0.1:${ports[node]}`);
  const running: (ChildProcess | null)[] = NODES.map(() => null);
  const start = async (node: number) => {
    const home = join(folder, NODES[node]!);
    await mkdir(home, { recursive: true });
    const transport = ports.slice(NODES.length);
    const ordered = [transport[node], ...transport.filter((_port, other) => other !== node)];
    const wanted = [home, NODES[node]!, String(ports[node]), ordered.join(','), NODES.join(',')];
    const child = spawn('java', [...flags, '-cp', classPath, 'ClusterNode', ...wanted], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const log = createWriteStream(join(home, 'node.log'), { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    running[node] = child;
  };
  const kill = async (node: number) => {
    const child = running[node];
    if (child == null) return;
    running[node] = null;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const ask = async (path: string, node = running.findIndex((child) => child !== null), method = 'GET') =>
    (await fetch(`http://${hosts[node]}${path}`, { method })).json();
  const whole = async () => {
    const isWhole = (health: unknown) => {
      const { status, number_of_nodes: nodes } = health as { status: string; number_of_nodes: number };
      return status === 'green' && nodes === NODES.length;
    };
    await eventually(() => ask('/_cluster/health'), isWhole, START_TIMEOUT_MS);
  };
  await Promise.all(NODES.map((_name, node) => start(node)));
  await whole();
  return {
    hosts,
    ask,
    kill,
    restart: start,
    whole,
    async leader() {
      const [leading] = (await ask('/_cat/cluster_manager?format=json')) as { node: (typeof NODES)[number] }[];
      return NODES.indexOf(leading!.node);
    },
    async close() {
      await Promise.all(NODES.map((_name, node) => kill(node)));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
