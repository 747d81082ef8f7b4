import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import pg from 'pg';
import { keyClient } from './changing-keys.ts';
import { makeTenant, resolve, type RunningKeys, runKeys, type Tenant } from './keys-harness.ts';
import { peopleOf } from './people.ts';

/** More than the service has connections of its background role, all of which endings could once take. */
const CONCURRENT_ENDINGS = 10;

let keys: RunningKeys;
let tenant: Tenant;
let admin: pg.Client;
beforeAll(async () => {
  keys = await runKeys();
});
beforeEach(async () => {
  tenant = await makeTenant(keys);
  admin = new pg.Client({ connectionString: keys.database.superuserUrl });
  await admin.connect();
});
afterEach(() => admin.end());
afterAll(() => keys.close());

const client = () => keyClient(keys, () => tenant);
const people = peopleOf(
  () => keys,
  () => tenant,
);
const revokeAll = (keyId: string, caller = tenant.live) =>
  keys.call(caller, 'DELETE', `/api/v1/api-keys/${keyId}?descendants=true`);

/** Holds a lock until the returned function is called. */
async function hold(sql: string, id: string): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: keys.database.superuserUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(sql, [id]);
  return () => holder.end();
}

async function whileLocked<T>(sql: string, id: string, work: () => Promise<T>): Promise<T> {
  const release = await hold(sql, id);
  return work().finally(release);
}

const LOCK_KEY = 'SELECT 1 FROM keys.api_keys WHERE key_id = $1 FOR UPDATE';
const LOCK_LINEAGES = "SELECT pg_advisory_xact_lock(hashtextextended('lineages' || chr(1) || $1, 0))";

/** Until at least so many connections of the service wait for a lock. */
function lockWaiters(count: number): Promise<unknown> {
  return eventually(async () => {
    const { rows } = await admin.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]!.waiting >= count;
  });
}

describe('many endings of one tenant at once', () => {
  it('leave connections to other tenants while they wait for a lock, and to what holds the lock', async () => {
    const other = await makeTenant(keys);
    const ending = await Promise.all(Array.from({ length: CONCURRENT_ENDINGS }, () => client().mint()));
    const [rotated, alsoRotated, restricted] = await Promise.all([client().mint(), client().mint(), client().mint()]);
    const { rotation, deletions } = await whileLocked(LOCK_KEY, rotated.keyId, async () => {
      const rotating = client().rotate(rotated.keyId);
      await lockWaiters(1);
      // These wait for the rotation, which holds the lineages of the tenant.
      const deleting = Promise.all(ending.map(({ keyId }) => revokeAll(keyId)));
      await lockWaiters(3);
      expect(await resolve(keys, other.liveKey)).toMatchObject({ keyId: other.live.keyId });
      return { rotation: rotating, deletions: deleting };
    });
    const others = await Promise.all([
      client().rotate(alsoRotated.keyId),
      client().change(restricted.keyId, { scopes: ['memory:search'] }),
    ]);
    const statuses = [await rotation, ...(await deletions), ...others].map(({ status }) => status);
    expect(statuses).toEqual([201, ...ending.map(() => 200), 201, 200]);
  });

  it('are refused with the time of the next attempt when a lock is held for too long', async () => {
    const key = await client().mint();
    const { memberId } = await people.join('viewer');
    const answers = await whileLocked(LOCK_LINEAGES, tenant.tenantId, () =>
      Promise.all([revokeAll(key.keyId), people.remove(memberId)]),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(await resolve(keys, key.plaintext)).toMatchObject({ keyId: key.keyId });
    expect((await revokeAll(key.keyId)).status).toBe(200);
    expect((await people.remove(memberId)).status).toBe(200);
  });
});

describe.each([
  ['a rotation', (keyId: string) => client().rotate(keyId), 201],
  ['a restriction', (keyId: string) => client().change(keyId, { scopes: ['memory:search'] }), 200],
] as const)('%s', (_name, change, done) => {
  it('holds no lock while it waits for a connection of the background role', async () => {
    const { keyId } = await client().mint();
    const releaseKey = await hold(LOCK_KEY, keyId);
    const changing = change(keyId);
    await lockWaiters(1);
    // The endings of these tenants hold four of the six connections until their locks are released.
    const others = await Promise.all([makeTenant(keys), makeTenant(keys)]);
    const releases = await Promise.all(others.map(({ tenantId }) => hold(LOCK_LINEAGES, tenantId)));
    const foreign = others.flatMap(({ live }) => [revokeAll(live.keyId, live), revokeAll(live.keyId, live)]);
    await lockWaiters(1 + foreign.length);
    // And those of this tenant the other two: they wait for the change.
    const endings = [revokeAll(keyId), revokeAll(keyId)];
    await lockWaiters(1 + foreign.length + endings.length);
    await releaseKey();
    const statuses = (await Promise.all([changing, ...endings])).map(({ status }) => status);
    await Promise.all(releases.map((release) => release()));
    await Promise.all(foreign);
    expect(statuses).toEqual([done, 200, 200]);
  });
});
