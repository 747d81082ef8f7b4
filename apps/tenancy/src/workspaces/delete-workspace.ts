import { type deleteWorkspace, encodeEvent } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { appendToOutbox, type Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { startJob } from '../jobs/job-store.ts';
import { beginMemoryErasure, type ClosingParts, closeMemories } from '../memories/begin-memory-erasure.ts';
import { listMemoryRows } from '../memories/memory-store.ts';
import { lockWorkspace, markWorkspaceDeleted } from './workspace-store.ts';

/** Deletes a workspace and every memory in it: gone for callers when this answers, erased in the background. */
export async function removeWorkspace(
  parts: { database: Database } & ClosingParts,
  call: Call<typeof deleteWorkspace>,
): Promise<JsonAnswer<typeof deleteWorkspace>> {
  const { tenantId, livemode } = call.identity;
  const workspaceId = call.params.workspace_id;
  const memories = await parts.database.withTenant(tenantId, async (tx) => {
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
  await closeMemories(parts, memories, call.signal);
  return { body: { workspace_id: workspaceId, deleted: true } };
}
