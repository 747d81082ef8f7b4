import { encodeEvent, type KeysTenancyService } from '@cairn/contracts';
import { CairnError, notFound, validationFailed } from '@cairn/errors';
import { appendToOutbox, type Database, type Tx } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import { startJob } from '../jobs/job-store.ts';
import { beginMemoryErasure } from '../memories/begin-memory-erasure.ts';
import type { MemoryRow } from '../memories/memory-store.ts';
import { credentialLimitsOf, planOf, type PlanBook } from './plans.ts';
import { changeTenant, listTenantCounts, lockPair, type TenantCounts, type TenantRow } from './tenant-store.ts';

export interface OperateParts {
  /** Connected as the worker role. */
  workerDatabase: Database;
  plans: PlanBook;
  keys: RpcClient<typeof KeysTenancyService>;
}

/** Live tenants with what they hold, oldest first. */
export function listTenants(parts: { workerDatabase: Database }): Promise<TenantCounts[]> {
  return parts.workerDatabase.transaction((tx) => listTenantCounts(tx, null));
}

/** Suspends a tenant and its twin, or takes them up again. Calls are refused, or answered, when this returns. */
export async function setTenantStatus(
  parts: OperateParts,
  request: { tenantId: string; status: string },
): Promise<TenantCounts> {
  const { status } = request;
  if (status !== 'active' && status !== 'suspended')
    throw validationFailed([{ path: 'status', message: 'must be active or suspended' }]);
  await change(parts, request.tenantId, (tenant) => ({ ...tenant, status }));
  return countsOf(parts, request.tenantId);
}

/** Moves a tenant and its twin to another plan; limits hold for what comes, nothing that is there is taken away. */
export async function setTenantPlan(
  parts: OperateParts,
  request: { tenantId: string; plan: string },
): Promise<TenantCounts> {
  const { plan } = request;
  if (!Object.hasOwn(parts.plans.plans, plan))
    throw validationFailed([{ path: 'plan', message: `must be one of ${Object.keys(parts.plans.plans).join(', ')}` }]);
  await change(parts, request.tenantId, (tenant) => ({ ...tenant, plan }));
  return countsOf(parts, request.tenantId);
}

/** Deletes a tenant with its twin and everything they have. Calls are refused when this returns; erasing goes on. */
export async function deleteTenant(parts: OperateParts, request: { tenantId: string }): Promise<TenantCounts> {
  await change(parts, request.tenantId, (tenant) => ({ ...tenant, status: 'deleting' }), beginTenantErasure);
  return countsOf(parts, request.tenantId);
}

/** Changes both halves in one transaction, then tells keys and waits for it, so that the change holds at once. */
async function change(
  parts: OperateParts,
  tenantId: string,
  changed: (tenant: TenantRow) => Pick<TenantRow, 'status' | 'plan'>,
  also: (tx: Tx, tenant: TenantRow) => Promise<void> = async () => undefined,
): Promise<void> {
  const after = await parts.workerDatabase.transaction(async (tx) => {
    const pair = await lockPair(tx, tenantId);
    if (pair.length === 0) throw notFound('The tenant');
    const rows: TenantRow[] = [];
    for (const tenant of pair) {
      const { status, plan } = changed(tenant);
      if (tenant.status === 'deleting' && status !== 'deleting')
        throw new CairnError('conflict', 'The tenant is deleting.');
      const row = await changeTenant(tx, tenant.tenant_id, { status, plan });
      await announceTenant(tx, row, parts.plans);
      await also(tx, row);
      rows.push(row);
    }
    return rows;
  });
  for (const tenant of after) await parts.keys.applyTenant({ tenant: tenantRefOf(tenant, parts.plans) });
}

/** Says in the caller's transaction what a tenant is now. */
export async function announceTenant(tx: Tx, tenant: TenantRow, plans: PlanBook): Promise<void> {
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

function tenantRefOf(tenant: TenantRow, plans: PlanBook) {
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

async function beginTenantErasure(tx: Tx, tenant: TenantRow): Promise<void> {
  const { tenant_id: tenantId, livemode } = tenant;
  // Workspaces before memories: whoever deletes both locks in this order.
  const workspaces = await tx.query<{ workspace_id: string }>(
    `UPDATE workspaces SET deleted_at = coalesce(deleted_at, now()) WHERE tenant_id = $1 RETURNING workspace_id`,
    [tenantId],
  );
  const memories = await tx.query<MemoryRow>('SELECT * FROM memories WHERE tenant_id = $1 FOR UPDATE', [tenantId]);
  for (const memory of memories) await beginMemoryErasure(tx, memory, livemode);
  for (const { workspace_id: subjectId } of workspaces)
    await startJob(tx, { tenantId, kind: 'eraseWorkspace', subjectId, detail: { livemode } });
  await startJob(tx, { tenantId, kind: 'eraseTenant', subjectId: tenantId, detail: { livemode } });
}

async function countsOf(parts: OperateParts, tenantId: string): Promise<TenantCounts> {
  const rows = await parts.workerDatabase.transaction((tx) => listTenantCounts(tx, tenantId));
  if (rows[0] === undefined) throw notFound('The tenant');
  return rows[0];
}
