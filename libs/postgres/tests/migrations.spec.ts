import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectSuperuser, createTestDatabase, eventually, type TestDatabase } from '@cairn/testing';
import { FOUNDATION_MIGRATIONS, migrate, requireMigrated } from '../src/index.ts';
import { asSuperuser, migrationFolder } from './notes-schema.ts';

const FOUNDATION = [
  '0000_foundation.sql',
  '0001_idempotency_memory.sql',
  '0002_published_events.sql',
  '0003_restore_state.sql',
  '0004_outbox_trace.sql',
  '0005_wal_origin.sql',
];

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof migrationFolder>>;

beforeEach(async () => {
  database = await createTestDatabase({ service: 'notes', migrations: [] });
  folder = await migrationFolder({
    '0001_notes.sql':
      "CREATE TABLE notes (tenant_id text NOT NULL, note_id text PRIMARY KEY); SELECT isolate_by_tenant('notes');",
    '0002_body.sql':
      "ALTER TABLE notes ADD COLUMN body text NOT NULL DEFAULT ''; CREATE INDEX notes_by_body ON notes (body);",
  });
});
afterEach(async () => {
  await folder.remove();
  await database.close();
});

const run = () =>
  migrate({ ownerUrl: database.ownerUrl, schema: 'notes', directories: [FOUNDATION_MIGRATIONS, folder.path] });

/** Everything the schema consists of, as text. */
async function catalog(): Promise<string[]> {
  const rows = await asSuperuser<{ line: string }>(
    database,
    `SELECT format('column %s.%s %s %s', table_name, column_name, data_type, column_default) AS line
       FROM information_schema.columns WHERE table_schema = 'notes'
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'notes'
     UNION ALL SELECT format('policy %s', p) FROM pg_policies p WHERE schemaname = 'notes'
     UNION ALL SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'notes'::regnamespace
     UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'notes'::regnamespace
     UNION ALL SELECT format('table %s %s', relname, relacl) FROM pg_class WHERE relnamespace = 'notes'::regnamespace
     UNION ALL SELECT format('applied %s %s', name, applied_at) FROM notes.schema_migrations
     ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}

describe('migrate', () => {
  it('applies each file once, in order; a second run changes nothing', async () => {
    expect(await run()).toEqual([...FOUNDATION, '0001_notes.sql', '0002_body.sql']);
    const first = await catalog();
    expect(await run()).toEqual([]);
    expect(await catalog()).toEqual(first);
  });

  it('applies only what was added since', async () => {
    await run();
    await writeFile(join(folder.path, '0003_more.sql'), 'CREATE TABLE more (x int);');
    expect(await run()).toEqual(['0003_more.sql']);
  });

  it('applies each file once when two start together', async () => {
    const [first, second] = await Promise.all([run(), run()]);
    expect([...first, ...second].sort()).toEqual([...FOUNDATION, '0001_notes.sql', '0002_body.sql'].sort());
  });

  it('refuses a file that was changed after it had been applied', async () => {
    await run();
    await writeFile(join(folder.path, '0002_body.sql'), 'ALTER TABLE notes ADD COLUMN text text;');
    await expect(run()).rejects.toThrow('notes/0002_body.sql was changed after it had been applied');
  });

  it('keeps nothing of a file that fails, says which, and applies it once it is right', async () => {
    await writeFile(join(folder.path, '0003_broken.sql'), 'CREATE TABLE half (x int); CREATE TABLE notes (x int);');
    await expect(run()).rejects.toThrow('migration 0003_broken.sql failed: relation "notes" already exists');
    expect(await asSuperuser(database, "SELECT to_regclass('notes.half') AS half")).toEqual([{ half: null }]);
    await writeFile(join(folder.path, '0003_broken.sql'), 'CREATE TABLE half (x int);');
    expect(await run()).toEqual(['0003_broken.sql']);
  });

  it('lets others read a table that it cannot alter yet, and alters it when it can', async () => {
    await run();
    await writeFile(join(folder.path, '0003_more.sql'), 'ALTER TABLE notes ADD COLUMN more int;');
    const reader = await connectSuperuser(database, 'notes');
    await reader.ask('BEGIN');
    await reader.ask('SELECT FROM notes');
    let isApplied = false;
    const applying = run().finally(() => {
      isApplied = true;
    });
    const read = () => asSuperuser(database, 'SELECT note_id FROM notes.notes');
    await eventually(
      () =>
        asSuperuser(
          database,
          `SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        ),
      (waiting) => waiting.length > 0,
    );
    // Waits behind the migration, until that gives way.
    expect(await read()).toEqual([]);
    expect(isApplied).toBe(false);
    await reader.ask('COMMIT');
    await reader.close();
    expect(await applying).toEqual(['0003_more.sql']);
  }, 30_000);

  it('refuses two files of one name', async () => {
    const other = await migrationFolder({ '0001_notes.sql': 'SELECT 1;' });
    const both = migrate({ ownerUrl: database.ownerUrl, schema: 'notes', directories: [folder.path, other.path] });
    await expect(both).rejects.toThrow('two migrations are called 0001_notes.sql');
    await rm(other.path, { recursive: true });
  });

  it('leaves its own record out of the reach of those who serve', async () => {
    await run();
    for (const role of [database.app, database.worker]) {
      await expect(role.transaction((tx) => tx.execute('DELETE FROM schema_migrations'))).rejects.toMatchObject({
        code: '42501',
      });
    }
  });
});

describe('a process that serves', () => {
  const directories = () => [FOUNDATION_MIGRATIONS, folder.path];
  const required = (waitMs: number) =>
    requireMigrated({ url: database.url, schema: 'notes', directories: directories(), waitMs });

  it('is refused by a schema that lacks migrations, and told which', async () => {
    await expect(required(0)).rejects.toThrow(/lacks 8 migrations \(.*, 0001_notes\.sql, 0002_body\.sql\)/);
  });

  it('waits for the process that migrates, and needs no more than the role that serves', async () => {
    let ready = false;
    const waiting = required(30_000).then(() => (ready = true));
    expect(ready).toBe(false);
    await run();
    await waiting;
  });

  it('is content with a schema that a later version has migrated further', async () => {
    await writeFile(join(folder.path, '0003_later.sql'), 'CREATE TABLE later (x int);');
    await run();
    await rm(join(folder.path, '0003_later.sql'));
    await required(0);
  });

  it('is told why when the database cannot be reached', async () => {
    const url = new URL(database.url);
    url.password = 'wrong';
    const refused = requireMigrated({ url: url.href, schema: 'notes', directories: directories(), waitMs: 0 });
    await expect(refused).rejects.toMatchObject({ code: '28P01' });
  });
});
