import type * as operations from '@cairn/contracts';
import { memorySettingsOf, newId } from '@cairn/contracts';
import { CairnError, notFound, validationFailed } from '@cairn/errors';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import { maskText, policyOf } from '@cairn/screening';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { lockTenantWithinLimit } from '../plans/plan-limit.ts';
import type { PlanCatalog } from '../plans/plans.ts';
import { findDefaultWorkspace, lockWorkspace } from '../stores/workspace-store.ts';
import { createDedicatedMemory, createSharedMemory } from './memory-creation.ts';
import { presentMemory } from './present-memory.ts';

/** Creates a memory in the named workspace, or in the default one. */
export async function createMemory(
  deps: { database: Database; plans: PlanCatalog; offersDedicated: boolean },
  context: RequestContext<typeof operations.createMemory>,
): Promise<JsonResponse<typeof operations.createMemory>> {
  const { identity, body } = context;
  if (body.type === 'dedicated' && !deps.offersDedicated) {
    throw validationFailed([{ path: 'type', message: 'dedicated memories are not offered by this installation' }]);
  }
  const response = await deps.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      { caller: identity, operation: 'createMemory', key: context.idempotencyKey, request: body },
      async () => {
        const tenant = await lockTenantWithinLimit(tx, 'memories', deps.plans);
        const create = body.type === 'dedicated' ? createDedicatedMemory : createSharedMemory;
        const row = await create(tx, {
          tenantId: tenant.tenant_id,
          livemode: tenant.livemode,
          memoryId: newId('memory'),
          workspaceId: await resolveWorkspace(tx, body.workspace_id),
          displayName: await maskText(body.display_name, policyOf(body.dlp_policy)),
          settings: memorySettingsOf(body),
        });
        return { status: 201, body: presentMemory(row) };
      },
    ),
  );
  return response as JsonResponse<typeof operations.createMemory>;
}

async function resolveWorkspace(tx: Tx, workspaceId: string | undefined): Promise<string> {
  const workspace = workspaceId === undefined ? await findDefaultWorkspace(tx) : await lockWorkspace(tx, workspaceId);
  if (workspace !== null) return workspace.workspace_id;
  if (workspaceId !== undefined) throw notFound('The workspace');
  throw new CairnError('internal', '', { internal: 'the tenant has no default workspace' });
}
