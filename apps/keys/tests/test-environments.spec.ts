import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeyKind, newId } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { testIdentity } from '@cairn/testing';
import { makeTenant, resolve, type RunningKeys, runKeys, type Tenant, tenantRef } from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
});
afterAll(() => keys.close());

const create = (body: unknown, identity: Identity) => keys.call(identity, 'POST', '/api/v1/api-keys', body);
async function namesFor(identity: Identity): Promise<string[]> {
  const { body } = await keys.call(identity, 'GET', '/api/v1/api-keys');
  return (body['api_keys'] as { name: string }[]).map(({ name }) => name).sort();
}

describe('a test key', () => {
  it('made by a live key acts in the test tenant, with the test tenant’s limits', async () => {
    const { status, body } = await create({ name: 'made by live', type: 'test' }, tenant.live);
    expect([status, body['livemode']]).toEqual([201, false]);
    expect(await resolve(keys, body['api_key'] as string)).toMatchObject({
      tenantId: tenant.testTenantId,
      livemode: false,
      rateLimit: { requestsPerSecond: 5, burst: 10 },
    });
  });

  it('mints in the test tenant only: test and ephemeral keys, never a live one', async () => {
    for (const type of ['test', 'ephemeral']) {
      const { body } = await create({ name: `${type} made by test`, type }, tenant.test);
      expect(body).toMatchObject({ type, livemode: false });
      expect(await resolve(keys, body['api_key'] as string)).toMatchObject({ tenantId: tenant.testTenantId });
    }
    expect(await create({ name: 'x', type: 'live' }, tenant.test)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    });
    expect(await create({ name: 'x' }, tenant.test)).toMatchObject({ status: 403 });
  });

  it('sees the test tenant’s keys only; a live key administers both', async () => {
    const other = await makeTenant(keys);
    await create({ name: 'live child' }, other.live);
    await create({ name: 'test child', type: 'test' }, other.live);
    expect(await namesFor(other.test)).toEqual(['first test', 'test child']);
    expect(await namesFor(other.live)).toEqual(['first', 'first test', 'live child', 'test child']);
  });

  it('cannot read a live key by its id', async () => {
    const response = await keys.call(tenant.test, 'GET', `/api/v1/api-keys/${tenant.live.keyId}`);
    expect(response.status).toBe(404);
    expect((await keys.call(tenant.live, 'GET', `/api/v1/api-keys/${tenant.test.keyId}`)).status).toBe(200);
  });

  it('is not to be had before the test tenant is known, and says so', async () => {
    const tenantId = newId('tenant');
    const first = await keys.operator.mintKey({ tenant: tenantRef(tenantId), name: 'only', kind: KeyKind.LIVE });
    const early = testIdentity({ tenantId, keyId: first.keyId });
    expect(await create({ name: 'x', type: 'test' }, early)).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    });
  });
});

describe('the database', () => {
  const insert = (caller: string, tenantId: string, owner: string) =>
    keys.database.app.withTenant(caller, (tx) =>
      tx.execute(
        `INSERT INTO api_keys (tenant_id, owner_tenant_id, key_id, name, prefix, sha256, kind, livemode, scopes, app_permissions, ip_allowlist)
         SELECT $1, $2, $3::text, 'n', 'p', sha256(convert_to($3::text, 'UTF8')), 'live', true, '{}', '{}', '{}'`,
        [tenantId, owner, newId('key')],
      ),
    );

  it('takes from the serving role only keys of the tenant itself, of its test tenant, or of its live tenant’s', async () => {
    await expect(insert(tenant.tenantId, tenant.tenantId, tenant.tenantId)).resolves.toBe(1);
    await expect(insert(tenant.tenantId, tenant.testTenantId, tenant.tenantId)).resolves.toBe(1);
    await expect(insert(tenant.testTenantId, tenant.testTenantId, tenant.tenantId)).resolves.toBe(1);
  });

  it('refuses a key that acts in a foreign tenant, and one that a foreign tenant would administer', async () => {
    const victim = await makeTenant(keys);
    for (const [acts, owner] of [
      [victim.tenantId, tenant.tenantId],
      [victim.testTenantId, tenant.tenantId],
      [tenant.tenantId, victim.tenantId],
      [victim.tenantId, victim.tenantId],
    ] as const) {
      await expect(insert(tenant.tenantId, acts, owner)).rejects.toMatchObject({ code: '42501' });
    }
    // The test tenant is no way up into the live tenant.
    await expect(insert(tenant.testTenantId, tenant.tenantId, tenant.tenantId)).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('lets the serving role change nothing about tenants', async () => {
    const change = keys.database.app.withTenant(tenant.tenantId, (tx) =>
      tx.execute('UPDATE tenants SET requests_per_second = 1000000'),
    );
    await expect(change).resolves.toBe(0);
  });
});
