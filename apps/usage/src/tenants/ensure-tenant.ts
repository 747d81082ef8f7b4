import type { TenantDirectoryService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import { MICRO } from '../stores/account-store.ts';
import { applyTenant } from './apply-tenant.ts';
import { findTenant } from '../stores/tenant-store.ts';

/** Ensures that the tenant's plan is stored here; throws `not_found` when there is no such tenant. */
export type EnsureTenant = (tenantId: string) => Promise<void>;

const ENSURED_MAX = 100_000;

/** Fetches a tenant from tenancy whose event has not arrived: it was created a moment ago, or before credits existed. */
export function createEnsureTenant(deps: {
  workerDatabase: Database;
  tenancy: RpcClient<typeof TenantDirectoryService>;
  now: () => Date;
}): EnsureTenant {
  // Never invalidated: a plan changes by events, and a deletion is checked where the tenant is used.
  const ensured = new Set<string>();
  return async (tenantId) => {
    if (ensured.has(tenantId)) return;
    if (ensured.size >= ENSURED_MAX) ensured.clear();
    const stored = await deps.workerDatabase.transaction((tx) => findTenant(tx, tenantId));
    if (stored !== null && stored.monthly_micro_credits !== null) {
      ensured.add(tenantId);
      return;
    }
    const found = await deps.tenancy.getTenantPlan({ tenantId });
    const row = {
      tenant_id: tenantId,
      livemode: found.livemode,
      plan: found.plan,
      status: found.status,
      revision: Number(found.revision),
      monthly_micro_credits: Number(found.monthlyCredits) * MICRO,
    };
    await deps.workerDatabase.transaction((tx) => applyTenant(tx, row, deps.now()));
  };
}
