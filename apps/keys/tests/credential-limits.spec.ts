import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyKind, newId } from '@cairn/contracts';
import { type Identity } from '@cairn/identity';
import { testIdentity } from '@cairn/testing';
import pg from 'pg';
import { TOKENS_PER_CLIENT_MAX } from '../src/oauth/token-server.ts';
import { type RunningKeys, runKeys, tenantRef } from './keys-harness.ts';

const PLAN = { apiKeysMax: 6, oauthClientsMax: 3, suggestedPlan: 'business', upgradeUrl: 'https://cairn.test/plans' };
let keys: RunningKeys;
beforeAll(async () => {
  keys = await runKeys();
});
afterAll(() => keys.close());

/** A tenant whose plan allows six keys, of which its first is one, with a test tenant that may have two. */
async function smallTenant(): Promise<{ live: Identity; test: Identity }> {
  const [tenantId, testTenantId] = [newId('tenant'), newId('tenant')];
  const live = await keys.operator.mintKey({
    tenant: { ...tenantRef(tenantId), ...PLAN },
    name: 'first',
    kind: KeyKind.LIVE,
  });
  const test = await keys.operator.mintKey({
    tenant: { ...tenantRef(testTenantId, tenantId), ...PLAN, apiKeysMax: 2 },
    name: 'first test',
    kind: KeyKind.TEST,
  });
  return {
    live: testIdentity({ tenantId, keyId: live.keyId }),
    test: testIdentity({ tenantId: testTenantId, keyId: test.keyId, kind: 'test', livemode: false }),
  };
}

const mint = (as: Identity, body: object = {}) => keys.call(as, 'POST', '/api/v1/api-keys', { name: 'x', ...body });
const revoke = (as: Identity, keyId: unknown) => keys.call(as, 'DELETE', `/api/v1/api-keys/${String(keyId)}`);
const rotate = (as: Identity, keyId: unknown, overlap_seconds = 3_600) =>
  keys.call(as, 'POST', `/api/v1/api-keys/${String(keyId)}/rotate`, { overlap_seconds });
const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status).sort();

describe('the keys of a plan', () => {
  it('are never more, however many are minted at the same time, also by several keys', async () => {
    const { live } = await smallTenant();
    const { body: second } = await mint(live);
    const other = { ...live, keyId: second['key_id'] as string };
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => mint(n % 2 === 0 ? live : other)));
    expect(statuses(responses)).toEqual([...Array(4).fill(201), ...Array(16).fill(402)]);
    expect(responses.find(({ status }) => status === 402)!.body).toMatchObject({
      code: 'plan_limit_reached',
      upgrade: {
        resource: 'api_keys',
        limit: 6,
        current: 6,
        plan: 'team',
        suggested_plan: 'business',
        upgrade_url: 'https://cairn.test/plans',
        note: expect.stringContaining('Credits'),
      },
    });
  });

  it('count what is valid: one that was revoked or has expired makes room, a child counts like its parent', async () => {
    const { live } = await smallTenant();
    const soon = new Date(Date.now() + 3_600_000);
    const minted = await Promise.all([
      mint(live),
      mint(live, { type: 'ephemeral' }),
      mint(live, { expires_at: soon.toISOString() }),
    ]);
    const child = { ...live, keyId: minted[0].body['key_id'] as string };
    await mint(child);
    await mint(child);
    expect((await mint(live)).status).toBe(402);
    await revoke(live, child.keyId);
    expect(statuses([await mint(live), await mint(live)])).toEqual([201, 402]);
    keys.setTime(new Date(soon.getTime() + 1));
    expect(statuses([await mint(live), await mint(live)])).toEqual([201, 402]);
    keys.setTime(null);
  });

  it('of the test environment are its own', async () => {
    const { live, test } = await smallTenant();
    expect((await mint(live, { type: 'test' })).status).toBe(201);
    expect((await mint(live, { type: 'test' })).body).toMatchObject({ upgrade: { limit: 2, current: 2 } });
    expect((await mint(test, { type: 'test' })).status).toBe(402);
    expect((await mint(live)).status).toBe(201);
  });

  it('can be rotated when the plan is full, but not into ever more keys that are valid at once', async () => {
    const { live } = await smallTenant();
    for (let n = 0; n < 5; n += 1) await mint(live);
    const first = await rotate(live, live.keyId);
    expect(first.status).toBe(201);
    // What it was replaced by is one of the six; a second replacement of the same key would be a seventh.
    expect((await rotate(live, live.keyId)).status).toBe(402);
    let current = first.body['key_id'];
    let good = 7;
    for (let response = await rotate(live, current); response.status === 201; response = await rotate(live, current)) {
      current = response.body['key_id'];
      good += 1;
    }
    expect(good).toBe(12);
    // Without an overlap there is never one more.
    expect((await rotate(live, current, 0)).status).toBe(201);
  });

  it('apply by default to a tenant whose plan is unknown', async () => {
    const tenantId = newId('tenant');
    const { keyId } = await keys.operator.mintKey({ tenant: tenantRef(tenantId), name: 'x', kind: KeyKind.LIVE });
    await keys.database.worker.transaction((tx) =>
      tx.execute(
        `INSERT INTO api_keys (tenant_id, owner_tenant_id, key_id, name, prefix, sha256, kind, livemode, scopes,
                               app_permissions, ip_allowlist)
         SELECT $1, $1, 'key_' || n || $1, 'x', 'x', sha256((n || $1)::bytea), 'live', true, '{}', '{}', '{}'
           FROM generate_series(1, 499) n`,
        [tenantId],
      ),
    );
    const refused = await mint(testIdentity({ tenantId, keyId }));
    expect(refused.body).toMatchObject({ code: 'plan_limit_reached', upgrade: { limit: 500, suggested_plan: null } });
  });
});

