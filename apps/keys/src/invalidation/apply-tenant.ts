import type { TenantRef } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { TENANT_STATUSES, type TenantRow, type TenantStatus, upsertTenant } from '../tenants/tenant-store.ts';
import type { Invalidate, Invalidation } from './invalidate.ts';

/**
 * Stores what tenancy says about a tenant unless a newer revision is known; when it returns, every gateway enforces it.
 */
export async function applyTenant(
  deps: { invalidate: Invalidate; workerDatabase: Database },
  tenant: TenantRow,
): Promise<void> {
  await deps.invalidate(invalidationOf(tenant), () =>
    deps.workerDatabase.transaction((tx) => upsertTenant(tx, tenant)),
  );
}

/** A change of plan closes no connections; a tenant that is no longer active keeps none open. */
function invalidationOf({ tenant_id: tenantId, status }: TenantRow): Invalidation {
  return { invalidated: { what: 'tenant', tenantId }, effect: 'recheck', closes: status !== 'active' };
}

/** The row for a message; throws `validation_failed` for an incomplete one. */
export function tenantRowOf(tenant: TenantRef): TenantRow {
  if (tenant.tenantId === '') throw validationFailed([{ path: 'tenant', message: 'is required' }]);
  return {
    tenant_id: tenant.tenantId,
    twin_of: tenant.twinOf === '' ? null : tenant.twinOf,
    livemode: tenant.livemode,
    plan: tenant.plan,
    status: tenantStatusOf(tenant.status),
    revision: Number(tenant.revision),
    requests_per_second: tenant.rateLimit?.requestsPerSecond ?? 0,
    burst: tenant.rateLimit?.burst ?? 0,
    monthly_requests: tenant.monthlyRequests === undefined ? null : Number(tenant.monthlyRequests),
    api_keys_max: tenant.apiKeysMax || null,
    oauth_clients_max: tenant.oauthClientsMax || null,
    suggested_plan: tenant.suggestedPlan || null,
    upgrade_url: tenant.upgradeUrl || null,
  };
}

/** Older callers send an empty string for an active tenant. */
function tenantStatusOf(text: string): TenantStatus {
  if (text === '') return 'active';
  const known = TENANT_STATUSES.find((status) => status === text);
  if (known === undefined) throw validationFailed([{ path: 'tenant.status', message: 'unknown status' }]);
  return known;
}
