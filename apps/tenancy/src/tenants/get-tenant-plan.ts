import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type PlanCatalog, planOf } from '../plans/plans.ts';
import type { TenantRow } from '../stores/tenant-store.ts';

/** What a tenant's plan grants, for services that keep a copy; throws `not_found` for an unknown tenant. */
export async function getTenantPlan(deps: { workerDatabase: Database; plans: PlanCatalog }, tenantId: string) {
  const [tenant] = await deps.workerDatabase.transaction((tx) =>
    tx.query<TenantRow>('SELECT * FROM tenants WHERE tenant_id = $1', [tenantId]),
  );
  if (tenant === undefined) throw notFound('The tenant');
  return {
    tenantId,
    livemode: tenant.livemode,
    plan: tenant.plan,
    status: tenant.status,
    revision: BigInt(tenant.revision),
    monthlyCredits: BigInt(planOf(deps.plans, tenant).monthly_credits),
  };
}
