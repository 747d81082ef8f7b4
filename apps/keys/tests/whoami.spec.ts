import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KeysTenancyService, MEMORY_KEY_DEFAULT_SCOPES, SCOPES, whoami } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { standardClient } from './oauth-client.ts';
import {
  KNOWN_MEMORY,
  KNOWN_SPACE,
  makeTenant,
  resolve,
  type RunningKeys,
  runKeys,
  type Tenant,
} from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
});
afterAll(() => keys.close());

const ask = (identity: Identity) => keys.call(identity, 'GET', '/api/v1/whoami');
const create = async (body: object) =>
  (await keys.call(tenant.live, 'POST', '/api/v1/api-keys', { name: 'asked', ...body })).body as Record<string, string>;

describe('whoami', () => {
  it('says what a live key is, whose, and what the installation offers', async () => {
    const { status, body } = await ask(tenant.live);
    expect(status).toBe(200);
    expect(whoami.response.schema.safeParse(body).success).toBe(true);
    expect(body).toEqual({
      credential: {
        kind: 'live',
        id: tenant.live.keyId,
        name: 'first',
        prefix: tenant.liveKey.slice(0, 12),
        environment: 'live',
        scopes: SCOPES,
        app_permissions: {},
        ip_allowlist: [],
        memory_id: null,
        space_id: null,
        rate_limit: null,
        expires_at: null,
        revokes_at: null,
      },
      member: null,
      tenant: { tenant_id: tenant.tenantId, name: `The tenant ${tenant.tenantId}`, plan: 'team' },
      version: '0.1.0',
      features: { language_models: ['small'], embeddings: true, reranking: false, web_search: true, proxy: false },
    });
    expect(JSON.stringify(body)).not.toContain(tenant.liveKey.slice(12));
  });

  it('says what confines a memory key, which needs no permission to ask', async () => {
    const { key_id: keyId } = await create({
      type: 'memory',
      memory_id: KNOWN_MEMORY,
      space_id: KNOWN_SPACE,
      app_permissions: { memory: ['read'] },
      rate_limit: { requests_per_second: 2, burst: 3 },
    });
    const { body } = await ask({
      ...tenant.live,
      keyId: keyId!,
      credentialId: keyId!,
      kind: 'memory',
      memoryId: KNOWN_MEMORY,
      spaceId: KNOWN_SPACE,
      scopes: [],
      appPermissions: { memory: ['read'] },
    });
    expect(body['credential']).toMatchObject({
      kind: 'memory',
      memory_id: KNOWN_MEMORY,
      space_id: KNOWN_SPACE,
      scopes: MEMORY_KEY_DEFAULT_SCOPES,
      rate_limit: { requests_per_second: 2, burst: 3 },
    });
  });

  it('says of an OAuth token its client, its own scopes, and when it expires', async () => {
    const made = await keys.call(tenant.live, 'POST', '/api/v1/oauth-clients', {
      name: 'robot',
      scopes: ['memory:search', 'usage:read'],
    });
    const client = { clientId: made.body['client_id'] as string, secret: made.body['client_secret'] as string };
    const { access_token } = await standardClient(keys).token(client, 'usage:read');
    const credential = await resolve(keys, access_token);
    if (typeof credential !== 'object') throw new Error('the token is not valid');
    const { body } = await ask({
      ...tenant.live,
      kind: 'oauth',
      keyId: client.clientId,
      credentialId: credential.credentialId,
      scopes: ['usage:read'],
    });
    expect(body['credential']).toMatchObject({
      kind: 'oauth',
      id: client.clientId,
      name: 'robot',
      prefix: null,
      scopes: ['usage:read'],
      expires_at: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toContain(access_token);
  });

  it("says which environment a key is of, and does not find another tenant's", async () => {
    expect((await ask(tenant.test)).body['credential']).toMatchObject({ kind: 'test', environment: 'test' });
    const other = await makeTenant(keys);
    const { status, body } = await ask({ ...tenant.live, keyId: other.live.keyId, credentialId: other.live.keyId });
    expect([status, body.code]).toEqual([401, 'credential_revoked']);
  });
});

describe('what a tenant uses of its limits', () => {
  const used = (tenantId: string) =>
    keys.as('tenancy', KeysTenancyService, (client) => client.getCredentialUse({ tenantId }));

  it('is counted as a new key is: those that are valid, without those that were replaced', async () => {
    const one = await makeTenant(keys);
    const call = (method: string, path: string, body?: unknown) => keys.call(one.live, method, path, body);
    expect((await used(one.tenantId)).apiKeys).toMatchObject({ used: 1n, limit: 500n });
    const { key_id } = (await call('POST', '/api/v1/api-keys', { name: 'rotated' })).body as { key_id: string };
    await call('POST', `/api/v1/api-keys/${key_id}/rotate`, { overlap_seconds: 3_600 });
    expect((await used(one.tenantId)).apiKeys).toMatchObject({ used: 2n });
    await call('POST', '/api/v1/oauth-clients', { name: 'robot', scopes: ['usage:read'] });
    expect((await used(one.tenantId)).oauthClients).toMatchObject({ used: 1n, limit: 100n });
  });

  it('is said to tenancy alone, and of known tenants', async () => {
    await expect(used('tnt_unknown')).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      keys.as('gateway', KeysTenancyService, (client) => client.getCredentialUse({ tenantId: tenant.tenantId })),
    ).rejects.toMatchObject({ code: 'permission_denied' });
  });
});
