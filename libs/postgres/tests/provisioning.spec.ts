import { afterAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  bindPolicies,
  FOUNDATION_MIGRATIONS,
  generateRolePasswords,
  migrate,
  provisionService,
  removeDatabase,
  type RolePasswords,
  rolesWithOtherPasswords,
} from '../src/index.ts';
import { asRole } from './notes-schema.ts';

const SUPERUSER_URL = process.env['CAIRN_TEST_POSTGRES_URL']!;
const suffix = randomBytes(4).toString('hex');
const database = `provisioned_${suffix}`;
const service = `svc_${suffix}`;
const FIRST: RolePasswords = { owner: 'first-o', app: 'first-a', worker: 'first-w' };
const SECOND: RolePasswords = { owner: 'second-o', app: 'second-a', worker: 'second-w' };
const provision = async (passwords = FIRST) =>
  (await provisionService({ superuserUrl: SUPERUSER_URL, database, service, passwords, replacePasswords: true })).roles;
const storedPasswords = () =>
  asRole(SUPERUSER_URL, 'SELECT rolname, rolpassword FROM pg_authid WHERE rolname LIKE $1 ORDER BY 1', [
    `${service}\\_%`,
  ]);

/** The superuser's URL of another database of the server. */
const on = (name: string) => {
  const url = new URL(SUPERUSER_URL);
  url.pathname = `/${name}`;
  return url.href;
};

