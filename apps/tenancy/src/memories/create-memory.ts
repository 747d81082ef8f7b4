import { type createMemory, newId } from '@cairn/contracts';
import { CairnError, notFound, validationFailed } from '@cairn/errors';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import { maskText, policyOf } from '@cairn/screening';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { presentMemory } from '../present.ts';
import { lockTenantWithRoomFor } from '../tenants/plan-limit.ts';
import type { PlanBook } from '../tenants/plans.ts';
import { findDefaultWorkspace, lockWorkspace } from '../workspaces/workspace-store.ts';
import { makeDedicatedMemory, makeSharedMemory } from './make-memory.ts';

/** Creates a memory in the named workspace, or in the default one. */
export async function createTenantMemory(
  parts: { database: Database; plans: PlanBook; offersDedicated: boolean },
  call: Call<typeof createMemory>,
): Promise<JsonAnswer<typeof createMemory>> {
  const { identity, body } = call;
  if (body.type === 'dedicated' && !parts.offersDedicated) {
    throw validationFailed([{ path: 'type', message: 'dedicated memories are not offered by this installation' }]);
  }
  const answer = await parts.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      { caller: identity, operation: 'createMemory', key: call.idempotencyKey, request: body },
      async () => {
        const tenant = await lockTenantWithRoomFor(tx, 'memories', parts.plans);
        const make = body.type === 'dedicated' ? makeDedicatedMemory : makeSharedMemory;
        const row = await make(tx, {
          tenantId: tenant.tenant_id,
          livemode: tenant.livemode,
          memoryId: newId('memory'),
          workspaceId: await homeOf(tx, body.workspace_id),
          displayName: await maskText(body.display_name, policyOf(body.dlp_policy)),
          dlpPolicy: body.dlp_policy,
        });
        return { status: 201, body: presentMemory(row) };
      },
    ),
  );
  return answer as JsonAnswer<typeof createMemory>;
}

async function homeOf(tx: Tx, workspaceId: string | undefined): Promise<string> {
  const workspace = workspaceId === undefined ? await findDefaultWorkspace(tx) : await lockWorkspace(tx, workspaceId);
  if (workspace !== null) return workspace.workspace_id;
  if (workspaceId !== undefined) throw notFound('The workspace');
  throw new CairnError('internal', '', { internal: 'the tenant has no default workspace' });
}
