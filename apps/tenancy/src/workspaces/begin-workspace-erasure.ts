import { encodeEvent, encodeJournalEntry } from '@cairn/contracts';
import { appendAllToOutbox, type Tx } from '@cairn/postgres';
import { beginMemoryErasure } from '../memories/begin-memory-erasure.ts';
import { startJob } from '../stores/job-store.ts';
import { listMemoryRows, type MemoryRow } from '../stores/memory-store.ts';
import { markWorkspaceDeleted } from '../stores/workspace-store.ts';

/** Marks the workspace and its memories as being deleted, in the caller's transaction; returns the memories to close. */
export async function beginWorkspaceErasure(
  tx: Tx,
  workspaceId: string,
  { tenant_id: tenantId, livemode }: { tenant_id: string; livemode: boolean },
): Promise<MemoryRow[]> {
  await markWorkspaceDeleted(tx, workspaceId);
  const memories = await listMemoryRows(tx, { workspaceId, after: '', fetch: null });
  for (const memory of memories) await beginMemoryErasure(tx, memory, livemode);
  await startJob(tx, { tenantId, kind: 'eraseWorkspace', subjectId: workspaceId, detail: { livemode } });
  await appendAllToOutbox(tx, [
    encodeEvent('workspaceDeleted', { tenantId, livemode, workspaceId }, {}),
    encodeJournalEntry('tenancy', tenantId, { case: 'workspaceErasureBegun', value: { workspaceId } }),
  ]);
  return memories;
}
