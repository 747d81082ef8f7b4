import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { createDatabase, generateRolePasswords, migrate, provisionService, type Tx } from '@cairn/postgres';
import pg from 'pg';
import { MIGRATIONS } from '../../../../../apps/memory/src/runtime/migrate-schema.ts';

type Rows = Record<string, unknown>[];

/** A PostgreSQL with pgvector and the tables of the memory service. */
export interface VectorStore {
  /** As PostgreSQL says it. */
  version: string;
  inTenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** By the role of background work. */
  asWorker<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** As the owner of the tables. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** As the superuser, outside of transactions. */
  admin(sql: string): Promise<Rows>;
  close(): Promise<void>;
}

/** PGlite: PostgreSQL compiled to WebAssembly, in this process, for one caller. */
export async function openLite(): Promise<VectorStore> {
  const lite = await PGlite.create({ extensions: { vector } });
  await lite.exec(
    'CREATE SCHEMA memory; SET search_path TO memory; CREATE ROLE memory_app; CREATE ROLE memory_worker;',
  );
  for (const folder of MIGRATIONS)
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort())
      await lite.exec(await readFile(join(folder, file), 'utf8'));
  await lite.exec('SET search_path TO memory');
  const tx = txOver(lite);
  const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    await lite.exec('BEGIN');
    const result = await work(tx);
    await lite.exec('COMMIT');
    return result;
  };
  const admin = async (sql: string) => (await lite.query<Rows[number]>(sql)).rows;
  return {
    version: `${(await admin('SHOW server_version'))[0]!['server_version']}, compiled to WebAssembly (PGlite)`,
    inTenant: (_tenantId, work) => transaction(work),
    asWorker: transaction,
    transaction,
    admin,
    close: () => lite.close(),
  };
}

/** PGlite as the stores see a transaction. */
function txOver(lite: PGlite): Tx {
  const values = (of: unknown[] | undefined) =>
    of?.map((value) => (Buffer.isBuffer(value) ? new Uint8Array(value) : value));
  const run = async (text: string | { text: string; values?: unknown[] }, given?: unknown[]) => {
    const [sql, bound] = typeof text === 'string' ? [text, given] : [text.text, text.values];
    const result = await lite.query<Record<string, unknown>>(sql, values(bound));
    for (const row of result.rows)
      for (const [key, value] of Object.entries(row)) if (value instanceof Uint8Array) row[key] = Buffer.from(value);
    return result;
  };
  return {
    query: async (text, given) => (await run(text, given)).rows as never,
    execute: async (text, given) => (await run(text, given)).affectedRows ?? 0,
    run: () => Promise.reject(new Error('not used here')),
  };
}

/** A database of one's own on a server, by the roles of the memory service; deleted at the end. */
export async function openServer(superuserUrl: string): Promise<VectorStore> {
  const database = 'cairn_bench_vectors';
  const passwords = generateRolePasswords();
  const { roles } = await provisionService({
    superuserUrl,
    database,
    service: 'memory',
    passwords,
    replacePasswords: true,
  });
  await migrate({ ownerUrl: roles.ownerUrl, schema: 'memory', directories: MIGRATIONS });
  const url = new URL(superuserUrl);
  url.pathname = `/${database}`;
  url.searchParams.set('options', '-c search_path=memory,public');
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const app = createDatabase({ url: roles.url, applicationName: 'bench-vectors', poolMax: 2 });
  const worker = createDatabase({ url: roles.workerUrl, applicationName: 'bench-vectors', poolMax: 2 });
  const owner = createDatabase({
    url: roles.ownerUrl,
    applicationName: 'bench-vectors',
    poolMax: 2,
    statementTimeoutMs: 3_600_000,
  });
  const admin = async (sql: string) => (await client.query<Rows[number]>(sql)).rows;
  await admin('CREATE EXTENSION vector SCHEMA memory');
  const [versions] = await admin(
    `SELECT current_setting('server_version') AS server, extversion AS extension FROM pg_extension WHERE extname = 'vector'`,
  );
  return {
    version: `${versions!['server']}, pgvector ${versions!['extension']}`,
    inTenant: (tenantId, work) => app.withTenant(tenantId, work),
    asWorker: (work) => worker.transaction(work),
    transaction: (work) => owner.transaction(work),
    admin,
    async close() {
      await app.close();
      await worker.close();
      await owner.close();
      await client.end();
      const maintenance = new pg.Client({ connectionString: superuserUrl });
      await maintenance.connect();
      await maintenance.query(`DROP DATABASE ${database} WITH (FORCE)`);
      await maintenance.end();
    },
  };
}
