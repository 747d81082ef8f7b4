import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { closeMemories, type CloseDeps } from '../memories/close-memories.ts';
import { lockWorkspace } from '../stores/workspace-store.ts';
import { beginWorkspaceErasure } from './begin-workspace-erasure.ts';

/** Deletes a workspace and every memory in it: gone for callers when this returns, erased in the background. */
export async function deleteWorkspace(
  deps: { database: Database } & CloseDeps,
  context: RequestContext<typeof operations.deleteWorkspace>,
): Promise<JsonResponse<typeof operations.deleteWorkspace>> {
  const { tenantId, livemode } = context.identity;
  const workspaceId = context.params.workspace_id;
  const memories = await deps.database.withTenant(tenantId, async (tx) => {
    const workspace = await lockWorkspace(tx, workspaceId);
    if (workspace === null) throw notFound('The workspace');
    if (workspace.is_default) throw new CairnError('conflict', 'The default workspace cannot be deleted.');
    return beginWorkspaceErasure(tx, workspaceId, { tenant_id: tenantId, livemode });
  });
  await closeMemories(deps, memories, context.signal);
  return { body: { workspace_id: workspaceId, deleted: true } };
}
