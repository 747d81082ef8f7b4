import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sqlState } from './database.ts';
import { connectClient } from './server-hosts.ts';
import { requireSupportedServer, ServerTooOld } from './server-version.ts';

interface MigrateOptions {
  /** URL of the role that owns the schema; the only one that may change tables. */
  ownerUrl: string;
  /** Schema of the service; created by the operator (or by `cairn up`), with the three roles. */
  schema: string;
  /** Folders of `NNNN_name.sql` files, applied in the order given and by name within each. */
  directories: string[];
}

interface Migration {
  name: string;
  sql: string;
  sha256: string;
}

/**
 * Applies forward-only SQL migrations, each in a transaction of its own, under one lock per schema, so
 * that replicas may start together. One that has to wait for a lock gives way to those who wait behind it, and is tried
 * again for ten minutes. A file that was applied and then edited is an error: history is not
 * rewritten. Returns the names applied by this call. A server that is too old is refused before anything is changed.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(options.directories);
  const client = await connectClient(options.ownerUrl, { application_name: `${options.schema}:migrate` });
  try {
    await requireSupportedServer(client);
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`cairn:migrate:${options.schema}`]);
    await client.query(`SET search_path TO ${pg.escapeIdentifier(options.schema)}`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    await revokeRecordFromServing(client, options.schema);
    const applied = await client.query<{ name: string; sha256: string }>('SELECT name, sha256 FROM schema_migrations');
    const known = new Map(applied.rows.map((row) => [row.name, row.sha256]));
    const fresh: string[] = [];
    for (const migration of migrations) {
      const sha = known.get(migration.name);
      if (sha === undefined) {
        await apply(client, migration);
        fresh.push(migration.name);
      } else if (sha !== migration.sha256) {
        throw new Error(
          `migration ${options.schema}/${migration.name} was changed after it had been applied; add a new one instead`,
        );
      }
    }
    return fresh;
  } finally {
    await client.end();
  }
}

/** Default privileges gave the serving roles this table like any other; what was applied is the owner's alone to say. */
async function revokeRecordFromServing(client: pg.Client, schema: string): Promise<void> {
  const roles = await client.query<{ rolname: string }>('SELECT rolname FROM pg_roles WHERE rolname = ANY($1)', [
    [`${schema}_app`, `${schema}_worker`],
  ]);
  for (const { rolname } of roles.rows) {
    await client.query(`REVOKE INSERT, UPDATE, DELETE ON schema_migrations FROM ${pg.escapeIdentifier(rolname)}`);
  }
}

/** A table that is to be altered is closed to all who come while its readers are waited for. */
const LOCK_WAIT_MS = 2_000;
const LOCK_PAUSE_MS = 1_000;
const LOCK_TRIES_MS = 600_000;
const LOCK_NOT_AVAILABLE = '55P03';

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const deadline = performance.now() + LOCK_TRIES_MS;
  for (;;)
    try {
      return await tryToApply(client, migration);
    } catch (error) {
      const isLocked = sqlState((error as Error).cause) === LOCK_NOT_AVAILABLE;
      if (!isLocked || performance.now() > deadline) throw error;
      await sleep(LOCK_PAUSE_MS);
    }
}

async function tryToApply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
    await client.query(migration.sql);
    await client.query('INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)', [
      migration.name,
      migration.sha256,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new Error(`migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

interface RequireMigratedOptions {
  /** URL of a role that serves; it may read which migrations were applied, and cannot apply any. */
  url: string;
  schema: string;
  /** As for `migrate`. */
  directories: string[];
  /** How long to wait for whoever migrates. Default: 45 s. */
  waitMs?: number;
}

const MIGRATED_WAIT_MS = 45_000;
const MIGRATED_POLL_MS = 100;

/**
 * Resolves when all migrations have been applied. A serving process calls this instead of migrating, so that it never
 * holds the owner's credentials. It waits because the migrations may be running at this moment; migrations that it
 * does not know are those of a later version and are no obstacle.
 */
export async function requireMigrated(options: RequireMigratedOptions): Promise<void> {
  const needed = (await readMigrations(options.directories)).map((migration) => migration.name);
  const deadline = performance.now() + (options.waitMs ?? MIGRATED_WAIT_MS);
  for (;;) {
    const problem = await schemaProblem(options, needed);
    if (problem === null) return;
    if (problem instanceof ServerTooOld || performance.now() >= deadline) throw problem;
    await sleep(MIGRATED_POLL_MS);
  }
}

async function schemaProblem(options: RequireMigratedOptions, needed: string[]): Promise<Error | null> {
  let client: pg.Client | null = null;
  try {
    client = await connectClient(options.url, {
      application_name: `${options.schema}:version`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    await requireSupportedServer(client);
    const table = `${pg.escapeIdentifier(options.schema)}.schema_migrations`;
    const applied = await client.query<{ name: string }>(`SELECT name FROM ${table}`).catch(noneWhenUnmigrated);
    const known = new Set(applied.rows.map((row) => row.name));
    const missing = needed.filter((name) => !known.has(name));
    if (missing.length === 0) return null;
    return new Error(
      `the schema ${options.schema} lacks ${missing.length} migrations (${missing.join(', ')}); ` +
        'run this service once with the argument `migrate` and DATABASE_OWNER_URL',
    );
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await client?.end().catch(() => undefined);
  }
}

const UNDEFINED_TABLE = '42P01';
const CONNECT_TIMEOUT_MS = 5_000;

function noneWhenUnmigrated(error: unknown): { rows: { name: string }[] } {
  if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return { rows: [] };
  throw error;
}

async function readMigrations(directories: string[]): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const directory of directories) {
    const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
    for (const file of files) {
      const sql = await readFile(join(directory, file), 'utf8');
      if (migrations.some((migration) => migration.name === file)) throw new Error(`two migrations are called ${file}`);
      migrations.push({ name: file, sql, sha256: createHash('sha256').update(sql).digest('hex') });
    }
  }
  return migrations;
}
