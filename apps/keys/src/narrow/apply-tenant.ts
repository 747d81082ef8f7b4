import type { TenantRef } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { TENANT_STATUSES, type TenantRow, type TenantStatus, upsertTenant } from '../tenant-store.ts';
import type { Narrow, Narrowing } from './narrow.ts';

/** Takes over what tenancy says of a tenant unless something newer is known; when it answers, that holds. */
export async function applyTenant(
  parts: { narrow: Narrow; workerDatabase: Database },
  tenant: TenantRow,
): Promise<void> {
  await parts.narrow(narrowingOf(tenant), () => parts.workerDatabase.transaction((tx) => upsertTenant(tx, tenant)));
}

/** A change of plan ends nothing that runs; a tenant that is not active any more has nothing running. */
function narrowingOf({ tenant_id: tenantId, status }: TenantRow): Narrowing {
  return { narrowed: { what: 'tenant', tenantId }, effect: 'recheck', closes: status !== 'active' };
}

/** The row that a message speaks of; throws `validation_failed` for one that says too little. */
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

/** Empty is what older callers send for an active tenant. */
function tenantStatusOf(text: string): TenantStatus {
  if (text === '') return 'active';
  const known = TENANT_STATUSES.find((status) => status === text);
  if (known === undefined) throw validationFailed([{ path: 'tenant.status', message: 'is not known' }]);
  return known;
}
