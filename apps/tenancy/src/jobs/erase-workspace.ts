import { eraseEvents } from '@cairn/events';
import type { Tx } from '@cairn/postgres';
import { requireBus, type ErasureDeps, eraseStoredResponses, eraseOwnEvents, RECHECK_MS } from './erasure.ts';
import type { JobDefinition } from './job-runner.ts';
import type { JobRow } from '../stores/job-store.ts';

/** Waits until the memories of a deleted workspace are erased, then erases the workspace: begin → events → rows. */
export function eraseWorkspace(deps: ErasureDeps): JobDefinition {
  return {
    steps: {
      begin: async (job) => {
        const remaining = await deps.workerDatabase.transaction((tx) =>
          tx.query('SELECT 1 FROM memories WHERE workspace_id = $1 LIMIT 1', [job.subject_id]),
        );
        return remaining.length > 0 ? { again: true, afterMs: RECHECK_MS } : { next: 'events' };
      },
      events: async (job) => {
        const scope = { tenantId: job.tenant_id, workspaceId: job.subject_id };
        await deps.workerDatabase.transaction((tx) => eraseOwnEvents(tx, scope));
        await eraseEvents(requireBus(deps), scope);
        return { next: 'rows' };
      },
      rows: async (job) => ({ done: true, commit: (tx) => eraseRows(tx, job) }),
    },
  };
}

async function eraseRows(tx: Tx, job: JobRow): Promise<void> {
  await eraseStoredResponses(tx, job.tenant_id, job.subject_id);
  await tx.execute('DELETE FROM workspaces WHERE workspace_id = $1', [job.subject_id]);
}
