import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import pg from 'pg';
import { FOUNDATION_MIGRATIONS, type Tx } from '../src/index.ts';

export const ALICE = 'tnt_alice';
export const BOB = 'tnt_bob';

const NOTES = `
CREATE TABLE notes (
  tenant_id text NOT NULL COLLATE "C",
  note_id   text PRIMARY KEY,
  body      text NOT NULL
);
SELECT isolate_by_tenant('notes');

-- A tenant table whose rows the background work reads across tenants.
CREATE TABLE jobs (
  tenant_id text NOT NULL COLLATE "C",
  job_id    text PRIMARY KEY
);
SELECT isolate_by_tenant('jobs');
SELECT let_worker_cross_tenants('jobs');
`;

/** A folder with one migration; goes when `remove` is called. */
export async function migrationFolder(
  files: Record<string, string>,
): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'cairn-migrations-'));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(path, name), sql);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A small service's schema: the foundation, a tenant table, and one that its worker may cross. */
export async function createNotesDatabase(serverUrl?: string): Promise<TestDatabase> {
  const folder = await migrationFolder({ '0001_notes.sql': NOTES });
  const database = await createTestDatabase({
    service: 'notes',
    migrations: [FOUNDATION_MIGRATIONS, folder.path],
    ...(serverUrl === undefined ? {} : { serverUrl }),
  });
  await folder.remove();
  return database;
}

export async function addNote(tx: Tx, tenantId: string, noteId: string): Promise<number> {
  return tx.execute('INSERT INTO notes (tenant_id, note_id, body) VALUES ($1, $2, $3)', [
    tenantId,
    noteId,
    `note ${noteId}`,
  ]);
}

export async function noteIds(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ note_id: string }>('SELECT note_id FROM notes ORDER BY note_id');
  return rows.map((row) => row.note_id);
}

/** Asks the server as its superuser, whom nothing hides anything from. */
export async function asSuperuser<Row extends object>(
  database: TestDatabase,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return asRole<Row>(database.superuserUrl, sql, values);
}

/** One statement over a connection of its own. */
export async function asRole<Row extends object>(url: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** The backend that runs this transaction, for a spec that ends it. */
export async function backendOf(tx: Tx): Promise<number> {
  const rows = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}

/** Ends a backend and waits until it is gone. */
export async function terminate(database: TestDatabase, pid: number): Promise<void> {
  await asSuperuser(database, 'SELECT pg_terminate_backend($1, 5000)', [pid]);
}
