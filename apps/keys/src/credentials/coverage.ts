import { CairnError } from '@cairn/errors';
import { type Capability, covers, excessOver } from '@cairn/identity';
import type { KeyRow } from './key-store.ts';
import type { ClientRow } from './oauth-store.ts';

/** The columns by which a use of any credential is allowed or denied. */
export type RightsColumn =
  | 'tenant_id'
  | 'livemode'
  | 'scopes'
  | 'app_permissions'
  | 'ip_allowlist'
  | 'memory_id'
  | 'space_id'
  | 'requests_per_second'
  | 'burst'
  | 'expires_at';

/** The columns of a stored key that define its rights. */
export type KeyCapability = Pick<KeyRow, RightsColumn | 'owner_tenant_id' | 'kind' | 'expires_by'>;

/** The columns of a stored OAuth client that define the rights of its tokens. */
export type ClientCapability = Pick<ClientRow, Exclude<RightsColumn, 'memory_id' | 'space_id'>>;

export function capabilityOfKey(key: KeyCapability): Capability {
  return {
    tenantId: key.tenant_id,
    ownerTenantId: key.owner_tenant_id,
    livemode: key.livemode,
    kind: key.kind,
    scopes: key.scopes,
    appPermissions: key.app_permissions,
    memoryId: key.memory_id,
    spaceId: key.space_id,
    ipAllowlist: key.ip_allowlist,
    requestsPerSecond: key.requests_per_second,
    burst: key.burst,
    expiresAt: key.expires_at,
    expiresBy: key.expires_by,
  };
}

/** A client is immutable, so nobody extends its expiry: unlike a key it needs no upper bound for that. */
export function capabilityOfClient(client: ClientCapability, ownerTenantId: string): Capability {
  return {
    tenantId: client.tenant_id,
    ownerTenantId,
    livemode: client.livemode,
    kind: 'oauth',
    scopes: client.scopes,
    appPermissions: client.app_permissions,
    memoryId: null,
    spaceId: null,
    ipAllowlist: client.ip_allowlist,
    requestsPerSecond: client.requests_per_second,
    burst: client.burst,
    expiresAt: client.expires_at,
    expiresBy: null,
  };
}

/** Throws `permission_denied`, naming everything in which the resulting credential would exceed the calling key. */
export function assertCovered(caller: KeyRow, resulting: Capability): void {
  const excess = excessOver(capabilityOfKey(caller), resulting);
  if (excess.length > 0) throw new CairnError('permission_denied', `The calling key lacks ${excess.join(', ')}.`);
}

/**
 * Permits a change when the resulting key is covered by the calling key, or by the key as it is, so that the change
 * only restricts it. The two are never combined: some rights of the one and some of the other together can exceed both.
 */
export function assertChangeCovered(caller: KeyRow, key: KeyRow, resulting: KeyRow): void {
  const wanted = capabilityOfKey(resulting);
  if (!covers(capabilityOfKey(key), wanted)) assertCovered(caller, wanted);
}
