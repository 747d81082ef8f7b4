import { encodeEvent } from '@cairn/contracts';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import { credentialLimitsOf, type PlanCatalog, planOf } from '../plans/plans.ts';
import type { TenantRow } from '../stores/tenant-store.ts';

/** Publishes, in the caller's transaction, what a tenant is now. */
export async function announceTenant(tx: Tx, tenant: TenantRow, plans: PlanCatalog): Promise<void> {
  const plan = planOf(plans, tenant);
  await appendToOutbox(
    tx,
    encodeEvent(
      'tenantChanged',
      { tenantId: tenant.tenant_id, livemode: tenant.livemode },
      {
        revision: BigInt(tenant.revision),
        plan: tenant.plan,
        status: tenant.status,
        requestsPerSecond: plan.requests_per_second,
        burst: plan.burst,
        twinOf: tenant.twin_of ?? '',
        monthlyRequests: BigInt(plan.monthly_requests),
        monthlyCredits: BigInt(plan.monthly_credits),
        ...credentialLimitsOf(plan),
      },
    ),
  );
}
