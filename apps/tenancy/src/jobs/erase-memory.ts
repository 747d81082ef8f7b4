import { encodeEvent } from '@cairn/contracts';
import { eraseEvents } from '@cairn/events';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import { deleteEngine, findEngine } from '../engines/engine-store.ts';
import { scopeOf } from '../memories/begin-memory-erasure.ts';
import { findMemory, lockMemory, type MemoryRow } from '../memories/memory-store.ts';
import { busOf, type ErasingParts, forgetAnswers, forgetEvents, remote, WAIT_MS } from './erasing.ts';
import type { JobMachine, StepResult } from './job-runner.ts';
import type { JobRow } from './job-store.ts';

/**
 * Takes a memory out of the world: begin → keys → close → erase or server → events → webhooks → research → rows. Each step may be repeated;
 * when the last is done, nothing is left but identifiers.
 */
export function eraseMemory(parts: ErasingParts): JobMachine {
  const ofMemory = (work: (memory: MemoryRow, job: JobRow, signal: AbortSignal) => Promise<StepResult>) => {
    return async (job: JobRow, signal: AbortSignal): Promise<StepResult> => {
      const memory = await parts.workerDatabase.transaction((tx) => findMemory(tx, job.subject_id));
      return memory === null ? { done: true } : work(memory, job, signal);
    };
  };
  return {
    steps: {
      begin: ofMemory(async (memory) => {
        const provisioning = await parts.workerDatabase.transaction((tx) =>
          tx.query("SELECT 1 FROM jobs WHERE kind = 'provisionMemory' AND subject_id = $1", [memory.memory_id]),
        );
        return provisioning.length > 0 ? { again: true, afterMs: WAIT_MS } : { next: 'keys' };
      }),
      keys: ofMemory(async (memory, _job, signal) => {
        await parts.keys.eraseKeys({ tenantId: memory.tenant_id, memoryId: memory.memory_id }, remote(signal));
        return { next: 'close' };
      }),
      close: ofMemory(async (memory, _job, signal) => {
        const engine = await parts.workerDatabase.transaction((tx) => findEngine(tx, memory.engine_id));
        // A dedicated server that was never made ready has nothing to close.
        if (engine === null || engine.status === 'provisioning') return { next: 'server' };
        await parts.memoryStore.closeScope({ scope: storeScopeOf(memory) }, remote(signal));
        return { next: memory.type === 'dedicated' ? 'server' : 'erase' };
      }),
      erase: ofMemory(async (memory, _job, signal) => {
        const { finished } = await parts.memoryStore.eraseScope({ scope: storeScopeOf(memory) }, remote(signal));
        return finished ? { next: 'events' } : { again: true, afterMs: 0 };
      }),
      server: ofMemory(async (memory) => {
        // First out of the register, so that nobody keeps it running.
        await parts.workerDatabase.transaction((tx) => deleteEngine(tx, memory.engine_id));
        await parts.provisioner?.remove(memory.engine_id);
        return { next: 'events' };
      }),
      events: ofMemory(async (memory) => {
        const scope = { tenantId: memory.tenant_id, memoryId: memory.memory_id };
        await parts.workerDatabase.transaction((tx) => forgetEvents(tx, scope));
        await eraseEvents(busOf(parts), scope);
        return { next: 'webhooks' };
      }),
      webhooks: ofMemory(async (memory, _job, signal) => {
        const scope = { tenantId: memory.tenant_id, memoryId: memory.memory_id };
        const { finished } = await parts.webhooks.eraseScope(scope, remote(signal));
        return finished ? { next: 'research' } : { again: true, afterMs: 0 };
      }),
      research: ofMemory(async (memory, _job, signal) => {
        const scope = { tenantId: memory.tenant_id, memoryId: memory.memory_id };
        const { finished } = await parts.research.eraseScope(scope, remote(signal));
        return finished ? { next: 'rows' } : { again: true, afterMs: WAIT_MS };
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
  for (const id of [memoryId, ...spaces.map((space) => space.space_id)]) await forgetAnswers(tx, tenantId, id);
  const spaceIds = spaces.map((space) => space.space_id);
  await tx.execute('DELETE FROM space_members WHERE tenant_id = $1 AND space_id = ANY($2)', [tenantId, spaceIds]);
  await tx.execute('DELETE FROM spaces WHERE memory_id = $1', [memoryId]);
  await tx.execute("DELETE FROM jobs WHERE kind = 'eraseSpace' AND subject_id = ANY($1)", [spaceIds]);
  // The primary memory of a workspace that is being deleted: the workspace's own erasure waits for this.
  await tx.execute('UPDATE workspaces SET primary_memory_id = NULL WHERE primary_memory_id = $1', [memoryId]);
  await tx.execute('DELETE FROM memories WHERE memory_id = $1', [memoryId]);
  const livemode = job.detail['livemode'] === true;
  await appendToOutbox(tx, encodeEvent('memoryChanged', scopeOf(memory, livemode), { status: 'deleted' }));
}
