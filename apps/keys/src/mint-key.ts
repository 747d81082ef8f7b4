import { type CredentialKind, MEMORY_KEY_DEFAULT_SCOPES, newId, SCOPES, type TenantRef } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { generateKey } from '@cairn/identity';
import { insertKey, upsertTenant } from './key-store.ts';

/** Mints a tenant's first keys for the operator, who also says what there is to know of the tenant. */
export async function mintKey(
  parts: { workerDatabase: Database },
  request: { tenant: TenantRef; name: string; kind: CredentialKind },
): Promise<{ keyId: string; plaintext: string }> {
  const { tenant, kind } = request;
  if (tenant.tenantId === '') throw validationFailed([{ path: 'tenant', message: 'is required' }]);
  const key = generateKey(kind);
  const keyId = newId('key');
  await parts.workerDatabase.transaction(async (tx) => {
    await upsertTenant(tx, {
      tenant_id: tenant.tenantId,
      twin_of: tenant.twinOf === '' ? null : tenant.twinOf,
      livemode: tenant.livemode,
      plan: tenant.plan,
      status: 'active',
      revision: Number(tenant.revision),
      requests_per_second: tenant.rateLimit?.requestsPerSecond ?? 0,
      burst: tenant.rateLimit?.burst ?? 0,
    });
    await insertKey(tx, {
      tenant_id: tenant.tenantId,
      owner_tenant_id: tenant.twinOf === '' ? tenant.tenantId : tenant.twinOf,
      key_id: keyId,
      name: request.name,
      prefix: key.prefix,
      sha256: key.sha256,
      kind,
      livemode: tenant.livemode,
      scopes: kind === 'memory' ? [...MEMORY_KEY_DEFAULT_SCOPES] : [...SCOPES],
      app_permissions: {},
      ip_allowlist: [],
      memory_id: null,
      space_id: null,
      requests_per_second: null,
      burst: null,
      parent_key_id: null,
      expires_at: null,
    });
  });
  return { keyId, plaintext: key.plaintext };
}
