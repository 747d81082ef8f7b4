import type * as operations from '@cairn/contracts';
import { encodeEvent } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { appendToOutbox, type Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { beginMemoryErasure } from '../memories/begin-memory-erasure.ts';
import { closeMemories, type CloseDeps } from '../memories/close-memories.ts';
import { startJob } from '../stores/job-store.ts';
import { listMemoryRows } from '../stores/memory-store.ts';
import { lockWorkspace, markWorkspaceDeleted } from '../stores/workspace-store.ts';

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
    await markWorkspaceDeleted(tx, workspaceId);
    const rows = await listMemoryRows(tx, { workspaceId, after: '', fetch: null });
    for (const row of rows) await beginMemoryErasure(tx, row, livemode);
    await startJob(tx, { tenantId, kind: 'eraseWorkspace', subjectId: workspaceId, detail: { livemode } });
    await appendToOutbox(tx, encodeEvent('workspaceDeleted', { tenantId, livemode, workspaceId }, {}));
    return rows;
  });
  await closeMemories(deps, memories, context.signal);
  return { body: { workspace_id: workspaceId, deleted: true } };
}
