import { type KeyType, newId, SCOPES, type TenantRef } from '@cairn/contracts';
import { type FieldError, validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { generateKey } from '@cairn/identity';
import { insertKey } from '../credentials/key-store.ts';
import { applyTenant, tenantRowOf } from '../invalidation/apply-tenant.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { EPHEMERAL_LIFETIME_MS } from './plan-key.ts';

interface MintRequest {
  tenant: TenantRef;
  name: string;
  kind: KeyType;
}

/** Mints a tenant's first keys for the operator, whose request also carries the tenant's current state. */
export async function mintKey(
  deps: { invalidate: Invalidate; workerDatabase: Database; now: () => Date },
  request: MintRequest,
): Promise<{ keyId: string; plaintext: string }> {
  assertWellFormed(request);
  const { tenant, kind } = request;
  const key = generateKey(kind);
  const keyId = newId('key');
  const expiresAt = kind === 'ephemeral' ? new Date(deps.now().getTime() + EPHEMERAL_LIFETIME_MS) : null;
  await applyTenant(deps, tenantRowOf(tenant));
  await deps.workerDatabase.transaction(async (tx) => {
    await insertKey(tx, {
      tenant_id: tenant.tenantId,
      owner_tenant_id: tenant.twinOf === '' ? tenant.tenantId : tenant.twinOf,
      key_id: keyId,
      name: request.name,
      prefix: key.prefix,
      sha256: key.sha256,
      kind,
      livemode: tenant.livemode,
      scopes: [...SCOPES],
      app_permissions: {},
      ip_allowlist: [],
      memory_id: null,
      space_id: null,
      requests_per_second: null,
      burst: null,
      parent_key_id: null,
      rotated_from: null,
      rotated_by: null,
      expires_at: expiresAt,
      expires_by: expiresAt,
    });
  });
  return { keyId, plaintext: key.plaintext };
}

function assertWellFormed({ tenant, name, kind }: MintRequest): void {
  const errors: FieldError[] = [];
  if (tenant.tenantId === '') errors.push({ path: 'tenant', message: 'is required' });
  if (name.trim() === '') errors.push({ path: 'name', message: 'is required' });
  if (kind === 'memory') errors.push({ path: 'kind', message: 'a memory key is made by a key of its tenant' });
  if ((kind === 'live' && !tenant.livemode) || (kind === 'test' && tenant.livemode)) {
    errors.push({ path: 'kind', message: `a ${kind} key does not act in this tenant` });
  }
  if (errors.length > 0) throw validationFailed(errors);
}
