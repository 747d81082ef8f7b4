import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { planOf, type PlanBook } from './plans.ts';
import type { TenantRow } from './tenant-store.ts';

/** What a tenant's plan gives, for services that keep it; throws `not_found` for a tenant that is not there. */
export async function tenantPlan(parts: { workerDatabase: Database; plans: PlanBook }, tenantId: string) {
  const [tenant] = await parts.workerDatabase.transaction((tx) =>
    tx.query<TenantRow>('SELECT * FROM tenants WHERE tenant_id = $1', [tenantId]),
  );
  if (tenant === undefined) throw notFound('The tenant');
  return {
    tenantId,
    livemode: tenant.livemode,
    plan: tenant.plan,
    status: tenant.status,
    revision: BigInt(tenant.revision),
    monthlyCredits: BigInt(planOf(parts.plans, tenant).monthly_credits),
  };
}
