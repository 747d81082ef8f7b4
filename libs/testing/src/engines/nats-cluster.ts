import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort, findNatsServer } from '@cairn/embedded';
import { cacheFolder } from './test-engines.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';

export interface TestNatsCluster {
  /** All servers, separated by commas, as `NATS_URL` takes them. */
  url: string;
  /** Ends the server of that name with -9 and waits until it is gone. */
  kill9(serverName: string): Promise<void>;
  /** Stops all servers and deletes their data. */
  remove(): Promise<void>;
}

interface Server {
  name: string;
  port: number;
  routePort: number;
}

const SERVERS = ['n1', 'n2', 'n3'];

/** Three NATS servers that form a cluster; JetStream answers once they have elected a leader, after some seconds. */
export async function startTestNatsCluster(): Promise<TestNatsCluster> {
  const folder = await temporaryFolder('cairn-nats-cluster-');
  const { path } = await findNatsServer({
    natsServerPath: undefined,
    cacheDir: cacheFolder(),
    dataDir: folder,
    log: () => undefined,
  });
  const servers: Server[] = [];
  for (const name of SERVERS) servers.push({ name, port: await findFreePort(), routePort: await findFreePort() });
  const processes = new Map<string, ChildProcess>();
  for (const server of servers) {
    const dataDir = join(folder, server.name);
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'nats.conf'), configOf(server, servers, dataDir));
    processes.set(server.name, spawn(path, ['-c', join(dataDir, 'nats.conf')], { stdio: 'ignore' }));
  }
  const kill9 = async (serverName: string) => {
    const child = processes.get(serverName);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  return {
    url: `nats://cairn:cairn@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    kill9,
    async remove() {
      await Promise.all(SERVERS.map(kill9));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configOf({ name, port, routePort }: Server, servers: readonly Server[], dataDir: string): string {
  const routes = servers.map((server) => `"nats-route://127.0.0.1:${server.routePort}"`);
  return [
    `server_name: "${name}"`,
    `listen: "127.0.0.1:${port}"`,
    `log_file: ${JSON.stringify(join(dataDir, 'nats.log'))}`,
    'authorization { user: "cairn", password: "cairn" }',
    `jetstream { store_dir: ${JSON.stringify(dataDir)} }`,
    `cluster { name: "cairn-test", listen: "127.0.0.1:${routePort}", routes: [${routes.join(', ')}] }`,
    '',
  ].join('\n');
}
