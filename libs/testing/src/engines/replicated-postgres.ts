import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, findFreePort, startPostgres } from '@cairn/embedded';
import pg from 'pg';
import { eventually } from '../eventually.ts';
import { temporaryFolder } from '../machine/temporary-folder.ts';

export interface StreamingReplica {
  /** The URL of a role on the primary, leading to this replica. */
  urlOf(primaryUrl: string): string;
  /** Stops replaying what still arrives, so that the replica falls behind. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it with -9; `restart` starts it again at the same address. */
  kill9(): Promise<void>;
  restart(): Promise<void>;
  /** Makes it a primary of its own, on a new history. */
  promote(): Promise<void>;
}

export interface ReplicatedPostgres {
  superuserUrl: string;
  /** Of the primary. */
  pid: number;
  replicas: StreamingReplica[];
  /** Waits until every replica has replayed all that the primary has written by now. */
  caughtUp(): Promise<void>;
  remove(): Promise<void>;
}

const SETTINGS = { fsync: 'off', max_connections: '80', wal_keep_size: '256MB', shared_buffers: '32MB' };

/** A PostgreSQL server of one's own with streaming replicas, physical copies as `pg_basebackup` makes them. */
export async function startReplicatedPostgres(count: number): Promise<ReplicatedPostgres> {
  const folder = await temporaryFolder('cairn-replicated-');
  const port = await findFreePort();
  const dataDir = join(folder, 'primary');
  const start = () => startPostgres({ dataDir, port, settings: SETTINGS });
  // The copies are made while it is down.
  await (await start()).stop();
  const copies: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const copy = join(folder, `replica-${n}`);
    // With their owner: as root, PostgreSQL runs under another account.
    await promisify(execFile)('cp', ['-a', dataDir, copy]);
    copies.push(copy);
  }
  const primary = await start();
  const replicas = await Promise.all(copies.map((copy) => startReplica(copy, primary)));
  return {
    superuserUrl: primary.superuserUrl,
    pid: primary.pid,
    replicas,
    async caughtUp() {
      const [written] = await ask<{ lsn: string }>(
        primary.superuserUrl,
        'SELECT pg_current_wal_flush_lsn()::text AS lsn',
      );
      for (const replica of replicas)
        await eventually(async () => {
          const [state] = await ask<{ replayed: boolean }>(
            replica.urlOf(primary.superuserUrl),
            'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS replayed',
            [written!.lsn],
          );
          return state?.replayed === true;
        });
    },
    async remove() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await primary.stop('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startReplica(
  dataDir: string,
  primary: EmbeddedPostgres,
): Promise<StreamingReplica & { stop(): Promise<void> }> {
  await writeFile(join(dataDir, 'cluster', 'standby.signal'), '');
  const port = await findFreePort();
  const { hostname, port: primaryPort, username, password } = new URL(primary.superuserUrl);
  const primary_conninfo = `host=${hostname} port=${primaryPort} user=${username} password=${decodeURIComponent(password)}`;
  const start = () => startPostgres({ dataDir, port, settings: { ...SETTINGS, primary_conninfo } });
  let server = await start();
  const urlOf = (primaryUrl: string) => {
    const url = new URL(primaryUrl);
    url.port = String(port);
    return url.href;
  };
  const run = (sql: string) => ask(urlOf(primary.superuserUrl), sql);
  return {
    urlOf,
    pause: async () => void (await run('SELECT pg_wal_replay_pause()')),
    resume: async () => void (await run('SELECT pg_wal_replay_resume()')),
    async kill9() {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    async restart() {
      server = await start();
    },
    promote: async () => void (await run('SELECT pg_promote(true)')),
    stop: () => server.stop('immediate'),
  };
}

async function ask<Row extends object>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
