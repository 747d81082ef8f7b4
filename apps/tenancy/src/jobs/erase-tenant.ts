import { eraseEvents } from '@cairn/events';
import { eraseStoredEvents, type Tx } from '@cairn/postgres';
import { requireBus, type ErasureDeps, eraseOwnEvents, callOptions, RECHECK_MS } from './erasure.ts';
import type { JobDefinition } from './job-runner.ts';
import type { JobRow } from '../stores/job-store.ts';
import type { TenantRow } from '../stores/tenant-store.ts';
import { beginTenantErasure } from '../tenants/begin-tenant-erasure.ts';

/** Waits until the workspaces of a deleted tenant are erased, then erases the tenant: begin → events → webhooks → research → keys → usage → rows. */
export function eraseTenant(deps: ErasureDeps): JobDefinition {
  return {
    steps: {
      begin: async (job) => {
        const remaining = await deps.workerDatabase.transaction(async (tx) => {
          await eraseUnmarked(tx, job.subject_id);
          return tx.query(
            `SELECT 1 FROM workspaces WHERE tenant_id = $1
             UNION ALL SELECT 1 FROM memories WHERE tenant_id = $1
             UNION ALL SELECT 1 FROM tenants WHERE twin_of = $1 LIMIT 1`,
            [job.subject_id],
          );
        });
        return remaining.length > 0 ? { again: true, afterMs: RECHECK_MS } : { next: 'events' };
      },
      events: async (job) => {
        const scope = { tenantId: job.subject_id };
        await deps.workerDatabase.transaction((tx) => eraseOwnEvents(tx, scope));
        await eraseEvents(requireBus(deps), scope);
        return { next: 'webhooks' };
      },
      webhooks: async (job, signal) => {
        const { finished } = await deps.webhooks.eraseScope({ tenantId: job.subject_id }, callOptions(signal));
        return finished ? { next: 'research' } : { again: true, afterMs: 0 };
      },
      research: async (job, signal) => {
        const scope = { tenantId: job.subject_id };
        const { finished } = await deps.research.eraseScope(scope, callOptions(signal));
        if (!finished) return { again: true, afterMs: RECHECK_MS };
        // Runs that were ended by it have said so.
        await eraseEvents(requireBus(deps), scope);
        return { next: 'keys' };
      },
      // After its events, which would make the keys service store the tenant again.
      keys: async (job, signal) => {
        await deps.keys.eraseKeys({ tenantId: job.subject_id }, callOptions(signal));
        return { next: 'usage' };
      },
      usage: async (job, signal) => {
        const { finished } = await deps.usage.eraseTenant({ tenantId: job.subject_id }, callOptions(signal));
        return finished ? { next: 'rows' } : { again: true, afterMs: 0 };
      },
      rows: async (job) => ({ done: true, commit: (tx) => eraseRows(tx, job) }),
    },
  };
}

/** Schedules the erasure of what was created after the tenant was marked as deleting: earlier releases allowed it. */
async function eraseUnmarked(tx: Tx, tenantId: string): Promise<void> {
  const tenants = await tx.query<TenantRow>(
    `SELECT * FROM tenants
      WHERE tenant_id = $1
        AND (EXISTS (SELECT FROM workspaces WHERE workspaces.tenant_id = $1 AND deleted_at IS NULL)
             OR EXISTS (SELECT FROM memories WHERE memories.tenant_id = $1 AND memories.status <> 'deleting'))
        FOR UPDATE`,
    [tenantId],
  );
  for (const tenant of tenants) await beginTenantErasure(tx, tenant);
}

async function eraseRows(tx: Tx, job: JobRow): Promise<void> {
  await eraseStoredEvents(tx, job.subject_id);
  for (const table of ['provider_keys', 'idempotency_keys', 'jobs', 'tenants'] as const)
    await tx.execute(`DELETE FROM ${table} WHERE tenant_id = $1`, [job.subject_id]);
}
