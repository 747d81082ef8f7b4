import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readLimits, TenancyService } from '@cairn/contracts';
import { rpcClient } from '@cairn/service-kit';
import { type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

let tenancy: RunningTenancy;
let tenant: Tenant;
beforeAll(async () => {
  tenancy = await runTenancy();
  tenant = await tenancy.makeTenant();
});
afterAll(() => tenancy.close());

const limits = (caller = tenant.caller) => tenancy.call(caller, 'GET', '/api/v1/usage/limits');

describe('limits of the plan', () => {
  it('come with what is used of each, from the service that counts it', async () => {
    await tenancy.call(tenant.caller, 'POST', '/api/v1/workspaces', { name: 'Second' });
    const { status, body } = await limits();
    expect(status).toBe(200);
    expect(readLimits.response.schema.safeParse(body).success).toBe(true);
    const lasting = (resource: string, used: number, limit: number | null) => ({
      resource,
      used,
      limit,
      resets_at: null,
    });
    const resets_at = '2026-12-01T00:00:00.000Z';
    expect(body).toMatchObject({
      plan: 'team',
      limits: [
        lasting('workspaces', 2, 3),
        lasting('memories', 2, 20),
        lasting('spaces', 0, 100),
        lasting('documents', 7, 100_000),
        lasting('stored_bytes', 4_096, 21_474_836_480),
        lasting('api_keys', 4, 500),
        lasting('oauth_clients', 1, 100),
        lasting('webhooks', 2, null),
        { resource: 'monthly_requests', used: 1_200, limit: 5_000_000, resets_at },
        { resource: 'monthly_credits', used: 12.5, limit: 1_000, resets_at },
      ],
      rate: { requests_per_second: 50, burst: 100 },
      suggested_plan: 'business',
    });
    const asked = tenancy.calls.filter(({ method }) => method === 'getStorageUse').at(-1);
    expect(asked?.request).toEqual({ tenantId: tenant.live.tenantId, engineIds: ['default'] });
  });

  it('of a test tenant are its own', async () => {
    const { body } = await limits(tenant.testCaller);
    expect((body['limits'] as object[])[0]).toMatchObject({ resource: 'workspaces', used: 1, limit: 2 });
  });

  it('are unavailable while a service that counts is, instead of being made up', async () => {
    tenancy.refused.add('getStorageUse');
    expect((await limits()).status).toBe(503);
    tenancy.refused.delete('getStorageUse');
  });
});

describe('a tenant as keys asks for it', () => {
  const describeTenant = async () => {
    const client = rpcClient(TenancyService, tenancy.grpcAddress, tenancy.identities.serviceTokens('keys'));
    try {
      return await client.describeTenant({}, { onBehalfOf: await tenancy.identities.token(tenant.caller, 'keys') });
    } finally {
      client.close();
    }
  };

  it('has a name, a plan and the features of the installation', async () => {
    expect(await describeTenant()).toMatchObject({
      name: 'Acme',
      plan: 'team',
      features: { languageModels: ['small', 'large'], embeddings: true, reranking: false, webSearch: true },
    });
  });

  it('has no features while research does not answer, and the rest all the same', async () => {
    tenancy.refused.add('getFeatures');
    const described = await describeTenant();
    expect([described.name, described.features]).toEqual(['Acme', undefined]);
    tenancy.refused.delete('getFeatures');
  });
});
