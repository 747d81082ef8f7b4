import type { ChildProcess } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Host, type Network, CLIENT_ADDRESS, sh } from './hosts.ts';

export const SERVICE_NAMES = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage', 'gateway'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Ports of a service's replicas; on loopback of every host, HAProxy leads to those that are ready. */
export const httpPort = (service: ServiceName): number => 8100 + SERVICE_NAMES.indexOf(service);
export const grpcPort = (service: ServiceName): number => 9100 + SERVICE_NAMES.indexOf(service);
/** Where the client listens for webhook deliveries; the hosts reach it on their own loopback. */
export const RECEIVER_PORT = 7000;
const DISK_MB = { postgres: 1_500, nats: 400 };
const POSTGRES_BIN = '/usr/lib/postgresql/17/bin';

/** A server that can be killed and started again. */
export interface Server {
  host: Host;
  kind: 'etcd' | 'postgres' | 'nats' | 'haproxy';
  start(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
  /** Ends it and everything that it started with -9. */
  kill(): Promise<void>;
}

/** A file system of its own for each server that must not share a full one, in a file of this size. */
export async function mountDisks(host: Host): Promise<void> {
  for (const [name, megabytes] of Object.entries(DISK_MB)) {
    const [image, folder] = [join(host.folder, `${name}.img`), join(host.folder, name)];
    await mkdir(folder, { recursive: true });
    await sh('truncate', '--size', `${megabytes}M`, image);
    await sh('mkfs.ext4', '-q', '-m', '0', image);
    await sh('mount', '-o', 'loop', image, folder);
  }
}

export function etcdServer(network: Network, host: Host): Server {
  const member = (each: Host) => `${each.name}=http://${each.address}:2380`;
  const command = [
    'etcd',
    `--name=${host.name}`,
    `--data-dir=${join(host.folderInRoot, 'etcd')}`,
    `--listen-client-urls=http://${host.address}:2379`,
    `--advertise-client-urls=http://${host.address}:2379`,
    `--listen-peer-urls=http://${host.address}:2380`,
    `--initial-advertise-peer-urls=http://${host.address}:2380`,
    `--initial-cluster=${network.hosts.map(member).join(',')}`,
    '--heartbeat-interval=250',
    '--election-timeout=2500',
    '--auto-compaction-mode=revision',
    '--auto-compaction-retention=1000',
  ];
  return server(network, host, 'etcd', command, 'root');
}

/** PostgreSQL under Patroni, which elects the primary and keeps one synchronous standby. */
export async function postgresServer(network: Network, host: Host, password: string): Promise<Server> {
  const user = (username: string) => ({ username, password });
  const settings = {
    scope: 'cairn',
    name: host.name,
    restapi: { listen: `${host.address}:8008`, connect_address: `${host.address}:8008` },
    etcd3: { hosts: network.hosts.map(({ address }) => `${address}:2379`) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 3,
        retry_timeout: 5,
        synchronous_mode: true,
        maximum_lag_on_failover: 1_048_576,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            shared_buffers: '96MB',
            max_connections: 300,
            max_wal_size: '256MB',
            wal_keep_size: '128MB',
            // Commits wait for a synchronous standby that cannot be heard until it is given up.
            wal_sender_timeout: '6s',
            wal_receiver_timeout: '6s',
            tcp_keepalives_idle: 5,
            tcp_keepalives_interval: 2,
            tcp_keepalives_count: 3,
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${host.address}:5432`,
      connect_address: `${host.address}:5432`,
      data_dir: join(host.folderInRoot, 'postgres', 'data'),
      bin_dir: POSTGRES_BIN,
      pgpass: join(host.folderInRoot, 'postgres', 'pgpass'),
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewinder') },
      pg_hba: [
        'local all all trust',
        'host all all 10.77.0.0/24 scram-sha-256',
        'host replication all 10.77.0.0/24 scram-sha-256',
      ],
      parameters: { unix_socket_directories: join(host.folderInRoot, 'postgres') },
    },
  };
  // YAML contains JSON.
  const file = join(host.folder, 'patroni.yml');
  await writeFile(file, JSON.stringify(settings));
  await chmod(file, 0o600);
  const owned = [join(host.folderInRoot, 'postgres'), join(host.folderInRoot, 'patroni.yml')];
  await sh('chroot', network.root, 'chown', 'postgres:postgres', ...owned);
  const base = server(network, host, 'postgres', ['patroni', join(host.folderInRoot, 'patroni.yml')], 'postgres');
  return {
    ...base,
    async kill() {
      const pidFile = join(host.folder, 'postgres', 'data', 'postmaster.pid');
      const postmaster = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
      const children = postmaster > 0 ? await sh('ps', '-o', 'pid=', '--ppid', String(postmaster)).catch(() => '') : '';
      await base.kill();
      // All at once, as when the machine loses power.
      for (const pid of [postmaster, ...children.split('\n').map(Number)]) if (pid > 0) killHard(pid);
    },
  };
}

/** A member of the broker's cluster, with the users of the file that `operator provision` wrote. */
export async function natsServer(network: Network, host: Host, provisioned: string): Promise<Server> {
  const users = (await readFile(provisioned, 'utf8'))
    .replace(/^server_name:.*$/m, `server_name: "${host.name}"`)
    .replace(/^listen:.*$/m, `listen: "${host.address}:4222"`)
    .replace(/^ {2}store_dir:.*$/m, `  store_dir: "${join(host.folderInRoot, 'nats')}"`);
  const others = network.hosts.filter(({ name }) => name !== host.name);
  const routes = others.map(({ address }) => `"nats://${address}:6222"`).join(', ');
  const cluster = `cluster { name: "cairn", listen: "${host.address}:6222", routes: [${routes}] }\n`;
  await writeFile(join(host.folder, 'nats.conf'), users + cluster, { mode: 0o600 });
  return server(network, host, 'nats', ['nats-server', '--config', join(host.folderInRoot, 'nats.conf')], 'root');
}

/** What a host reaches on its own loopback: the primary of PostgreSQL, every service's ready replicas, the receiver. */
export async function haproxyServer(network: Network, host: Host, serving: Host[]): Promise<Server> {
  const listen = (name: string, port: number, check: string, servers: string[]) =>
    [`listen ${name}`, `  bind 127.0.0.1:${port}`, `  ${check}`, ...servers.map((each) => `  server ${each}`)].join(
      '\n',
    );
  const ready = 'option httpchk GET /readyz';
  const sections = [
    listen(
      'postgres',
      5432,
      'option httpchk OPTIONS /primary',
      network.hosts.map(({ name, address }) => `${name} ${address}:5432 check port 8008`),
    ),
    ...SERVICE_NAMES.flatMap((service) => {
      const replicas = (port: number) =>
        serving.map(({ name, address }) => `${name} ${address}:${port} check port ${httpPort(service)}`);
      return [
        listen(`${service}-http`, httpPort(service), ready, replicas(httpPort(service))),
        ...(service === 'gateway'
          ? []
          : [listen(`${service}-grpc`, grpcPort(service), ready, replicas(grpcPort(service)))]),
      ];
    }),
    `listen receiver\n  bind 127.0.0.1:${RECEIVER_PORT}\n  server client ${CLIENT_ADDRESS}:${RECEIVER_PORT}`,
  ];
  const defaults = [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    '  retries 2',
    '  option redispatch 1',
    '  http-check expect status 200',
    '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
  ];
  await writeFile(join(host.folder, 'haproxy.cfg'), `${[defaults.join('\n'), ...sections].join('\n')}\n`);
  return server(network, host, 'haproxy', ['haproxy', '-db', '-f', join(host.folderInRoot, 'haproxy.cfg')], 'root');
}

function server(network: Network, host: Host, kind: Server['kind'], command: string[], user: string): Server {
  let child: ChildProcess | null = null;
  const end = async (signal: NodeJS.Signals) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child!.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  return {
    host,
    kind,
    async start() {
      child = network.start(host, kind, command, { inRoot: { user } });
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
