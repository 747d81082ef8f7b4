import { eraseEvents } from '@cairn/events';
import type { Tx } from '@cairn/postgres';
import { busOf, type ErasingParts, forgetAnswers, forgetEvents, WAIT_MS } from './erasing.ts';
import type { JobMachine } from './job-runner.ts';
import type { JobRow } from './job-store.ts';

/** Waits until the memories of a deleted workspace are erased, then takes the workspace away: begin → events → rows. */
export function eraseWorkspace(parts: ErasingParts): JobMachine {
  return {
    steps: {
      begin: async (job) => {
        const left = await parts.workerDatabase.transaction((tx) =>
          tx.query('SELECT 1 FROM memories WHERE workspace_id = $1 LIMIT 1', [job.subject_id]),
        );
        return left.length > 0 ? { again: true, afterMs: WAIT_MS } : { next: 'events' };
      },
      events: async (job) => {
        const scope = { tenantId: job.tenant_id, workspaceId: job.subject_id };
        await parts.workerDatabase.transaction((tx) => forgetEvents(tx, scope));
        await eraseEvents(busOf(parts), scope);
        return { next: 'rows' };
      },
      rows: async (job) => ({ done: true, commit: (tx) => eraseRows(tx, job) }),
    },
  };
}

async function eraseRows(tx: Tx, job: JobRow): Promise<void> {
  await forgetAnswers(tx, job.tenant_id, job.subject_id);
  await tx.execute('DELETE FROM workspaces WHERE workspace_id = $1', [job.subject_id]);
}
