import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { decodeEvent, Denial, KeyKind, KeysTenancyService, newId } from '@cairn/contracts';
import {
  KNOWN_MEMORY,
  KNOWN_SPACE,
  makeTenant,
  OTHER_MEMORY,
  resolve,
  type RunningKeys,
  runKeys,
  type Tenant,
  tenantRef,
} from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  keys = await runKeys();
});
afterAll(() => keys.close());

async function mint(body: object): Promise<{ keyId: string; plaintext: string }> {
  const header = { 'idempotency-key': randomUUID() };
  const answer = await keys.call(tenant.live, 'POST', '/api/v1/api-keys', { name: 'x', ...body }, header);
  expect(answer.status).toBe(201);
  return { keyId: answer.body['key_id'] as string, plaintext: answer.body['api_key'] as string };
}
const count = async (table: string, tenantId: string) =>
  (await keys.database.worker.transaction((tx) => tx.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [tenantId])))
    .length;
const storedAnswersNaming = async (keyId: string) =>
  (
    await keys.database.worker.transaction((tx) =>
      tx.query('SELECT 1 FROM idempotency_keys WHERE answer::text LIKE $1', [`%${keyId}%`]),
    )
  ).length;

describe('the state of a tenant that tenancy applies', () => {
  const apply = (tenantId: string, revision: bigint, status: string) =>
    keys.tenancy.applyTenant({ tenant: { ...tenantRef(tenantId)!, revision, status } as never });

  it.each(['suspended', 'deleting'])('%s is enforced when the call returns, for every kind of key', async (status) => {
    tenant = await makeTenant(keys);
    const minted = await Promise.all([
      mint({}),
      mint({ type: 'ephemeral' }),
      mint({ type: 'memory', memory_id: KNOWN_MEMORY }),
    ]);
    await apply(tenant.tenantId, 2n, status);
    for (const plaintext of [tenant.liveKey, ...minted.map((key) => key.plaintext)])
      expect(await resolve(keys, plaintext)).toBe(Denial.TENANT_SUSPENDED);
    // The test tenant is a tenant of its own.
    expect(await resolve(keys, tenant.testKey)).toMatchObject({ tenantId: tenant.testTenantId });
  });

  it('admits its keys again, and an older revision changes nothing', async () => {
    tenant = await makeTenant(keys);
    await apply(tenant.tenantId, 5n, 'suspended');
    await apply(tenant.tenantId, 4n, 'active');
    expect(await resolve(keys, tenant.liveKey)).toBe(Denial.TENANT_SUSPENDED);
    await apply(tenant.tenantId, 6n, 'active');
    expect(await resolve(keys, tenant.liveKey)).toMatchObject({ tenantId: tenant.tenantId });
  });

  it('makes a tenant known that was not, so that its keys can be minted after', async () => {
    const tenantId = newId('tenant');
    await apply(tenantId, 1n, 'active');
    expect(await count('tenants', tenantId)).toBe(1);
  });

  it.each([
    ['without a tenant', {}],
    ['without an id', { tenant: { tenantId: '', plan: 'team' } }],
    ['with a status that nobody knows', { tenant: { tenantId: 'tnt_x', status: 'sleeping' } }],
  ])('is refused %s', async (_what, request) => {
    await expect(keys.tenancy.applyTenant(request as never)).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('erasing keys', () => {
  it('of a space, then of its memory, takes exactly those, with every stored response about them', async () => {
    tenant = await makeTenant(keys);
    const bySpace = await mint({ type: 'memory', memory_id: KNOWN_MEMORY, space_id: KNOWN_SPACE });
    const byMemory = await mint({ type: 'memory', memory_id: KNOWN_MEMORY });
    const elsewhere = await mint({ type: 'memory', memory_id: OTHER_MEMORY });
    const { tenantId } = tenant;

    const space = { tenantId, memoryId: KNOWN_MEMORY, spaceId: KNOWN_SPACE };
    expect(await keys.tenancy.eraseKeys(space)).toMatchObject({ erased: 1 });
    expect(await resolve(keys, bySpace.plaintext)).toBe(Denial.UNKNOWN);
    expect(await storedAnswersNaming(bySpace.keyId)).toBe(0);
    expect(await resolve(keys, byMemory.plaintext)).toMatchObject({ memoryId: KNOWN_MEMORY });

    const memory = { tenantId, memoryId: KNOWN_MEMORY };
    expect(await keys.tenancy.eraseKeys(memory)).toMatchObject({ erased: 1 });
    expect(await keys.tenancy.eraseKeys(memory)).toMatchObject({ erased: 0 });
    expect(await resolve(keys, byMemory.plaintext)).toBe(Denial.UNKNOWN);
    for (const plaintext of [elsewhere.plaintext, tenant.liveKey])
      expect(await resolve(keys, plaintext)).toMatchObject({ tenantId });
    expect(await storedAnswersNaming(elsewhere.keyId)).toBe(1);
  });

  it('of a tenant leaves nothing of it, and its test tenant untouched until that is asked for too', async () => {
    tenant = await makeTenant(keys);
    const test = await mint({ type: 'test' });
    await mint({});
    const otherTenant = await makeTenant(keys);
    expect(await keys.tenancy.eraseKeys({ tenantId: tenant.tenantId })).toMatchObject({ erased: 2 });
    for (const table of ['api_keys', 'tenants', 'idempotency_keys', 'outbox', 'published_events'])
      expect({ table, rows: await count(table, tenant.tenantId) }).toEqual({ table, rows: 0 });
    expect(await resolve(keys, tenant.liveKey)).toBe(Denial.UNKNOWN);
    expect(await resolve(keys, test.plaintext)).toMatchObject({ tenantId: tenant.testTenantId });
    expect(await keys.tenancy.eraseKeys({ tenantId: tenant.testTenantId })).toMatchObject({ erased: 2 });
    expect(await resolve(keys, test.plaintext)).toBe(Denial.UNKNOWN);
    expect(await keys.tenancy.eraseKeys({ tenantId: tenant.testTenantId })).toMatchObject({ erased: 0 });
    expect(await resolve(keys, otherTenant.liveKey)).toMatchObject({ tenantId: otherTenant.tenantId });
  });

  it('is final: a late message about the tenant does not bring its row back', async () => {
    tenant = await makeTenant(keys);
    await keys.tenancy.eraseKeys({ tenantId: tenant.tenantId });
    await keys.tenancy.applyTenant({
      tenant: { ...tenantRef(tenant.tenantId)!, revision: 9n, status: 'deleting' } as never,
    });
    expect(await count('tenants', tenant.tenantId)).toBe(0);
  });

  it('of a memory says of each key that it is revoked', async () => {
    tenant = await makeTenant(keys);
    await keys.nats.kill9();
    try {
      const key = await mint({ type: 'memory', memory_id: KNOWN_MEMORY });
      await keys.tenancy.eraseKeys({ tenantId: tenant.tenantId, memoryId: KNOWN_MEMORY });
      const waiting = await keys.database.worker.transaction((tx) =>
        tx.query<{ payload: Buffer }>(
          "SELECT payload FROM outbox WHERE tenant_id = $1 AND subject LIKE 'cairn.event.%'",
          [tenant.tenantId],
        ),
      );
      expect(waiting.map(({ payload }) => decodeEvent(payload).payload)).toContainEqual(
        expect.objectContaining({ case: 'keyRevoked', value: expect.objectContaining({ keyId: key.keyId }) }),
      );
    } finally {
      await keys.nats.restart();
    }
  });

  it.each([
    ['without a tenant', { tenantId: '' }],
    ['of a space without its memory', { tenantId: 'tnt_x', spaceId: KNOWN_SPACE }],
  ])('is refused %s', async (_what, request) => {
    await expect(keys.tenancy.eraseKeys(request)).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('who may speak of tenants', () => {
  it.each(['keys', 'gateway', 'memory', 'operator'] as const)('is not the %s', async (service) => {
    const request = { tenant: tenantRef(newId('tenant')) } as never;
    const applied = keys.as(service, KeysTenancyService, (client) => client.applyTenant(request));
    await expect(applied).rejects.toMatchObject({ code: 'permission_denied' });
    const erased = keys.as(service, KeysTenancyService, (client) => client.eraseKeys({ tenantId: 'tnt_x' }));
    await expect(erased).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('nor a tenant itself', async () => {
    tenant = await makeTenant(keys);
    const onBehalfOf = await keys.identities.token(tenant.live, 'tenancy');
    const erased = keys.tenancy.eraseKeys({ tenantId: tenant.tenantId }, { onBehalfOf });
    await expect(erased).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('a key that the operator mints for a suspended tenant does not work', async () => {
    const tenantId = newId('tenant');
    const suspended = { ...tenantRef(tenantId)!, status: 'suspended' } as never;
    const { apiKey } = await keys.operator.mintKey({ tenant: suspended, name: 'x', kind: KeyKind.LIVE });
    expect(await resolve(keys, apiKey)).toBe(Denial.TENANT_SUSPENDED);
  });
});
