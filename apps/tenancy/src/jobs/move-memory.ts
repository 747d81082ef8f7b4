import type { MemoryMoveService } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import { findEngine } from '../stores/engine-store.ts';
import type { JobRow } from '../stores/job-store.ts';
import { findMemory, lockMemory, type MemoryRow, relocateMemory } from '../stores/memory-store.ts';
import { callOptions, RECHECK_MS } from './erasure.ts';
import type { JobDefinition, StepResult } from './job-runner.ts';

export interface MoveDeps {
  /** Connected as the worker role. */
  workerDatabase: Database;
  memoryMoves: RpcClient<typeof MemoryMoveService>;
}

/** Moves at a time: each reads and writes as fast as its engines can. */
const MOVES_AT_ONCE = 2;
const WAIT_FOR_TURN_MS = 1_000;
/** About a quarter of an hour of failures before a move is given up. */
const ATTEMPTS_MAX = 60;

/**
 * Moves a memory to another engine while it is used: begin → prepare → copy → handOver → receive → leave. Up to handOver
 * the source serves it, and `abandon` gives the move up. The register changes with the end of handOver, when no engine
 * serves the memory; from then on the move only goes forward.
 */
export function moveMemory(deps: MoveDeps): JobDefinition {
  const untilHandedOver = (work: (job: JobRow, signal: AbortSignal) => Promise<StepResult>) => {
    return async (job: JobRow, signal: AbortSignal): Promise<StepResult> =>
      (await isWanted(deps, job)) ? work(job, signal) : { next: 'abandon' };
  };
  const { memoryMoves } = deps;
  return {
    onExhausted: { afterAttempts: ATTEMPTS_MAX, step: 'abandon', of: ['prepare', 'copy', 'handOver'] },
    steps: {
      begin: async (job) => {
        if (!(await isWanted(deps, job))) return { done: true };
        return (await hasTurn(deps, job)) ? { next: 'prepare' } : { again: true, afterMs: WAIT_FOR_TURN_MS };
      },
      prepare: untilHandedOver(async (job, signal) => {
        const { finished, inSearchCluster } = await memoryMoves.prepareMove({ move: moveOf(job) }, callOptions(signal));
        // Others wait for their turn.
        if (inSearchCluster) return { next: 'abandon' };
        return finished ? { next: 'copy' } : { again: true, afterMs: RECHECK_MS };
      }),
      copy: untilHandedOver(async (job, signal) => {
        const { finished } = await memoryMoves.copyMemory({ move: moveOf(job) }, callOptions(signal));
        return finished ? { next: 'handOver' } : { again: true, afterMs: 0 };
      }),
      handOver: untilHandedOver(async (job, signal) => {
        const { finished } = await memoryMoves.handOverMemory({ move: moveOf(job) }, callOptions(signal));
        return finished ? { next: 'receive', commit: (tx) => register(tx, job) } : { again: true, afterMs: RECHECK_MS };
      }),
      receive: async (job, signal) => {
        await memoryMoves.receiveMemory({ move: moveOf(job) }, callOptions(signal));
        return { next: 'leave' };
      },
      leave: async (job, signal) => {
        const { finished } = await memoryMoves.leaveEngine({ move: moveOf(job) }, callOptions(signal));
        return finished ? { done: true } : { again: true, afterMs: 0 };
      },
      abandon: async (job, signal) => {
        const { finished, handedOver } = await memoryMoves.abandonMove({ move: moveOf(job) }, callOptions(signal));
        if (handedOver) return { next: 'receive', commit: (tx) => register(tx, job) };
        return finished ? { done: true } : { again: true, afterMs: RECHECK_MS };
      },
    },
  };
}

/** Named after the job, so that an attempt that hangs is never taken for a later move. */
function moveOf(job: JobRow) {
  const { fromEngineId, toEngineId } = job.detail as Record<'fromEngineId' | 'toEngineId', string>;
  return { moveId: job.job_id, tenantId: job.tenant_id, memoryId: job.subject_id, fromEngineId, toEngineId };
}

async function isWanted({ workerDatabase }: MoveDeps, job: JobRow): Promise<boolean> {
  const { fromEngineId, toEngineId } = moveOf(job);
  if (job.detail['cancelled'] === true) return false;
  const { memory, target } = await workerDatabase.transaction(async (tx) => ({
    memory: await findMemory(tx, job.subject_id),
    target: await findEngine(tx, toEngineId),
  }));
  return memory !== null && isMovable(memory) && memory.engine_id === fromEngineId && target !== null;
}

/** One that is being deleted stays and goes. */
function isMovable({ status }: MemoryRow): boolean {
  return status === 'active' || status === 'suspended';
}

async function hasTurn({ workerDatabase }: MoveDeps, job: JobRow): Promise<boolean> {
  const [others] = await workerDatabase.transaction((tx) =>
    tx.query<{ count: number }>(
      "SELECT count(*) AS count FROM jobs WHERE kind = 'moveMemory' AND step <> 'begin' AND job_id <> $1",
      [job.job_id],
    ),
  );
  return others!.count < MOVES_AT_ONCE;
}

/** The memory is on the target from this transaction on, whatever else became of it: its erasure waits for the move. */
async function register(tx: Tx, job: JobRow): Promise<void> {
  const { toEngineId } = moveOf(job);
  if ((await lockMemory(tx, job.subject_id)) === null) throw new Error('a memory that moves has left the register');
  await relocateMemory(tx, job.subject_id, toEngineId);
}
