import type { JournalEntry } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import { beginMemoryErasure } from '../memories/begin-memory-erasure.ts';
import type { PlanCatalog } from '../plans/plans.ts';
import { beginSpaceErasure } from '../spaces/begin-space-erasure.ts';
import { findMemory } from '../stores/memory-store.ts';
import { findSpace } from '../stores/space-store.ts';
import { restoreTenantStatus, type TenantRow } from '../stores/tenant-store.ts';
import { lockWorkspace } from '../stores/workspace-store.ts';
import { announceTenant } from '../tenants/announce-tenant.ts';
import { beginTenantErasure } from '../tenants/begin-tenant-erasure.ts';
import { beginWorkspaceErasure } from '../workspaces/begin-workspace-erasure.ts';

interface ReapplyDeps {
  /** Connected as the worker role. */
  workerDatabase: Database;
  plans: PlanCatalog;
}

/**
 * Makes a decision of the journal true in a database that may have been restored to a state from before it; changes
 * nothing where it already is. An erasure begins again from its first step, because the other services' databases may
 * have been restored, too.
 */
export async function reapplyDecision(deps: ReapplyDeps, entry: JournalEntry): Promise<void> {
  await deps.workerDatabase.transaction((tx) => reapply(tx, deps, entry));
}

async function reapply(tx: Tx, { plans }: ReapplyDeps, { tenantId, decision }: JournalEntry): Promise<void> {
  const tenants = await tx.query<TenantRow>('SELECT * FROM tenants WHERE tenant_id = $1 FOR UPDATE', [tenantId]);
  const tenant = tenants[0];
  if (tenant === undefined) return;
  switch (decision.case) {
    case 'tenantStatusChanged': {
      const revision = Number(decision.value.revision);
      const status = decision.value.status as TenantRow['status'];
      // What was reapplied before has the number of the decision that follows it: then the status decides.
      if (tenant.revision > revision || (tenant.revision === revision && tenant.status === status)) return;
      // Above every revision that other services have seen, so that they take what this one says from now on.
      const row = await restoreTenantStatus(tx, tenantId, { status, revision: revision + 1 });
      await announceTenant(tx, row, plans);
      if (status === 'deleting') await beginTenantErasure(tx, row);
      return;
    }
    case 'workspaceErasureBegun': {
      const workspace = await lockWorkspace(tx, decision.value.workspaceId);
      if (workspace !== null) await beginWorkspaceErasure(tx, workspace.workspace_id, tenant);
      return;
    }
    case 'memoryErasureBegun': {
      const memory = await findMemory(tx, decision.value.memoryId);
      if (memory !== null) await beginMemoryErasure(tx, memory, tenant.livemode);
      return;
    }
    case 'spaceErasureBegun': {
      const space = await findSpace(tx, decision.value.spaceId);
      if (space !== null) await beginSpaceErasure(tx, space.space_id, tenant.livemode);
      return;
    }
    default:
  }
}