afterAll(async () => {
  await asRole(SUPERUSER_URL, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  for (const kind of ['owner', 'app', 'worker']) await asRole(SUPERUSER_URL, `DROP ROLE IF EXISTS ${service}_${kind}`);
});

describe('provisionService', () => {
  it('gives four callers at once the same three roles on one database', async () => {
    const answers = await Promise.all([provision(), provision(), provision(), provision()]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    for (const url of Object.values(answers[0]!)) {
      const rows = await asRole(url, 'SELECT current_user AS role, current_schema() AS schema');
      expect(rows).toEqual([{ role: new URL(url).username, schema: service }]);
    }
  });

  it('prepares services side by side on one server', async () => {
    const names = ['x', 'y', 'z'].map((letter) => `${service}${letter}`);
    await Promise.all(
      names.map((name) => provisionService({ superuserUrl: SUPERUSER_URL, database, service: name, passwords: FIRST })),
    );
    const url = new URL(SUPERUSER_URL);
    url.pathname = `/${database}`;
    const schemas = await asRole(url.href, 'SELECT nspname FROM pg_namespace WHERE nspname = ANY($1) ORDER BY 1', [
      names,
    ]);
    expect(schemas).toEqual(names.map((nspname) => ({ nspname })));
    await asRole(SUPERUSER_URL, `DROP DATABASE ${database} WITH (FORCE)`);
    for (const name of names) {
      for (const kind of ['owner', 'app', 'worker']) await asRole(SUPERUSER_URL, `DROP ROLE ${name}_${kind}`);
    }
  });

  it('brings the password up to date and shuts the old one out', async () => {
    const before = await provision(FIRST);
    const after = await provision(SECOND);
    await expect(asRole(before.url, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    expect(await asRole(after.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('lets no role log in with the password of another, so that serving is not owning', async () => {
    const passwords = generateRolePasswords();
    const roles = await provision(passwords);
    for (const role of ['owner', 'app', 'worker'] as const) {
      for (const other of ['owner', 'app', 'worker'] as const) {
        const url = new URL(roles.url);
        url.username = `${service}_${role}`;
        url.password = passwords[other];
        const login = asRole(url.href, 'SELECT 1 AS one');
        if (role === other) expect(await login).toEqual([{ one: 1 }]);
        else await expect(login).rejects.toMatchObject({ code: '28P01' });
      }
    }
  });

  it('quotes what it is given', async () => {
    const roles = await provision({ ...FIRST, worker: `it's a "pass" word` });
    expect(await asRole(roles.workerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('sends the server no password, only what the server stores of one', async () => {
    await provision(FIRST);
    const before = await storedPasswords();
    expect(before).toHaveLength(3);
    for (const row of before) expect(JSON.stringify(row)).toMatch(/"rolpassword":"SCRAM-SHA-256\$4096:/);
    await provision(FIRST);
    // A new verifier would have another salt: nothing was set again.
    expect(await storedPasswords()).toEqual(before);
    await expect(provision({ ...FIRST, app: 'pässword' })).rejects.toThrow('printable ASCII');
  });

  it('refuses roles with other passwords, and leaves them as they were', async () => {
    const mine = await provision(FIRST);
    const others = { superuserUrl: SUPERUSER_URL, service, passwords: { ...FIRST, app: 'other-a', worker: 'other-w' } };
    const names = [`${service}_app`, `${service}_worker`];
    await expect(provisionService({ ...others, database: `${database}_other` })).rejects.toThrow(names.join(', '));
    expect(await rolesWithOtherPasswords(others)).toEqual(names);
    expect(await asRole(mine.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const made = await asRole(SUPERUSER_URL, 'SELECT 1 FROM pg_database WHERE datname = $1', [`${database}_other`]);
    expect(made).toEqual([]);
  });

  it('tells by logging in whose a role is, where it may not see what the server stores', async () => {
    await provision(FIRST);
    const admin = `${service}_dba`;
    await asRole(SUPERUSER_URL, `CREATE ROLE ${admin} LOGIN CREATEROLE CREATEDB PASSWORD 'dba'`);
    try {
      const url = new URL(SUPERUSER_URL);
      url.username = admin;
      url.password = 'dba';
      const asAdmin = { superuserUrl: url.href, service };
      expect(await rolesWithOtherPasswords({ ...asAdmin, passwords: FIRST })).toEqual([]);
      expect(await rolesWithOtherPasswords({ ...asAdmin, passwords: { ...FIRST, app: 'other' } })).toEqual([
        `${service}_app`,
      ]);
    } finally {
      await asRole(SUPERUSER_URL, `DROP ROLE ${admin}`);
    }
  });

  it('passes on how the server is reached, and nothing of the administrator’s own login', async () => {
    const url = new URL(SUPERUSER_URL);
    const { username, password } = url;
    url.username = '';
    url.password = '';
    url.search = new URLSearchParams({
      user: username,
      password: decodeURIComponent(password),
      sslmode: 'disable',
    }).toString();
    const { roles } = await provisionService({
      superuserUrl: url.href,
      database,
      service,
      passwords: FIRST,
      replacePasswords: true,
    });
    for (const each of [roles.url, roles.workerUrl, roles.ownerUrl]) {
      expect(new URL(each).search).toBe('?sslmode=disable');
      const [row] = await asRole(each, 'SELECT current_user AS role');
      expect(row).toEqual({ role: new URL(each).username });
    }
  });

  it('leaves the schema “public” of a database that it did not create, and says so', async () => {
    const open = (name: string) =>
      asRole(on(name), "SELECT has_schema_privilege('public', 'public', 'USAGE') AS usage");
    await provision();
    expect(await open(database)).toEqual([{ usage: false }]);
    const theirs = `${database}_theirs`;
    await asRole(SUPERUSER_URL, `CREATE DATABASE ${theirs}`);
    try {
      const given = {
        superuserUrl: SUPERUSER_URL,
        database: theirs,
        service,
        passwords: FIRST,
        replacePasswords: true,
      };
      expect((await provisionService(given)).publicSchemaOpen).toBe(true);
      expect(await open(theirs)).toEqual([{ usage: true }]);
      await asRole(on(theirs), 'REVOKE ALL ON SCHEMA public FROM PUBLIC');
      expect((await provisionService(given)).publicSchemaOpen).toBe(false);
    } finally {
      await asRole(SUPERUSER_URL, `DROP DATABASE ${theirs} WITH (FORCE)`);
    }
  });

  it('keeps one service’s roles out of another’s schema', async () => {
    const other = `${service}_other`;
    await provisionService({ superuserUrl: SUPERUSER_URL, database, service: other, passwords: FIRST });
    const mine = await provision();
    await asRole(mine.ownerUrl, 'CREATE TABLE IF NOT EXISTS secrets (x int)');
    const { roles: theirs } = await provisionService({
      superuserUrl: SUPERUSER_URL,
      database,
      service: other,
      passwords: FIRST,
    });
    for (const url of Object.values(theirs)) {
      await expect(asRole(url, `SELECT * FROM ${service}.secrets`)).rejects.toMatchObject({ code: '42501' });
    }
    await asRole(SUPERUSER_URL, `DROP DATABASE ${database} WITH (FORCE)`);
    for (const kind of ['owner', 'app', 'worker']) await asRole(SUPERUSER_URL, `DROP ROLE ${other}_${kind}`);
  });
});

describe('a role that may not log in', () => {
  it('is no other installation’s: it is made the service’s own', async () => {
    const named = `${service}_named`;
    // As a database with roles of its own leaves it, for the names of policies.
    await asRole(SUPERUSER_URL, `CREATE ROLE ${named}_worker NOLOGIN`);
    try {
      const { roles } = await provisionService({
        superuserUrl: SUPERUSER_URL,
        database: named,
        service: named,
        passwords: FIRST,
      });
      expect(await asRole(roles.workerUrl, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      await asRole(SUPERUSER_URL, `DROP DATABASE IF EXISTS ${named} WITH (FORCE)`);
      for (const kind of ['owner', 'app', 'worker'])
        await asRole(SUPERUSER_URL, `DROP ROLE IF EXISTS ${named}_${kind}`);
    }
  });
});

describe('a database of a service with roles of its own', () => {
  const own = { database: `own_${suffix}`, rolePrefix: `eng_${suffix}` };

  it('is migrated on a server that has none of the service’s roles, and keeps its serving role from the record of restores', async () => {
    const [alone, rolePrefix] = [`alone_${suffix}`, `eng_alone_${suffix}`];
    const target = { superuserUrl: SUPERUSER_URL, database: alone, rolePrefix };
    try {
      const { roles } = await provisionService({ ...target, service: alone, passwords: FIRST });
      await migrate({ ownerUrl: roles.ownerUrl, schema: alone, directories: [FOUNDATION_MIGRATIONS] });
      await bindPolicies({ ownerUrl: roles.ownerUrl, service: alone, rolePrefix });
      await expect(asRole(roles.url, 'SELECT FROM restore_state')).rejects.toMatchObject({ code: '42501' });
      expect(await asRole(roles.workerUrl, 'SELECT FROM restore_state')).toEqual([]);
    } finally {
      await removeDatabase(target);
      for (const kind of ['app', 'worker']) await asRole(SUPERUSER_URL, `DROP ROLE IF EXISTS ${alone}_${kind}`);
    }
  });

  it('has policies for its own background role, admits nobody else, and leaves nothing when it is removed', async () => {
    const others = await provision();
    const { roles } = await provisionService({ superuserUrl: SUPERUSER_URL, service, passwords: SECOND, ...own });
    await migrate({ ownerUrl: roles.ownerUrl, schema: service, directories: [FOUNDATION_MIGRATIONS] });
    const insert = "INSERT INTO outbox (tenant_id, event_id, subject, payload) VALUES ('tnt_1', 'evt_1', 's', '')";
    await expect(asRole(roles.workerUrl, insert)).rejects.toMatchObject({ code: '42501' });
    // Twice, as after each start.
    for (let n = 0; n < 2; n += 1)
      await bindPolicies({ ownerUrl: roles.ownerUrl, service, rolePrefix: own.rolePrefix });
    await asRole(roles.workerUrl, insert);
    expect(await asRole(roles.workerUrl, 'SELECT tenant_id FROM outbox')).toEqual([{ tenant_id: 'tnt_1' }]);
    expect(await asRole(roles.url, 'SELECT tenant_id FROM outbox')).toEqual([]);
    for (const url of [roles.url, roles.workerUrl])
      await expect(asRole(url, 'DELETE FROM schema_migrations')).rejects.toMatchObject({ code: '42501' });
    for (const from of Object.values(others)) {
      const attempt = new URL(from);
      attempt.pathname = `/${own.database}`;
      await expect(asRole(attempt.href, 'SELECT 1')).rejects.toMatchObject({ code: '42501' });
    }
    for (let n = 0; n < 2; n += 1) await removeDatabase({ superuserUrl: SUPERUSER_URL, ...own });
    const left = await asRole(SUPERUSER_URL, 'SELECT 1 FROM pg_roles WHERE starts_with(rolname, $1)', [own.rolePrefix]);
    expect(left).toEqual([]);
  });
});
