import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJournalEntry } from '@cairn/contracts';
import { createDatabase, FOUNDATION_MIGRATIONS } from '@cairn/postgres';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import { acceptLostDecisions, markRestored, readRestoreStatus } from '../src/restore/accept-lost.ts';

const MIGRATIONS = [FOUNDATION_MIGRATIONS, join(import.meta.dirname, '..', '..', 'keys', 'src', 'migrations')];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ service: 'keys', migrations: MIGRATIONS });
  // Where tenancy stands; nothing else of it is read.
  await run('CREATE SCHEMA tenancy');
  await run('CREATE TABLE tenancy.restore_state (LIKE keys.restore_state INCLUDING ALL)');
}, 60_000);
afterAll(() => database.close());

async function run<Row extends object>(statement: string): Promise<Row[]> {
  const admin = createDatabase({ url: database.superuserUrl, applicationName: 'spec', poolMax: 1 });
  try {
    return await admin.transaction((tx) => tx.query<Row>(statement));
  } finally {
    await admin.close();
  }
}

async function putKeys(tenantId: string, kind: 'live' | 'member', keyIds: readonly string[]): Promise<void> {
  await run(
    `INSERT INTO keys.api_keys (tenant_id, owner_tenant_id, key_id, name, prefix, sha256, kind, livemode, scopes,
                                app_permissions, ip_allowlist)
     SELECT '${tenantId}', '${tenantId}', key_id, 'n', 'p', sha256(key_id::bytea), '${kind}', true, '{}', '{}', '{}'
       FROM unnest('{${keyIds.join(',')}}'::text[]) AS key_id`,
  );
}

/** The credentials that the journal names as revoked. */
async function journaledIds(): Promise<string[]> {
  const rows = await run<{ payload: Buffer }>('SELECT payload FROM keys.outbox');
  return rows.flatMap(({ payload }) => {
    const { decision } = decodeJournalEntry(payload);
    return decision.case === 'credentialsRevoked' ? decision.value.credentialIds : [];
  });
}

describe('a database that was restored from before it recorded its server', () => {
  it('can be marked, and its losses can be accepted', async () => {
    await markRestored(database.superuserUrl);
    expect((await readRestoreStatus(database.superuserUrl)).map(({ status }) => status)).toEqual([
      'changed',
      'changed',
    ]);
    await run('TRUNCATE keys.restore_state, tenancy.restore_state');
    expect(await acceptLostDecisions(database.superuserUrl, { revokeAll: false })).toBe(0);
    expect((await readRestoreStatus(database.superuserUrl)).map(({ status }) => status)).toEqual([
      'accepted',
      'accepted',
    ]);
  });

  it('must be migrated before its state can be recorded, so that no command reports what it did not do', async () => {
    await run('ALTER TABLE keys.restore_state RENAME TO restore_state_later');
    await expect(markRestored(database.superuserUrl)).rejects.toThrow('cairn operator migrate');
    await expect(acceptLostDecisions(database.superuserUrl, { revokeAll: true })).rejects.toThrow(
      'cairn operator migrate',
    );
    expect((await readRestoreStatus(database.superuserUrl))[0]).toMatchObject({ status: 'never started' });
    await run('ALTER TABLE keys.restore_state_later RENAME TO restore_state');
  });
});

describe('revoking every credential', () => {
  it('removes members and voids invitations with them, so that people can be invited again', async () => {
    await putKeys('tnt_2', 'member', ['mbr_1']);
    await run(
      `INSERT INTO keys.members (tenant_id, member_id, email, role, invited_by)
       VALUES ('tnt_2', 'mbr_1', 'ann@example.com', 'owner', 'mbr_1')`,
    );
    await run(
      `INSERT INTO keys.member_invitations (tenant_id, invitation_id, email, role, invited_by, sha256, expires_at)
       VALUES ('tnt_2', 'inv_1', 'bob@example.com', 'viewer', 'mbr_1', sha256('i'), now() + interval '1 day')`,
    );
    expect(await acceptLostDecisions(database.superuserUrl, { revokeAll: true })).toBe(1);
    expect(
      await run(
        `SELECT removed_at IS NOT NULL AS removed, (SELECT revoked_at IS NOT NULL FROM keys.member_invitations) AS void
           FROM keys.members`,
      ),
    ).toEqual([{ removed: true, void: true }]);
    await run('TRUNCATE keys.outbox');
  });

  it('ends sessions and connected apps with their key, also where an older release lacks a table', async () => {
    await putKeys('tnt_3', 'live', ['key_s']);
    await run(
      `INSERT INTO keys.console_sessions (tenant_id, session_id, key_id, sha256, address, user_agent, idle_seconds,
                                          idle_expires_at, expires_at)
       VALUES ('tnt_3', 'ses_1', 'key_s', sha256('s'), '192.0.2.1', 'spec', 60, now() + interval '1 minute',
               now() + interval '1 day')`,
    );
    await run(
      `INSERT INTO keys.connected_apps (tenant_id, app_id, key_id, client_id, client_name, scopes, memory_id, space_id,
                                        resource, created_at, expires_at, ends_at)
       VALUES ('tnt_3', 'app_1', 'key_s', 'cli_1', 'n', '{}', 'mem_1', 'spc_1', 'r', now(),
               now() + interval '1 day', now() + interval '1 day')`,
    );
    await run('ALTER TABLE keys.connected_apps RENAME TO connected_apps_later');
    await run('ALTER TABLE keys.member_invitations RENAME TO member_invitations_later');
    expect(await acceptLostDecisions(database.superuserUrl, { revokeAll: true })).toBe(2);
    await run('ALTER TABLE keys.connected_apps_later RENAME TO connected_apps');
    await run('ALTER TABLE keys.member_invitations_later RENAME TO member_invitations');
    expect(await acceptLostDecisions(database.superuserUrl, { revokeAll: true })).toBe(1);
    expect((await journaledIds()).sort()).toEqual(['app_1', 'key_s', 'ses_1']);
    await run('TRUNCATE keys.outbox');
  });

  it('is written into the journal, so that a later restore does not make them valid again', async () => {
    await putKeys(
      'tnt_1',
      'live',
      Array.from({ length: 1_200 }, (_, n) => `key_${n}`),
    );
    expect(await acceptLostDecisions(database.superuserUrl, { revokeAll: true })).toBe(1_200);
    expect(new Set(await journaledIds()).size).toBe(1_200);
    const rows = await run<{ subject: string }>('SELECT subject FROM keys.outbox');
    expect(new Set(rows.map(({ subject }) => subject))).toEqual(new Set(['cairn.journal.keys.tnt_1']));
    expect(await acceptLostDecisions(database.superuserUrl, { revokeAll: true })).toBe(0);
  });
});
