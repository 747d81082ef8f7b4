import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Denial, type ResolveRequest } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { KEY_KINDS } from '../credentials/key-kind.ts';
import type { TenantRow } from '../tenants/tenant-store.ts';
import type { ResolveBatches } from './resolve-batches.ts';
import { type Resolution, resolveById, type ResolvedCredential } from './resolve-credential.ts';

const DENIALS = {
  unknown: Denial.UNKNOWN,
  expired: Denial.EXPIRED,
  revoked: Denial.REVOKED,
  tenant_suspended: Denial.TENANT_SUSPENDED,
} as const;
const SHA256_BYTES = 32;

interface ResolveDeps {
  workerDatabase: Database;
  batches: ResolveBatches;
  now: () => Date;
}

/** Returns to a gateway what a credential may do, or why it is refused. */
export async function resolve(deps: ResolveDeps, request: ResolveRequest) {
  const resolution = await resolutionOf(deps, request);
  if (!resolution.ok) return { result: { case: 'denial' as const, value: DENIALS[resolution.denial] } };
  return { result: { case: 'credential' as const, value: credentialOf(resolution.credential, resolution.tenant) } };
}

function resolutionOf(deps: ResolveDeps, { sha256, credentialId, seenGood }: ResolveRequest): Promise<Resolution> {
  const byId = credentialId !== '';
  if (sha256.length !== (byId ? 0 : SHA256_BYTES))
    throw validationFailed([{ path: 'sha256', message: 'must be 32 bytes, or left out with credential_id' }]);
  return byId ? resolveById(deps, credentialId) : deps.batches.resolve(sha256, seenGood);
}

function credentialOf(key: ResolvedCredential, tenant: TenantRow) {
  return {
    keyId: key.key_id,
    credentialId: key.credential_id,
    tenantId: key.tenant_id,
    ownerTenantId: tenant.twin_of ?? tenant.tenant_id,
    livemode: key.livemode,
    kind: KEY_KINDS[key.kind],
    scopes: key.scopes,
    appPermissions: Object.entries(key.app_permissions).map(([app, actions]) => ({ app, actions: actions ?? [] })),
    ipAllowlist: key.ip_allowlist,
    memoryId: key.memory_id ?? '',
    spaceId: key.space_id ?? '',
    rateLimit: {
      requestsPerSecond: Math.min(key.requests_per_second ?? Infinity, tenant.requests_per_second),
      burst: Math.min(key.burst ?? Infinity, tenant.burst),
    },
    tenantRateLimit: { requestsPerSecond: tenant.requests_per_second, burst: tenant.burst },
    ...(key.expires_at === null ? {} : { expiresAt: timestampFromDate(key.expires_at) }),
    ...(key.revokes_at === null ? {} : { revokesAt: timestampFromDate(key.revokes_at) }),
  };
}
