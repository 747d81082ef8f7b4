import type { KeysTenancyService } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import { credentialLimitsOf, type PlanCatalog, planOf } from '../plans/plans.ts';
import {
  listTenantCounts,
  lockTenantWithTest,
  type TenantCounts,
  type TenantRow,
  updateTenant,
} from '../stores/tenant-store.ts';
import { announceTenant } from './announce-tenant.ts';

export interface ChangeTenantDeps {
  /** Connected as the worker role. */
  workerDatabase: Database;
  plans: PlanCatalog;
  keys: RpcClient<typeof KeysTenancyService>;
}

/**
 * Changes a live tenant and its test tenant in one transaction, then waits until the keys service applied it, so that
 * the change is in force when this returns.
 */
export async function changeTenant(
  deps: ChangeTenantDeps,
  tenantId: string,
  changed: (tenant: TenantRow) => Pick<TenantRow, 'status' | 'plan'>,
  inSameTransaction: (tx: Tx, tenant: TenantRow) => Promise<void> = async () => undefined,
): Promise<TenantCounts> {
  const after = await deps.workerDatabase.transaction(async (tx) => {
    const tenants = await lockTenantWithTest(tx, tenantId);
    if (tenants.length === 0) throw notFound('The tenant');
    const rows: TenantRow[] = [];
    for (const tenant of tenants) {
      const { status, plan } = changed(tenant);
      if (tenant.status === 'deleting' && status !== 'deleting')
        throw new CairnError('conflict', 'The tenant is deleting.');
      const row = await updateTenant(tx, tenant.tenant_id, { status, plan });
      await announceTenant(tx, row, deps.plans);
      await inSameTransaction(tx, row);
      rows.push(row);
    }
    return rows;
  });
  for (const tenant of after) await deps.keys.applyTenant({ tenant: tenantRefOf(tenant, deps.plans) });
  return countsOf(deps, tenantId);
}

function tenantRefOf(tenant: TenantRow, plans: PlanCatalog) {
  const plan = planOf(plans, tenant);
  return {
    tenantId: tenant.tenant_id,
    livemode: tenant.livemode,
    plan: tenant.plan,
    revision: BigInt(tenant.revision),
    rateLimit: { requestsPerSecond: plan.requests_per_second, burst: plan.burst },
    twinOf: tenant.twin_of ?? '',
    status: tenant.status,
    monthlyRequests: BigInt(plan.monthly_requests),
    ...credentialLimitsOf(plan),
  };
}

async function countsOf(deps: ChangeTenantDeps, tenantId: string): Promise<TenantCounts> {
  const rows = await deps.workerDatabase.transaction((tx) => listTenantCounts(tx, tenantId));
  if (rows[0] === undefined) throw notFound('The tenant');
  return rows[0];
}
