import { type createWorkspace, encodeEvent, newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { appendToOutbox, type Database, idempotent, type Tx } from '@cairn/postgres';
import { maskText, WORKSPACE_POLICY } from '@cairn/screening';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { makeSharedMemory } from '../memories/make-memory.ts';
import { presentWorkspace } from '../present.ts';
import { freeSlug, slugOf } from '../slug.ts';
import { lockTenantWithRoomFor } from '../tenants/plan-limit.ts';
import type { PlanBook } from '../tenants/plans.ts';
import { insertWorkspace, slugsLike, type WorkspaceRow } from './workspace-store.ts';

/** Creates a workspace and, in the same transaction, its primary shared memory. */
export async function createTenantWorkspace(
  parts: { database: Database; plans: PlanBook },
  call: Call<typeof createWorkspace>,
): Promise<JsonAnswer<typeof createWorkspace>> {
  const { identity, body } = call;
  const answer = await parts.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      { caller: identity, operation: 'createWorkspace', key: call.idempotencyKey, request: body },
      async () => {
        const tenant = await lockTenantWithRoomFor(tx, 'workspaces', parts.plans);
        await lockTenantWithRoomFor(tx, 'memories', parts.plans);
        const row = await makeWorkspace(tx, {
          ...body,
          name: await maskText(body.name, WORKSPACE_POLICY),
          description: await maskText(body.description, WORKSPACE_POLICY),
          tenantId: tenant.tenant_id,
          livemode: tenant.livemode,
          isDefault: false,
        });
        return { status: 201, body: { workspace: presentWorkspace(row) } };
      },
    ),
  );
  return answer as JsonAnswer<typeof createWorkspace>;
}

export interface WorkspacePlan {
  tenantId: string;
  livemode: boolean;
  name: string;
  description: string;
  slug?: string | undefined;
  isDefault: boolean;
}

/** The workspace, its primary memory and both events. The caller has checked the plan and holds the tenant's row. */
export async function makeWorkspace(tx: Tx, plan: WorkspacePlan): Promise<WorkspaceRow> {
  const workspaceId = newId('workspace');
  const memoryId = newId('memory');
  const wished = plan.slug ?? slugOf(plan.name, 'workspace');
  const taken = await slugsLike(tx, plan.tenantId, wished);
  if (plan.slug !== undefined && taken.has(plan.slug))
    throw new CairnError('conflict', `The slug ${plan.slug} is taken.`);
  const row = await insertWorkspace(tx, {
    tenant_id: plan.tenantId,
    workspace_id: workspaceId,
    name: plan.name,
    description: plan.description,
    slug: freeSlug(wished, taken),
    is_default: plan.isDefault,
    primary_memory_id: memoryId,
  });
  await makeSharedMemory(tx, {
    tenantId: plan.tenantId,
    livemode: plan.livemode,
    memoryId,
    workspaceId,
    displayName: plan.name,
    dlpPolicy: 'secrets',
  });
  await appendToOutbox(
    tx,
    encodeEvent(
      'workspaceCreated',
      { tenantId: plan.tenantId, livemode: plan.livemode, workspaceId },
      { name: plan.name, primaryMemoryId: memoryId },
    ),
  );
  return row;
}
