import { newId } from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import { type Plan, planOf, type PlanBook } from './plans.ts';
import { findMemory, type MemoryRow } from '../memories/memory-store.ts';
import { makeWorkspace } from '../workspaces/create-workspace.ts';
import type { WorkspaceRow } from '../workspaces/workspace-store.ts';
import { announceTenant } from './operate-tenants.ts';
import { insertTenant, type TenantRow } from './tenant-store.ts';

export interface NewTenant {
  tenant: TenantRow;
  workspace: WorkspaceRow;
  memory: MemoryRow;
  plan: Plan;
}

/** Creates a tenant with its non-production twin, each with a default workspace and its primary memory. */
export async function createTenant(
  parts: { workerDatabase: Database; plans: PlanBook },
  request: { name: string; plan: string },
): Promise<{ live: NewTenant; test: NewTenant }> {
  const name = request.name.trim();
  const plan = request.plan === '' ? parts.plans.start : request.plan;
  if (name === '') throw validationFailed([{ path: 'name', message: 'is required' }]);
  if (!Object.hasOwn(parts.plans.plans, plan)) {
    throw validationFailed([{ path: 'plan', message: `must be one of ${Object.keys(parts.plans.plans).join(', ')}` }]);
  }
  return parts.workerDatabase.transaction(async (tx) => {
    const live = await makeTenant(tx, parts.plans, { name, plan, twinOf: null });
    const test = await makeTenant(tx, parts.plans, { name, plan, twinOf: live.tenant.tenant_id });
    return { live, test };
  });
}

async function makeTenant(
  tx: Tx,
  plans: PlanBook,
  wish: { name: string; plan: string; twinOf: string | null },
): Promise<NewTenant> {
  const livemode = wish.twinOf === null;
  const tenant = await insertTenant(tx, {
    tenant_id: newId('tenant'),
    twin_of: wish.twinOf,
    name: wish.name,
    livemode,
    plan: wish.plan,
  });
  const workspace = await makeWorkspace(tx, {
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
