import { encodeEvent } from '@cairn/contracts';
import { eraseEvents } from '@cairn/events';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import { deleteEngine, findEngine } from '../stores/engine-store.ts';
import { memoryEventScope } from '../memories/memory-event-scope.ts';
import { findMemory, lockMemory, type MemoryRow } from '../stores/memory-store.ts';
import {
  requireBus,
  type ErasureDeps,
  eraseStoredResponses,
  eraseOwnEvents,
  callOptions,
  RECHECK_MS,
} from './erasure.ts';
import type { JobDefinition, StepResult } from './job-runner.ts';
import type { JobRow } from '../stores/job-store.ts';

/**
 * Erases a memory: begin → keys → close → erase or server → events → webhooks → research → rows. Each step is
 * idempotent; after the last one only identifiers are left.
 */
export function eraseMemory(deps: ErasureDeps): JobDefinition {
  const ofMemory = (work: (memory: MemoryRow, job: JobRow, signal: AbortSignal) => Promise<StepResult>) => {
    return async (job: JobRow, signal: AbortSignal): Promise<StepResult> => {
      const memory = await deps.workerDatabase.transaction((tx) => findMemory(tx, job.subject_id));
      return memory === null ? { done: true } : work(memory, job, signal);
    };
  };
  return {
    steps: {
      begin: ofMemory(async (memory) => {
        const underWay = await deps.workerDatabase.transaction((tx) =>
          tx.query("SELECT 1 FROM jobs WHERE kind IN ('provisionMemory', 'moveMemory') AND subject_id = $1", [
            memory.memory_id,
          ]),
        );
        return underWay.length > 0 ? { again: true, afterMs: RECHECK_MS } : { next: 'keys' };
      }),
      keys: ofMemory(async (memory, _job, signal) => {
        await deps.keys.eraseKeys({ tenantId: memory.tenant_id, memoryId: memory.memory_id }, callOptions(signal));
        return { next: 'close' };
      }),
      close: ofMemory(async (memory, _job, signal) => {
        const engine = await deps.workerDatabase.transaction((tx) => findEngine(tx, memory.engine_id));
        // A dedicated server that never became ready has nothing to close.
        if (engine === null || engine.status === 'provisioning') return { next: 'server' };
        await deps.memoryStore.closeScope({ scope: storeScopeOf(memory) }, callOptions(signal));
        return { next: memory.type === 'dedicated' ? 'server' : 'erase' };
      }),
      erase: ofMemory(async (memory, _job, signal) => {
        const { finished } = await deps.memoryStore.eraseScope({ scope: storeScopeOf(memory) }, callOptions(signal));
        return finished ? { next: 'events' } : { again: true, afterMs: 0 };
      }),
      server: ofMemory(async (memory) => {
        // Unregistered first, so that no supervisor starts it again.
        await deps.workerDatabase.transaction((tx) => deleteEngine(tx, memory.engine_id));
        await deps.provisioner?.remove(memory.engine_id);
        return { next: 'events' };
      }),
      events: ofMemory(async (memory) => {
        const scope = { tenantId: memory.tenant_id, memoryId: memory.memory_id };
        await deps.workerDatabase.transaction((tx) => eraseOwnEvents(tx, scope));
        await eraseEvents(requireBus(deps), scope);
        return { next: 'webhooks' };
      }),
      webhooks: ofMemory(async (memory, _job, signal) => {
        const scope = { tenantId: memory.tenant_id, memoryId: memory.memory_id };
        const { finished } = await deps.webhooks.eraseScope(scope, callOptions(signal));
        return finished ? { next: 'research' } : { again: true, afterMs: 0 };
      }),
      research: ofMemory(async (memory, _job, signal) => {
        const scope = { tenantId: memory.tenant_id, memoryId: memory.memory_id };
        const { finished } = await deps.research.eraseScope(scope, callOptions(signal));
        if (!finished) return { again: true, afterMs: RECHECK_MS };
        // Runs that were ended by it have said so.
        await eraseEvents(requireBus(deps), scope);
        return { next: 'rows' };
      }),
      rows: async (job) => ({ done: true, commit: (tx) => eraseRows(tx, job) }),
    },
  };
}

function storeScopeOf(memory: MemoryRow) {
  return { engineId: memory.engine_id, tenantId: memory.tenant_id, memoryId: memory.memory_id };
}

async function eraseRows(tx: Tx, job: JobRow): Promise<void> {
  const memory = await lockMemory(tx, job.subject_id);
  if (memory === null) return;
  const { tenant_id: tenantId, memory_id: memoryId } = memory;
  const spaces = await tx.query<{ space_id: string }>('SELECT space_id FROM spaces WHERE memory_id = $1', [memoryId]);
  for (const id of [memoryId, ...spaces.map((space) => space.space_id)]) await eraseStoredResponses(tx, tenantId, id);
  const spaceIds = spaces.map((space) => space.space_id);
  await tx.execute('DELETE FROM space_members WHERE tenant_id = $1 AND space_id = ANY($2)', [tenantId, spaceIds]);
  await tx.execute('DELETE FROM spaces WHERE memory_id = $1', [memoryId]);
  await tx.execute("DELETE FROM jobs WHERE kind = 'eraseSpace' AND subject_id = ANY($1)", [spaceIds]);
  // The primary memory of a workspace that is being deleted: the workspace's own erasure waits for this.
  await tx.execute('UPDATE workspaces SET primary_memory_id = NULL WHERE primary_memory_id = $1', [memoryId]);
  await tx.execute('DELETE FROM memories WHERE memory_id = $1', [memoryId]);
  const livemode = job.detail['livemode'] === true;
  await appendToOutbox(tx, encodeEvent('memoryChanged', memoryEventScope(memory, livemode), { status: 'deleted' }));
}
