import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { ProviderKeyService } from '@cairn/contracts';
import { rpcClient } from '@cairn/service-kit';
import { createKeyRing } from '@cairn/encryption';
import { reencryptSecrets } from '../src/reencrypt-secrets.ts';
import { type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

const SECRET = `sk-canary-${randomBytes(12).toString('hex')}`;

let tenancy: RunningTenancy;
let tenant: Tenant;
beforeAll(async () => {
  tenancy = await runTenancy();
  tenant = await tenancy.makeTenant();
});
afterAll(() => tenancy.close());

const call = (method: string, path: string, body?: unknown) =>
  tenancy.call(tenant.caller, method, `/api/v1${path}`, body);
const jwk = (kid: string) => ({ kty: 'oct', kid, k: randomBytes(32).toString('base64url') });

describe('provider keys', () => {
  it('are stored, replaced, listed and deleted, and are never in a response', async () => {
    const put = await call('PUT', '/provider-keys/openai', { api_key: SECRET, base_url: 'https://llm.example/v1' });
    expect(put).toMatchObject({ status: 200, body: { provider: 'openai', base_url: 'https://llm.example/v1' } });
    await call('PUT', '/provider-keys/openai', { api_key: SECRET });
    const [one, all] = [await call('GET', '/provider-keys/openai'), await call('GET', '/provider-keys')];
    expect(one.body).toMatchObject({ provider: 'openai', base_url: null });
    expect(all.body['provider_keys']).toEqual([one.body]);
    expect(JSON.stringify([put.body, one.body, all.body])).not.toContain(SECRET);
    const rows = await tenancy.query('SELECT * FROM provider_keys');
    expect(JSON.stringify(rows)).not.toContain(SECRET);
    expect((await call('DELETE', '/provider-keys/openai')).status).toBe(200);
    for (const method of ['GET', 'DELETE']) expect((await call(method, '/provider-keys/openai')).status).toBe(404);
  });

  it.each([
    'http://llm.example/v1',
    'https://user:pass@llm.example/',
    'https://llm.example/?key=1',
    'https://llm.example/#x',
    'ftp://llm.example/',
    'not a url',
    'https://metadata.google.internal/',
    'https://models.internal/v1',
    'https://ollama.local/v1',
    'https://localhost/v1',
    'https://10.0.0.1/v1',
    'https://169.254.169.254/v1',
    'https://2130706433/v1',
  ])('refuse the base address %s', async (base_url) => {
    const response = await call('PUT', '/provider-keys/openai', { api_key: SECRET, base_url });
    expect(response).toMatchObject({ status: 422, body: { errors: [{ path: 'base_url' }] } });
  });

  it('are revealed to services that call models only, and for the tenant they belong to only', async () => {
    await call('PUT', '/provider-keys/mistral', { api_key: SECRET });
    const grpc = tenancy.grpcAddress;
    const reveal = async (service: 'memory' | 'gateway', tenantId = tenant.live.tenantId) => {
      const client = rpcClient(ProviderKeyService, grpc, tenancy.identities.serviceTokens(service));
      try {
        return await client.revealProviderKey({ tenantId, provider: 'mistral' });
      } finally {
        client.close();
      }
    };
    expect(await reveal('memory')).toMatchObject({ apiKey: SECRET, baseUrl: '' });
    await expect(reveal('gateway')).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(reveal('memory', tenant.test.tenantId)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('re-encryption', () => {
  it('moves every secret to a new key, after which the old one is not needed', async () => {
    const [old, fresh] = [jwk('old'), jwk('fresh')];
    const before = await createKeyRing([old]);
    const context = `provider-key ${tenant.live.tenantId} acme`;
    await tenancy.query("INSERT INTO provider_keys (tenant_id, provider, sealed) VALUES ($1, 'acme', $2)", [
      tenant.live.tenantId,
      await before.encrypt(context, SECRET),
    ]);
    await tenancy.query("DELETE FROM provider_keys WHERE provider <> 'acme'");
    const deps = { workerDatabase: tenancy.database.worker, keyRing: await createKeyRing([fresh, old]) };
    expect(await reencryptSecrets(deps)).toBe(1);
    expect(await reencryptSecrets(deps)).toBe(0);
    const [{ sealed }] = (await tenancy.query<{ sealed: string }>('SELECT sealed FROM provider_keys')) as [
      { sealed: string },
    ];
    expect(await (await createKeyRing([fresh])).decrypt(context, sealed)).toBe(SECRET);
  });
});
