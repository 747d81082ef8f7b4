import type { SharedCairn } from '@cairn/testing';
import { api } from './api.ts';
import { type NewTenant, operator } from './operator.ts';
import { createTenantFixture, type TenantFixture } from './tenant-fixture.ts';

/** A world whose owner may do everything, with an OAuth client of the owner's. */
export interface ExampleTenant {
  apiKey: string;
  world: TenantFixture;
  oauth: { client_id: string; client_secret: string };
}

/** A tenant of its own with one of everything. */
export async function createExampleTenant(cairn: SharedCairn, name = 'Examples'): Promise<ExampleTenant> {
  const tenant = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', name, '--plan', 'enterprise');
  const apiKey = tenant.api_key;
  const call = (method: string, path: string, body?: unknown) => api(cairn.baseUrl, apiKey, method, path, body);
  const world = await createTenantFixture(call, cairn.baseUrl, apiKey);
  const client = await call('POST', '/api/v1/oauth-clients', { name: 'sdk', scopes: ['usage:read'] });
  const { client_id, client_secret } = client.body;
  return { apiKey, world, oauth: { client_id, client_secret } };
}
