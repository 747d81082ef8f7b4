import { encodeEvent } from '@cairn/contracts';
import { appendToOutbox, type Database, type Tx } from '@cairn/postgres';
import type { EngineProvisioner } from '../engines/engine-provisioner.ts';
import { encryptEngineSecret, newEngineSecret } from '../engines/engine-secret.ts';
import { deleteEngine, insertEngine } from '../stores/engine-store.ts';
import { activateEngine, type EngineDeps } from '../engines/prepare-engine.ts';
import { memoryEventScope } from '../memories/memory-event-scope.ts';
import { changeMemory, findMemory, lockMemory, type MemoryRow } from '../stores/memory-store.ts';
import type { JobDefinition } from './job-runner.ts';
import type { JobRow } from '../stores/job-store.ts';

export interface ProvisionDeps extends EngineDeps {
  workerDatabase: Database;
  provisioner: EngineProvisioner | null;
}

const ATTEMPTS_MAX = 6;
/** Public; the cause goes to the operator's log only. */
const FAILED_REASON = 'The server of the memory could not be made ready. Delete the memory and create it again.';

/**
 * Provisions the server of a dedicated memory: begin → server → schema → activate. A job that keeps failing, or whose
 * memory is deleted meanwhile, ends in `remove`, which leaves no process and no folder behind.
 */
export function provisionMemory(deps: ProvisionDeps): JobDefinition {
  return {
    onExhausted: { afterAttempts: ATTEMPTS_MAX, step: 'remove' },
    steps: {
      begin: async (job) => {
        const memory = await provisioningMemory(deps, job);
        if (memory === null) return { next: 'remove' };
        const { engine_id: engineId } = memory;
        const row = {
          engine_id: engineId,
          name: memory.memory_id,
          kind: 'dedicated',
          status: 'provisioning',
          weight: 1,
          location: '',
        } as const;
        const sealed = await encryptEngineSecret(deps.keyRing, engineId, { password: newEngineSecret(), roles: null });
        return { next: 'server', commit: (tx) => insertEngine(tx, row, sealed) };
      },
      server: async (job) => {
        const memory = await provisioningMemory(deps, job);
        if (memory === null) return { next: 'remove' };
        await requireProvisioner(deps).ensure(memory.engine_id);
        return { next: 'schema' };
      },
      schema: async (job) => {
        const memory = await provisioningMemory(deps, job);
        if (memory === null) return { next: 'remove' };
        const server = await requireProvisioner(deps).ensure(memory.engine_id);
        await activateEngine(deps, memory.engine_id, server);
        return { next: 'activate' };
      },
      activate: async (job) => {
        if ((await provisioningMemory(deps, job)) === null) return { next: 'remove' };
        return { done: true, commit: (tx) => recordOutcome(tx, job, { status: 'active', status_reason: null }) };
      },
      remove: async (job) => {
        const engineId = job.detail['engineId'] as string;
        await deps.workerDatabase.transaction((tx) => deleteEngine(tx, engineId));
        await requireProvisioner(deps).remove(engineId);
        return {
          done: true,
          commit: (tx) => recordOutcome(tx, job, { status: 'failed', status_reason: FAILED_REASON }),
        };
      },
    },
  };
}

function requireProvisioner(deps: ProvisionDeps): EngineProvisioner {
  if (deps.provisioner === null) throw new Error('this installation has no engine provisioner');
  return deps.provisioner;
}

/** The memory, as long as it is still being provisioned. */
async function provisioningMemory(deps: ProvisionDeps, job: JobRow): Promise<MemoryRow | null> {
  const memory = await deps.workerDatabase.transaction((tx) => findMemory(tx, job.subject_id));
  return memory?.status === 'provisioning' ? memory : null;
}

/** Stores and publishes how it ended, unless the memory was deleted in the meantime. */
async function recordOutcome(tx: Tx, job: JobRow, outcome: Pick<MemoryRow, 'status' | 'status_reason'>): Promise<void> {
  const memory = await lockMemory(tx, job.subject_id);
  if (memory?.status !== 'provisioning') return;
  await changeMemory(tx, memory.memory_id, { ...memory, ...outcome });
  const livemode = job.detail['livemode'] === true;
  await appendToOutbox(
    tx,
    encodeEvent('memoryChanged', memoryEventScope(memory, livemode), { status: outcome.status }),
  );
}
