import { encodeEvent } from '@cairn/contracts';
import { appendToOutbox, type Database, type Tx } from '@cairn/postgres';
import type { EngineProvisioner } from '../engines/engine-provisioner.ts';
import { newEngineSecret, sealEngine } from '../engines/engine-secret.ts';
import { deleteEngine, insertEngine } from '../engines/engine-store.ts';
import { activateEngine, ENGINE_DATABASE, type EngineParts } from '../engines/set-up-engine.ts';
import { scopeOf } from '../memories/begin-memory-erasure.ts';
import { changeMemory, findMemory, lockMemory, type MemoryRow } from '../memories/memory-store.ts';
import type { JobMachine } from './job-runner.ts';
import type { JobRow } from './job-store.ts';

export interface ProvisionParts extends EngineParts {
  workerDatabase: Database;
  provisioner: EngineProvisioner | null;
}

const ATTEMPTS_MAX = 6;
/** What the tenant is told; the cause is the operator's. */
const FAILED_REASON = 'The server of the memory could not be made ready. Delete the memory and create it again.';

/**
 * Gives a dedicated memory its server: begin → server → schema → activate. What keeps failing, or is deleted
 * meanwhile, ends in `remove`, which leaves no process and no folder behind.
 */
export function provisionMemory(parts: ProvisionParts): JobMachine {
  return {
    giveUp: { afterAttempts: ATTEMPTS_MAX, step: 'remove' },
    steps: {
      begin: async (job) => {
        const memory = await wantedMemory(parts, job);
        if (memory === null) return { next: 'remove' };
        const { engine_id: engineId } = memory;
        const sealed = await sealEngine(parts.sealing, engineId, { password: newEngineSecret(), roles: null });
        const row = { engine_id: engineId, name: memory.memory_id, weight: 1, location: '' };
        return {
          next: 'server',
          commit: (tx) => insertEngine(tx, { ...row, kind: 'dedicated', status: 'provisioning' }, sealed),
        };
      },
      server: async (job) => {
        const memory = await wantedMemory(parts, job);
        if (memory === null) return { next: 'remove' };
        await provisionerOf(parts).ensure(memory.engine_id);
        return { next: 'schema' };
      },
      schema: async (job) => {
        const memory = await wantedMemory(parts, job);
        if (memory === null) return { next: 'remove' };
        const { adminUrl } = await provisionerOf(parts).ensure(memory.engine_id);
        await activateEngine(parts, memory.engine_id, { adminUrl, database: ENGINE_DATABASE });
        return { next: 'activate' };
      },
      activate: async (job) => {
        if ((await wantedMemory(parts, job)) === null) return { next: 'remove' };
        return { done: true, commit: (tx) => settle(tx, job, { status: 'active', status_reason: null }) };
      },
      remove: async (job) => {
        const engineId = job.detail['engineId'] as string;
        await parts.workerDatabase.transaction((tx) => deleteEngine(tx, engineId));
        await provisionerOf(parts).remove(engineId);
        return { done: true, commit: (tx) => settle(tx, job, { status: 'failed', status_reason: FAILED_REASON }) };
      },
    },
  };
}

function provisionerOf(parts: ProvisionParts): EngineProvisioner {
  if (parts.provisioner === null) throw new Error('this installation has no provisioner of engines');
  return parts.provisioner;
}

/** The memory, as long as it is still waited for. */
async function wantedMemory(parts: ProvisionParts, job: JobRow): Promise<MemoryRow | null> {
  const memory = await parts.workerDatabase.transaction((tx) => findMemory(tx, job.subject_id));
  return memory?.status === 'provisioning' ? memory : null;
}

/** Says how it ended, unless the memory was deleted in the meantime. */
async function settle(tx: Tx, job: JobRow, end: Pick<MemoryRow, 'status' | 'status_reason'>): Promise<void> {
  const memory = await lockMemory(tx, job.subject_id);
  if (memory?.status !== 'provisioning') return;
  await changeMemory(tx, memory.memory_id, { ...memory, ...end });
  const livemode = job.detail['livemode'] === true;
  await appendToOutbox(tx, encodeEvent('memoryChanged', scopeOf(memory, livemode), { status: end.status }));
}
