import { eraseEvents } from '@cairn/events';
import type { Tx } from '@cairn/postgres';
import { requireBus, type ErasureDeps, eraseStoredResponses, callOptions, RECHECK_MS } from './erasure.ts';
import type { JobDefinition } from './job-runner.ts';
import type { JobRow } from '../stores/job-store.ts';
import { findMemory } from '../stores/memory-store.ts';

/** Erases a space with its documents, threads and keys: begin → close → erase → events → webhooks → research → rows. */
export function eraseSpace(deps: ErasureDeps): JobDefinition {
  return {
    steps: {
      begin: async (job, signal) => {
        const { tenantId, memoryId, spaceId } = scopeOf(job);
        await deps.keys.eraseKeys({ tenantId, memoryId, spaceId }, callOptions(signal));
        return { next: 'close' };
      },
      close: async (job, signal) => {
        await deps.memoryStore.closeScope({ scope: await storeScopeOf(deps, job) }, callOptions(signal));
        return { next: 'erase' };
      },
      erase: async (job, signal) => {
        const scope = await storeScopeOf(deps, job);
        const { finished } = await deps.memoryStore.eraseScope({ scope }, callOptions(signal));
        return finished ? { next: 'events' } : { again: true, afterMs: 0 };
      },
      events: async (job) => {
        const { tenantId, memoryId, vaultId } = scopeOf(job);
        await eraseEvents(requireBus(deps), { tenantId, memoryId, mentions: vaultId });
        return { next: 'webhooks' };
      },
      webhooks: async (job, signal) => {
        const { tenantId, memoryId, vaultId } = scopeOf(job);
        const { finished } = await deps.webhooks.eraseScope({ tenantId, memoryId, vaultId }, callOptions(signal));
        return finished ? { next: 'research' } : { again: true, afterMs: 0 };
      },
      research: async (job, signal) => {
        const { tenantId, memoryId, vaultId } = scopeOf(job);
        const { finished } = await deps.research.eraseScope({ tenantId, memoryId, vaultId }, callOptions(signal));
        return finished ? { next: 'rows' } : { again: true, afterMs: RECHECK_MS };
      },
      rows: async (job) => ({ done: true, commit: (tx) => eraseRows(tx, job) }),
    },
  };
}

function scopeOf(job: JobRow) {
  const { engineId, memoryId, vaultId } = job.detail as Record<'engineId' | 'memoryId' | 'vaultId', string>;
  return { engineId, tenantId: job.tenant_id, memoryId, vaultId, spaceId: job.subject_id };
}

/** On the engine that holds the memory now: it may have moved since the space was deleted. */
async function storeScopeOf({ workerDatabase }: ErasureDeps, job: JobRow) {
  const scope = scopeOf(job);
  const memory = await workerDatabase.transaction((tx) => findMemory(tx, scope.memoryId));
  return { ...scope, engineId: memory?.engine_id ?? scope.engineId };
}

async function eraseRows(tx: Tx, job: JobRow): Promise<void> {
  await eraseStoredResponses(tx, job.tenant_id, job.subject_id);
  await tx.execute('DELETE FROM space_members WHERE tenant_id = $1 AND space_id = $2', [job.tenant_id, job.subject_id]);
  await tx.execute('DELETE FROM spaces WHERE space_id = $1', [job.subject_id]);
}
