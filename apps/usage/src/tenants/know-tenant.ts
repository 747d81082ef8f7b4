import type { TenantDirectoryService } from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import { MICRO } from '../credits/account-store.ts';
import { applyTenant } from './apply-tenant.ts';
import { findTenant } from './tenant-store.ts';

/** Makes sure that the tenant's plan is known; throws `not_found` when there is no such tenant. */
export type KnowTenant = (tenantId: string) => Promise<void>;

/** Asks tenancy for a tenant that no event has told of: it was made a moment ago, or before there was any charging. */
export function createKnowTenant(parts: {
  workerDatabase: Database;
  tenancy: RpcClient<typeof TenantDirectoryService>;
  now: () => Date;
}): KnowTenant {
  return async (tenantId) => {
    const known = await parts.workerDatabase.transaction((tx) => findTenant(tx, tenantId));
    if (known !== null && known.monthly_micro_credits !== null) return;
    const found = await parts.tenancy.getTenantPlan({ tenantId });
    const row = {
      tenant_id: tenantId,
      livemode: found.livemode,
      plan: found.plan,
      status: found.status,
      revision: Number(found.revision),
      monthly_micro_credits: Number(found.monthlyCredits) * MICRO,
    };
    await parts.workerDatabase.transaction((tx) => applyTenant(tx, row, parts.now()));
  };
}
