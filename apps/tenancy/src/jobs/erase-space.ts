import { eraseEvents } from '@cairn/events';
import type { Tx } from '@cairn/postgres';
import { busOf, type ErasingParts, forgetAnswers, remote, WAIT_MS } from './erasing.ts';
import type { JobMachine } from './job-runner.ts';
import type { JobRow } from './job-store.ts';

/** Takes a space with its documents, threads and keys out of its memory: begin → close → erase → events → webhooks → research → rows. */
export function eraseSpace(parts: ErasingParts): JobMachine {
  return {
    steps: {
      begin: async (job, signal) => {
        const { tenantId, memoryId, spaceId } = scopeOf(job);
        await parts.keys.eraseKeys({ tenantId, memoryId, spaceId }, remote(signal));
        return { next: 'close' };
      },
      close: async (job, signal) => {
        await parts.memoryStore.closeScope({ scope: scopeOf(job) }, remote(signal));
        return { next: 'erase' };
      },
      erase: async (job, signal) => {
        const { finished } = await parts.memoryStore.eraseScope({ scope: scopeOf(job) }, remote(signal));
        return finished ? { next: 'events' } : { again: true, afterMs: 0 };
      },
      events: async (job) => {
        const { tenantId, memoryId, vaultId } = scopeOf(job);
        await eraseEvents(busOf(parts), { tenantId, memoryId, mentions: vaultId });
        return { next: 'webhooks' };
      },
      webhooks: async (job, signal) => {
        const { tenantId, memoryId, vaultId } = scopeOf(job);
        const { finished } = await parts.webhooks.eraseScope({ tenantId, memoryId, vaultId }, remote(signal));
        return finished ? { next: 'research' } : { again: true, afterMs: 0 };
      },
      research: async (job, signal) => {
        const { tenantId, memoryId, vaultId } = scopeOf(job);
        const { finished } = await parts.research.eraseScope({ tenantId, memoryId, vaultId }, remote(signal));
        return finished ? { next: 'rows' } : { again: true, afterMs: WAIT_MS };
      },
      rows: async (job) => ({ done: true, commit: (tx) => eraseRows(tx, job) }),
    },
  };
}

function scopeOf(job: JobRow) {
  const { engineId, memoryId, vaultId } = job.detail as Record<'engineId' | 'memoryId' | 'vaultId', string>;
  return { engineId, tenantId: job.tenant_id, memoryId, vaultId, spaceId: job.subject_id };
}

async function eraseRows(tx: Tx, job: JobRow): Promise<void> {
  await forgetAnswers(tx, job.tenant_id, job.subject_id);
  await tx.execute('DELETE FROM space_members WHERE tenant_id = $1 AND space_id = $2', [job.tenant_id, job.subject_id]);
  await tx.execute('DELETE FROM spaces WHERE space_id = $1', [job.subject_id]);
}