describe('the OAuth clients of a plan', () => {
  it('are never more, however many are made at the same time, and revoking one makes room', async () => {
    const { live } = await smallTenant();
    const make = () => keys.call(live, 'POST', '/api/v1/oauth-clients', { name: 'x', scopes: ['memories:read'] });
    const responses = await Promise.all(Array.from({ length: 10 }, make));
    expect(statuses(responses)).toEqual([...Array(3).fill(201), ...Array(7).fill(402)]);
    const made = responses.find(({ status }) => status === 201)!.body['client_id'];
    await keys.call(live, 'DELETE', `/api/v1/oauth-clients/${String(made)}`);
    expect(statuses([await make(), await make()])).toEqual([201, 402]);
  });
});

describe('the tokens of an OAuth client', () => {
  it('are at most a thousand that have not expired; beyond it the client is told when the first one ends', async () => {
    const { live } = await smallTenant();
    const { body } = await keys.call(live, 'POST', '/api/v1/oauth-clients', { name: 'x', scopes: ['memories:read'] });
    const clientId = String(body['client_id']);
    await keys.database.worker.transaction((tx) =>
      tx.execute(
        `INSERT INTO oauth_tokens (tenant_id, token_id, client_id, sha256, scopes, expires_at)
         SELECT $1, 'otk_' || n || $2, $2, sha256((n || $2)::bytea), '{}', now() + interval '30 minutes'
           FROM generate_series(1, $3) n`,
        [live.tenantId, clientId, TOKENS_PER_CLIENT_MAX - 1],
      ),
    );
    const ask = () =>
      keys.open('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: String(body['client_secret']),
        }),
      });
    const responses = await Promise.all([ask(), ask(), ask()]);
    expect(statuses(responses)).toEqual([200, 429, 429]);
    const refused = responses.find(({ status }) => status === 429)!;
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_700);
  });
});

describe('the rate of a key', () => {
  it.each([
    [{ requests_per_second: 5e-324, burst: 1 }],
    [{ requests_per_second: 0.009, burst: 1 }],
    [{ requests_per_second: 1_000_001, burst: 1 }],
    [{ requests_per_second: 1, burst: 0 }],
    [{ requests_per_second: 1, burst: 1_000_001 }],
  ])('%j is refused when it is asked for, and by the database', async (rate_limit) => {
    const { live } = await smallTenant();
    expect((await mint(live, { rate_limit })).body).toMatchObject({ code: 'validation_failed' });
    const patched = await keys.call(live, 'PATCH', `/api/v1/api-keys/${live.keyId}`, { rate_limit });
    expect(patched.body).toMatchObject({ code: 'validation_failed' });
    const stored = keys.database.worker.transaction((tx) =>
      tx.execute('UPDATE api_keys SET requests_per_second = $2, burst = $3 WHERE key_id = $1', [
        live.keyId,
        rate_limit.requests_per_second,
        rate_limit.burst,
      ]),
    );
    await expect(stored).rejects.toThrow(/api_keys_rate_bounds/);
  });

  it('that was stored before there were bounds is brought within them, and its use is counted', async () => {
    const { live } = await smallTenant();
    const database = new pg.Client({ connectionString: keys.database.superuserUrl });
    await database.connect();
    await database.query('SET search_path = keys, public');
    await database.query('ALTER TABLE api_keys DROP CONSTRAINT api_keys_rate_bounds');
    await database.query('ALTER TABLE oauth_clients DROP CONSTRAINT oauth_clients_rate_bounds');
    await database.query('UPDATE api_keys SET requests_per_second = 5e-324, burst = 2000000000 WHERE key_id = $1', [
      live.keyId,
    ]);
    await database.query(await readFile(join(import.meta.dirname, '../src/migrations/0008_rate_bounds.sql'), 'utf8'));
    await database.end();
    const shown = () => keys.call(live, 'GET', `/api/v1/api-keys/${live.keyId}`);
    expect((await shown()).body['rate_limit']).toEqual({ requests_per_second: 0.01, burst: 1_000_000 });
    await keys.gateway.reportUsage({ gatewayId: 'gw', sequence: 1n, usage: [{ keyId: live.keyId, count: 3n }] });
    expect((await shown()).body['usage_count']).toBe(3);
  });
});
