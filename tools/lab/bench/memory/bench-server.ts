import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type EmbeddedPostgres } from '@cairn/embedded';
import { FOUNDATION_MIGRATIONS, generateRolePasswords, migrate, provisionService } from '@cairn/postgres';
import pg from 'pg';

/**
 * What differs from `npm start`: more memory, as a server has that holds a million chunks. Both peers of a
 * comparison run with it, and it favours `ts_rank`, whose rows are larger than the index. Commits are durable.
 */
const BENCH_SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '120',
  shared_buffers: '2GB',
  effective_cache_size: '8GB',
  work_mem: '64MB',
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  random_page_cost: '1.1',
};

/** Connection strings of the memory service's roles, and of the superuser in the same database. */
export interface BenchUrls {
  url: string;
  workerUrl: string;
  superuserUrl: string;
}

export interface BenchServer {
  urls: BenchUrls;
  /** As PostgreSQL says it, for the page. */
  version: string;
  /** This process and PostgreSQL's first one: whose processor time is the bench's own. */
  roots: () => number[];
  /** Stops PostgreSQL and starts it again, so that its buffers are empty. The operating system's cache stays. */
  restart(): Promise<void>;
  /** Stops it and deletes its data, unless they are kept. */
  remove(): Promise<void>;
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const DATABASE = 'bench';
const MIGRATIONS = join(import.meta.dirname, '..', '..', '..', '..', 'apps', 'memory', 'src', 'migrations');

/**
 * A PostgreSQL of one's own, on a port that stays, with the memory service's tables. Its data are kept in a folder when
 * there is one, and found there by the next run.
 */
export async function startBenchServer(settings = BENCH_SETTINGS, kept?: string): Promise<BenchServer> {
  if (kept !== undefined) await mkdir(kept, { recursive: true });
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'cairn-bench-')));
  await chmod(folder, 0o755);
  const start = (port?: number) =>
    startPostgres({ dataDir: join(folder, 'postgres'), settings, ...(port === undefined ? {} : { port }) });
  let postgres: EmbeddedPostgres = await start();
  const { port } = postgres;
  const { roles } = await provisionService({
    superuserUrl: postgres.superuserUrl,
    database: DATABASE,
    service: 'memory',
    passwords: generateRolePasswords(),
    replacePasswords: true,
  });
  await migrate({ ownerUrl: roles.ownerUrl, schema: 'memory', directories: [FOUNDATION_MIGRATIONS, MIGRATIONS] });
  const superuserUrl = new URL(postgres.superuserUrl);
  superuserUrl.pathname = `/${DATABASE}`;
  superuserUrl.searchParams.set('options', '-c search_path=memory,public');
  const urls = { url: roles.url, workerUrl: roles.workerUrl, superuserUrl: superuserUrl.href };
  const version = await asSuperuser(urls, (admin) => rowsOf<{ server_version: string }>(admin, 'SHOW server_version'));
  let removal: Promise<void> | null = null;
  const removeAll = async () => {
    await postgres.stop(kept === undefined ? 'immediate' : 'fast');
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
    for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
  };
  // One removal, whoever asks.
  const remove = () => (removal ??= removeAll());
  // The server outlives its starter, unless it is told. What fails because it is gone must not end this process
  // before all is deleted.
  const onSignal = () => {
    for (const failure of ['unhandledRejection', 'uncaughtException']) process.on(failure, () => undefined);
    void remove().finally(() => process.exit(1));
  };
  for (const signal of ENDING_SIGNALS) process.once(signal, onSignal);
  return {
    urls,
    version: version[0]!.server_version,
    roots: () => [process.pid, postgres.pid],
    async restart() {
      await postgres.stop('fast');
      postgres = await start(port);
    },
    remove,
  };
}

/** Runs `work` as the superuser, over one connection that ends with it and outside of any transaction. */
export async function asSuperuser<T>(urls: BenchUrls, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: urls.superuserUrl, application_name: 'bench-admin' });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

export async function rowsOf<Row extends object>(
  admin: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await admin.query<Row>(text, [...values])).rows;
}
