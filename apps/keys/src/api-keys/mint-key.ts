import { encodeEvent, type KeyType, newId, SCOPES, type TenantRef } from '@cairn/contracts';
import { CairnError, type FieldError, notFound, validationFailed } from '@cairn/errors';
import { appendToOutbox, type Database, type Tx } from '@cairn/postgres';
import { generateKey } from '@cairn/identity';
import { insertKey } from '../credentials/key-store.ts';
import { applyTenant, tenantRowOf } from '../invalidation/apply-tenant.ts';
import type { Invalidate } from '../invalidation/invalidate.ts';
import { lockTenantForKey, type TenantRow } from '../tenants/tenant-store.ts';
import { EPHEMERAL_LIFETIME_MS } from './plan-key.ts';

interface MintRequest {
  name: string;
  kind: KeyType;
}

interface MintedKey {
  keyId: string;
  plaintext: string;
}

interface MintDeps {
  workerDatabase: Database;
  now: () => Date;
}

/** Mints a tenant's first keys for the operator, whose request also carries the tenant's current state. */
export async function mintFirstKey(
  deps: MintDeps & { invalidate: Invalidate },
  request: MintRequest & { tenant: TenantRef },
): Promise<MintedKey> {
  const tenant = tenantRowOf(request.tenant);
  const { kind } = request;
  const errors = errorsOf(request);
  if ((kind === 'live' && !tenant.livemode) || (kind === 'test' && tenant.livemode))
    errors.push({ path: 'kind', message: `a ${kind} key does not act in this tenant` });
  if (errors.length > 0) throw validationFailed(errors);
  await applyTenant(deps, tenant);
  return deps.workerDatabase.transaction((tx) => insertMinted(tx, deps, tenant, request));
}

/**
 * Mints a key for a live tenant that is known here, or for its test tenant, when it has none left that works. The plan's
 * limit of keys does not hold for the operator. Throws `not_found` for any other tenant.
 */
export async function mintKeyFor(deps: MintDeps, request: MintRequest & { tenantId: string }): Promise<MintedKey> {
  const errors = errorsOf(request);
  if (errors.length > 0) throw validationFailed(errors);
  const { tenantId, kind } = request;
  return deps.workerDatabase.transaction(async (tx) => {
    const tenant = await lockTenantForKey(tx, tenantId, kind === 'test');
    if (tenant === null) throw notFound(kind === 'test' ? 'The test tenant' : 'The tenant');
    if (tenant.status === 'deleting') throw new CairnError('conflict', 'The tenant is deleting.');
    const minted = await insertMinted(tx, deps, tenant, request);
    const scope = { tenantId, livemode: true };
    await appendToOutbox(tx, encodeEvent('keyCreated', scope, { keyId: minted.keyId, kind }));
    return minted;
  });
}

async function insertMinted(
  tx: Tx,
  { now }: MintDeps,
  tenant: TenantRow,
  { name, kind }: MintRequest,
): Promise<MintedKey> {
  const key = generateKey(kind);
  const keyId = newId('key');
  const expiresAt = kind === 'ephemeral' ? new Date(now().getTime() + EPHEMERAL_LIFETIME_MS) : null;
  await insertKey(tx, {
    tenant_id: tenant.tenant_id,
    owner_tenant_id: tenant.twin_of ?? tenant.tenant_id,
    key_id: keyId,
    name,
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
  return { keyId, plaintext: key.plaintext };
}

function errorsOf({ name, kind }: MintRequest): FieldError[] {
  const errors: FieldError[] = [];
  if (name.trim() === '') errors.push({ path: 'name', message: 'is required' });
  if (kind === 'memory') errors.push({ path: 'kind', message: 'a memory key is made by a key of its tenant' });
  return errors;
}
