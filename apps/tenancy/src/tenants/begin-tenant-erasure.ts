import type { Tx } from '@cairn/postgres';
import { beginMemoryErasure } from '../memories/begin-memory-erasure.ts';
import { startJob } from '../stores/job-store.ts';
import type { MemoryRow } from '../stores/memory-store.ts';
import type { TenantRow } from '../stores/tenant-store.ts';

/** Schedules the erasure of everything that a tenant owns, in the transaction that marks it as deleting. */
export async function beginTenantErasure(tx: Tx, tenant: TenantRow): Promise<void> {
  const { tenant_id: tenantId, livemode } = tenant;
  // Workspaces before memories: whoever deletes both locks in this order.
  const workspaces = await tx.query<{ workspace_id: string }>(
    `UPDATE workspaces SET deleted_at = coalesce(deleted_at, now()) WHERE tenant_id = $1 RETURNING workspace_id`,
    [tenantId],
  );
  const memories = await tx.query<MemoryRow>('SELECT * FROM memories WHERE tenant_id = $1 FOR UPDATE', [tenantId]);
  for (const memory of memories) await beginMemoryErasure(tx, memory, livemode);
  for (const { workspace_id: subjectId } of workspaces)
    await startJob(tx, { tenantId, kind: 'eraseWorkspace', subjectId, detail: { livemode } });
  await startJob(tx, { tenantId, kind: 'eraseTenant', subjectId: tenantId, detail: { livemode } });
}
