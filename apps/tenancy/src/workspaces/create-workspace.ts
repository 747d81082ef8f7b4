import type * as operations from '@cairn/contracts';
import { type Database, idempotent } from '@cairn/postgres';
import { maskText, WORKSPACE_POLICY } from '@cairn/screening';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { lockTenantWithinLimit } from '../plans/plan-limit.ts';
import type { PlanCatalog } from '../plans/plans.ts';
import { presentWorkspace } from './present-workspace.ts';
import { createWorkspaceWithMemory } from './workspace-creation.ts';

/** Creates a workspace and, in the same transaction, its primary shared memory. */
export async function createWorkspace(
  deps: { database: Database; plans: PlanCatalog },
  context: RequestContext<typeof operations.createWorkspace>,
): Promise<JsonResponse<typeof operations.createWorkspace>> {
  const { identity, body } = context;
  const response = await deps.database.withTenant(identity.tenantId, (tx) =>
    idempotent(
      tx,
      { caller: identity, operation: 'createWorkspace', key: context.idempotencyKey, request: body },
      async () => {
        const tenant = await lockTenantWithinLimit(tx, 'workspaces', deps.plans);
        await lockTenantWithinLimit(tx, 'memories', deps.plans);
        const row = await createWorkspaceWithMemory(tx, {
          name: await maskText(body.name, WORKSPACE_POLICY),
          description: await maskText(body.description, WORKSPACE_POLICY),
          slug: body.slug,
          tenantId: tenant.tenant_id,
          livemode: tenant.livemode,
          isDefault: false,
        });
        return { status: 201, body: { workspace: presentWorkspace(row) } };
      },
    ),
  );
  return response as JsonResponse<typeof operations.createWorkspace>;
}
