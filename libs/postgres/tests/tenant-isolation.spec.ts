import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@cairn/testing';
import { createDatabase } from '../src/index.ts';
import { addNote, ALICE, asRole, asSuperuser, BOB, createNotesDatabase, noteIds } from './notes-schema.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createNotesDatabase();
  for (const [tenant, ids] of [
    [ALICE, ['a1', 'a2']],
    [BOB, ['b1']],
  ] as const) {
    for (const id of ids) {
      await database.app.withTenant(tenant, async (tx) => {
        await addNote(tx, tenant, id);
        await tx.execute('INSERT INTO jobs (tenant_id, job_id) VALUES ($1, $2)', [tenant, `job-${id}`]);
      });
    }
  }
});
afterAll(() => database.close());

describe('withTenant', () => {
  it('shows only the rows of its tenant to a query without a WHERE', async () => {
    expect(await database.app.withTenant(ALICE, noteIds)).toEqual(['a1', 'a2']);
    expect(await database.app.withTenant(BOB, noteIds)).toEqual(['b1']);
  });

  it('shows nothing of another tenant to a query that names it', async () => {
    const rows = await database.app.withTenant(ALICE, (tx) =>
      tx.query('SELECT * FROM notes WHERE tenant_id = $1', [BOB]),
    );
    expect(rows).toEqual([]);
  });

  it('changes and deletes only the rows of its tenant, also without a WHERE', async () => {
    const undo = new Error('undo');
    await expect(
      database.app.withTenant(ALICE, async (tx) => {
        expect(await tx.execute("UPDATE notes SET body = 'changed'")).toBe(2);
        expect(await tx.execute('DELETE FROM notes')).toBe(2);
        throw undo;
      }),
    ).rejects.toBe(undo);
    const kept = await asSuperuser(database, "SELECT note_id FROM notes.notes WHERE body LIKE 'note %' ORDER BY 1");
    expect(kept).toEqual([{ note_id: 'a1' }, { note_id: 'a2' }, { note_id: 'b1' }]);
  });

  it('refuses to insert a row for another tenant', async () => {
    await expect(database.app.withTenant(ALICE, (tx) => addNote(tx, BOB, 'x1'))).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('refuses to hand a row over to another tenant', async () => {
    const moved = database.app.withTenant(ALICE, (tx) => tx.execute('UPDATE notes SET tenant_id = $1', [BOB]));
    await expect(moved).rejects.toMatchObject({ code: '42501' });
  });

  it('gives nothing for an empty tenant', async () => {
    expect(await database.app.withTenant('', noteIds)).toEqual([]);
  });

  it('takes a tenant id as a value, never as SQL', async () => {
    expect(await database.app.withTenant("' OR true --", noteIds)).toEqual([]);
  });
});

describe('a transaction without a tenant', () => {
  it('sees no tenant rows and can make none', async () => {
    expect(await database.app.transaction(noteIds)).toEqual([]);
    await expect(database.app.transaction((tx) => addNote(tx, ALICE, 'x2'))).rejects.toMatchObject({ code: '42501' });
  });

  it('does not inherit the tenant of the transaction before it on the same connection', async () => {
    const one = createDatabase({ url: database.url, applicationName: 'one', poolMax: 1 });
    expect(await one.withTenant(ALICE, noteIds)).toHaveLength(2);
    expect(await one.transaction(noteIds)).toEqual([]);
    await expect(
      one.withTenant(ALICE, async () => {
        throw new Error('failed');
      }),
    ).rejects.toThrow('failed');
    expect(await one.transaction(noteIds)).toEqual([]);
    await one.close();
  });
});

describe('the roles of a service', () => {
  it('are no superusers, bypass no policy and make neither roles nor databases', async () => {
    const roles = await asSuperuser(
      database,
      `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication FROM pg_roles
        WHERE rolname IN ('notes_owner', 'notes_app', 'notes_worker') ORDER BY 1`,
    );
    const none = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
    };
    expect(roles).toEqual(['notes_app', 'notes_owner', 'notes_worker'].map((rolname) => ({ rolname, ...none })));
  });

  it.each([
    ['become the owner', 'SET ROLE notes_owner'],
    ['become the worker', 'SET ROLE notes_worker'],
    ['become the superuser', 'SET ROLE postgres'],
    ['change the session', 'SET SESSION AUTHORIZATION notes_worker'],
    ['disable row-level security', 'ALTER TABLE notes DISABLE ROW LEVEL SECURITY'],
    ['unforce row-level security', 'ALTER TABLE notes NO FORCE ROW LEVEL SECURITY'],
    ['drop the policy', 'DROP POLICY tenant_isolation ON notes'],
    ['add a policy', 'CREATE POLICY mine ON notes USING (true)'],
    [
      'replace the tenant function',
      `CREATE OR REPLACE FUNCTION current_tenant() RETURNS text LANGUAGE sql AS $$ SELECT 'tnt_bob' $$`,
    ],
    ['truncate a table', 'TRUNCATE notes'],
    ['make a table', 'CREATE TABLE notes.mine (x int)'],
    ['make a table in public', 'CREATE TABLE public.mine (x int)'],
    ['grant itself a role', 'GRANT notes_owner TO notes_app'],
    ['let itself bypass', 'ALTER ROLE notes_app BYPASSRLS'],
  ])('do not let the serving role %s', async (_what, sql) => {
    await expect(database.app.withTenant(ALICE, (tx) => tx.query(sql))).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:42501|42P01|3F000)$/),
    });
  });

  it('fail loudly when row_security is switched off, instead of showing everything', async () => {
    const read = database.app.withTenant(ALICE, async (tx) => {
      await tx.query('SET LOCAL row_security = off');
      return noteIds(tx);
    });
    await expect(read).rejects.toMatchObject({ code: '42501' });
  });

  it('bind the owner of the tables too', async () => {
    expect(await asRole(database.ownerUrl, 'SELECT * FROM notes')).toEqual([]);
  });
});

describe('the background role', () => {
  it('crosses tenants only on the tables that say so', async () => {
    const seen = await database.worker.transaction(async (tx) => ({
      jobs: (await tx.query('SELECT * FROM jobs')).length,
      notes: (await tx.query('SELECT * FROM notes')).length,
    }));
    expect(seen).toEqual({ jobs: 3, notes: 0 });
  });

  it('gives the serving role no way across, though a policy lets the worker', async () => {
    const jobs = await database.app.withTenant(BOB, (tx) => tx.query('SELECT job_id FROM jobs'));
    expect(jobs).toEqual([{ job_id: 'job-b1' }]);
  });
});

describe('a tenant with many slow transactions', () => {
  it('leaves connections of the pool to the others', async () => {
    const shared = createDatabase({ url: database.url, applicationName: 'shared', poolMax: 5 });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const slow = Array.from({ length: 20 }, () => shared.withTenant(ALICE, () => ended));
    await expect(shared.withTenant(BOB, noteIds)).resolves.toEqual(['b1']);
    end();
    await Promise.all(slow);
    await shared.close();
  });
});
