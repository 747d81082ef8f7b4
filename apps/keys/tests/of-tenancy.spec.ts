import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Denial, KeyKind, KeysTenancyService, newId } from '@cairn/contracts';
import { digestOf } from '@cairn/identity';
import { rpcClient, type RpcClient } from '@cairn/service-kit';
import { testIdentity } from '@cairn/testing';
import { KNOWN_MEMORY, KNOWN_SPACE, type RunningKeys, runKeys } from './running-keys.ts';

let keys: RunningKeys;
let asTenancy: RpcClient<typeof KeysTenancyService>;
beforeAll(async () => {
  keys = await runKeys();
  asTenancy = rpcClient(KeysTenancyService, keys.grpcAddress, () => keys.identities.serviceToken('tenancy'));
});
afterAll(async () => {
  asTenancy.close();
  await keys.close();
});

const tenantRef = (tenantId: string, status = 'active', revision = 1n) => ({
  tenantId,
  livemode: true,
  plan: 'team',
  revision,
  rateLimit: { requestsPerSecond: 50, burst: 100 },
  twinOf: '',
  status,
});
const firstKey = async (tenantId: string) => {
  const minted = await keys.operator.mintKey({ tenant: tenantRef(tenantId), name: 'first', kind: KeyKind.LIVE });
  return { ...minted, identity: testIdentity({ tenantId, keyId: minted.keyId }) };
};
const denialOf = async (apiKey: string) => {
  const { result } = await keys.gateway.resolve({ sha256: digestOf(apiKey) });
  return result.case === 'denial' ? result.value : null;
};

describe('a tenant that tenancy changes', () => {
  it('is refused from the answer on when suspended, and admitted again when it is active', async () => {
    const tenantId = newId('tenant');
    const { apiKey } = await firstKey(tenantId);
    await asTenancy.applyTenant({ tenant: tenantRef(tenantId, 'suspended', 3n) });
    expect(await denialOf(apiKey)).toBe(Denial.TENANT_SUSPENDED);
    await asTenancy.applyTenant({ tenant: tenantRef(tenantId, 'active', 2n) });
    expect(await denialOf(apiKey)).toBe(Denial.TENANT_SUSPENDED);
    await asTenancy.applyTenant({ tenant: tenantRef(tenantId, 'active', 4n) });
    expect(await denialOf(apiKey)).toBeNull();
  });

  it('is not known again by a late word that it is deleting', async () => {
    const tenantId = newId('tenant');
    const { apiKey } = await firstKey(tenantId);
    await asTenancy.eraseKeys({ tenantId });
    await asTenancy.applyTenant({ tenant: tenantRef(tenantId, 'deleting', 9n) });
    expect(await denialOf(apiKey)).toBe(Denial.UNKNOWN);
    const rows = await keys.database.worker.transaction((tx) =>
      tx.query('SELECT 1 FROM tenants WHERE tenant_id = $1', [tenantId]),
    );
    expect(rows).toEqual([]);
  });
});

describe('keys bound to what is deleted', () => {
  it('are erased with their memory or space, with the answers that showed them, and others stay', async () => {
    const tenantId = newId('tenant');
    const { identity, apiKey } = await firstKey(tenantId);
    const mint = async (body: object) =>
      (
        await keys.call(
          identity,
          'POST',
          '/api/v1/api-keys',
          { name: 'canary-name', ...body },
          {
            'idempotency-key': newId('event'),
          },
        )
      ).body as Record<string, string>;
    const ofMemory = await mint({ type: 'memory', memory_id: KNOWN_MEMORY });
    const ofSpace = await mint({ type: 'memory', memory_id: KNOWN_MEMORY, space_id: KNOWN_SPACE });
    expect(ofSpace['space_id']).toBe(KNOWN_SPACE);
    expect(await asTenancy.eraseKeys({ tenantId, memoryId: KNOWN_MEMORY, spaceId: KNOWN_SPACE })).toMatchObject({
      erased: 1,
    });
    expect(await denialOf(ofSpace['api_key']!)).toBe(Denial.UNKNOWN);
    expect(await denialOf(ofMemory['api_key']!)).toBeNull();
    expect(await asTenancy.eraseKeys({ tenantId, memoryId: KNOWN_MEMORY })).toMatchObject({ erased: 1 });
    expect(await asTenancy.eraseKeys({ tenantId, memoryId: KNOWN_MEMORY })).toMatchObject({ erased: 0 });
    expect(await denialOf(ofMemory['api_key']!)).toBe(Denial.UNKNOWN);
    expect(await denialOf(apiKey)).toBeNull();
    const answers = await keys.database.worker.transaction((tx) =>
      tx.query('SELECT answer FROM idempotency_keys WHERE tenant_id = $1', [tenantId]),
    );
    expect(JSON.stringify(answers)).not.toContain('canary-name');
  });

  it('cannot be made for a space of another memory, or one that is not there', async () => {
    const { identity } = await firstKey(newId('tenant'));
    const mint = (body: object) =>
      keys.call(identity, 'POST', '/api/v1/api-keys', { name: 'x', type: 'memory', ...body });
    for (const body of [
      { memory_id: newId('memory'), space_id: KNOWN_SPACE },
      { memory_id: KNOWN_MEMORY, space_id: newId('space') },
    ]) {
      expect(await mint(body)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  it('are erased at the word of tenancy alone', async () => {
    const asGateway = rpcClient(KeysTenancyService, keys.grpcAddress, () => keys.identities.serviceToken('gateway'));
    await expect(asGateway.eraseKeys({ tenantId: newId('tenant') })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    asGateway.close();
  });
});
