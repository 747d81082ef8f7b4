import { newId } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import { type Plan, type PlanCatalog, planOf } from '../plans/plans.ts';
import { findMemory, type MemoryRow } from '../stores/memory-store.ts';
import { insertTenant, type TenantRow } from '../stores/tenant-store.ts';
import type { WorkspaceRow } from '../stores/workspace-store.ts';
import { createWorkspaceWithMemory } from '../workspaces/workspace-creation.ts';
import { announceTenant } from './announce-tenant.ts';

export interface NewTenant {
  tenant: TenantRow;
  workspace: WorkspaceRow;
  memory: MemoryRow;
  plan: Plan;
}

/** Creates a live tenant and its test tenant, each with a default workspace and its primary memory. */
export async function createTenant(
  deps: { workerDatabase: Database; plans: PlanCatalog },
  request: { name: string; plan: string },
): Promise<{ live: NewTenant; test: NewTenant }> {
  const name = request.name.trim();
  const plan = request.plan === '' ? deps.plans.start : request.plan;
  if (name === '') throw validationFailed([{ path: 'name', message: 'is required' }]);
  if (!Object.hasOwn(deps.plans.plans, plan)) {
    throw validationFailed([{ path: 'plan', message: `must be one of ${Object.keys(deps.plans.plans).join(', ')}` }]);
  }
  return deps.workerDatabase.transaction(async (tx) => {
    const live = await createOne(tx, deps.plans, { name, plan, testOf: null });
    const test = await createOne(tx, deps.plans, { name, plan, testOf: live.tenant.tenant_id });
    return { live, test };
  });
}

async function createOne(
  tx: Tx,
  plans: PlanCatalog,
  request: { name: string; plan: string; testOf: string | null },
): Promise<NewTenant> {
  const livemode = request.testOf === null;
  const tenant = await insertTenant(tx, {
    tenant_id: newId('tenant'),
    twin_of: request.testOf,
    name: request.name,
    livemode,
    plan: request.plan,
  });
  const workspace = await createWorkspaceWithMemory(tx, {
    tenantId: tenant.tenant_id,
    livemode,
    name: 'Default',
    description: '',
    isDefault: true,
  });
  const memory = (await findMemory(tx, workspace.primary_memory_id!))!;
  await announceTenant(tx, tenant, plans);
  return { tenant, workspace, memory, plan: planOf(plans, tenant) };
}
