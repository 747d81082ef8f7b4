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
} from '../src/index.ts';
import { asRole } from './notes-schema.ts';

const SUPERUSER_URL = process.env['CAIRN_TEST_POSTGRES_URL']!;
const suffix = randomBytes(4).toString('hex');
const database = `provisioned_${suffix}`;
const service = `svc_${suffix}`;
const FIRST: RolePasswords = { owner: 'first-o', app: 'first-a', worker: 'first-w' };
const SECOND: RolePasswords = { owner: 'second-o', app: 'second-a', worker: 'second-w' };
const provision = (passwords = FIRST) =>
  provisionService({ superuserUrl: SUPERUSER_URL, database, service, passwords });

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

  it('keeps one service’s roles out of another’s schema', async () => {
    const other = `${service}_other`;
    await provisionService({ superuserUrl: SUPERUSER_URL, database, service: other, passwords: FIRST });
    const mine = await provision();
    await asRole(mine.ownerUrl, 'CREATE TABLE IF NOT EXISTS secrets (x int)');
    const theirs = await provisionService({ superuserUrl: SUPERUSER_URL, database, service: other, passwords: FIRST });
    for (const url of Object.values(theirs)) {
      await expect(asRole(url, `SELECT * FROM ${service}.secrets`)).rejects.toMatchObject({ code: '42501' });
    }
    await asRole(SUPERUSER_URL, `DROP DATABASE ${database} WITH (FORCE)`);
    for (const kind of ['owner', 'app', 'worker']) await asRole(SUPERUSER_URL, `DROP ROLE ${other}_${kind}`);
  });
});

describe('a database of a service with roles of its own', () => {
  const own = { database: `own_${suffix}`, rolePrefix: `eng_${suffix}` };

  it('has policies for its own background role, admits nobody else, and leaves nothing when it is removed', async () => {
    const others = await provision();
    const roles = await provisionService({ superuserUrl: SUPERUSER_URL, service, passwords: SECOND, ...own });
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
