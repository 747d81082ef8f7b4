import { eraseEvents } from '@cairn/events';
import type { Tx } from '@cairn/postgres';
import { busOf, type ErasingParts, forgetEvents, remote, WAIT_MS } from './erasing.ts';
import type { JobMachine } from './job-runner.ts';
import type { JobRow } from './job-store.ts';

/** Waits until the workspaces of a deleted tenant are erased, then takes the tenant away: begin → events → webhooks → research → keys → usage → rows. */
export function eraseTenant(parts: ErasingParts): JobMachine {
  return {
    steps: {
      begin: async (job) => {
        const left = await parts.workerDatabase.transaction((tx) =>
          tx.query(
            `SELECT 1 FROM workspaces WHERE tenant_id = $1
             UNION ALL SELECT 1 FROM memories WHERE tenant_id = $1
             UNION ALL SELECT 1 FROM tenants WHERE twin_of = $1 LIMIT 1`,
            [job.subject_id],
          ),
        );
        return left.length > 0 ? { again: true, afterMs: WAIT_MS } : { next: 'events' };
      },
      events: async (job) => {
        const scope = { tenantId: job.subject_id };
        await parts.workerDatabase.transaction((tx) => forgetEvents(tx, scope));
        await eraseEvents(busOf(parts), scope);
        return { next: 'webhooks' };
      },
      webhooks: async (job, signal) => {
        const { finished } = await parts.webhooks.eraseScope({ tenantId: job.subject_id }, remote(signal));
        return finished ? { next: 'research' } : { again: true, afterMs: 0 };
      },
      research: async (job, signal) => {
        const { finished } = await parts.research.eraseScope({ tenantId: job.subject_id }, remote(signal));
        return finished ? { next: 'keys' } : { again: true, afterMs: WAIT_MS };
      },
      // After its events, which would tell keys of the tenant again.
      keys: async (job, signal) => {
        await parts.keys.eraseKeys({ tenantId: job.subject_id }, remote(signal));
        return { next: 'usage' };
      },
      usage: async (job, signal) => {
        const { finished } = await parts.usage.eraseTenant({ tenantId: job.subject_id }, remote(signal));
        return finished ? { next: 'rows' } : { again: true, afterMs: 0 };
      },
      rows: async (job) => ({ done: true, commit: (tx) => eraseRows(tx, job) }),
    },
  };
}

async function eraseRows(tx: Tx, job: JobRow): Promise<void> {
  for (const table of ['provider_keys', 'idempotency_keys', 'outbox', 'jobs', 'tenants'] as const)
    await tx.execute(`DELETE FROM ${table} WHERE tenant_id = $1`, [job.subject_id]);
}
