import { encodeEvent, encodeJournalEntry } from '@cairn/contracts';
import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import { credentialLimitsOf, type PlanCatalog, planOf } from '../plans/plans.ts';
import type { TenantRow } from '../stores/tenant-store.ts';

/** Publishes, in the caller's transaction, what a tenant is now, and journals it for a restore. */
export async function announceTenant(tx: Tx, tenant: TenantRow, plans: PlanCatalog): Promise<void> {
  const plan = planOf(plans, tenant);
  const { status, revision } = tenant;
  await appendAllToOutbox(tx, [
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
    encodeJournalEntry('tenancy', tenant.tenant_id, {
      case: 'tenantStatusChanged',
      value: { status, revision: BigInt(revision) },
    }),
  ]);
}
