import { CairnError, notFound } from '@cairn/errors';
import type { MemoryMoveService } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import { type EngineRow, listEngineRows } from '../stores/engine-store.ts';
import { cancelMove, type JobRow, listMoveJobs, startJob } from '../stores/job-store.ts';
import { findMemory, lockMemory, type MemoryRow } from '../stores/memory-store.ts';

const CALL_TIMEOUT_MS = 35_000;

/** A move that is under way. */
export interface MoveInProgress {
  memoryId: string;
  fromEngineId: string;
  toEngineId: string;
  step: string;
  error: string;
}

/** Starts moving a memory to another engine, or gives its move up; returns what is under way. */
export async function moveMemory(
  deps: { workerDatabase: Database; memoryMoves: RpcClient<typeof MemoryMoveService> },
  request: { memoryId: string; toEngine: string; cancel: boolean },
): Promise<MoveInProgress> {
  if (!request.cancel) await assertOutsideSearchCluster(deps, request.memoryId);
  return deps.workerDatabase.transaction(async (tx) => {
    const memory = await lockMemory(tx, request.memoryId);
    if (memory === null) throw notFound('The memory');
    if (request.cancel) {
      if (!(await cancelMove(tx, memory.memory_id))) throw new CairnError('conflict', 'The memory is not moving.');
    } else {
      await beginMove(tx, memory, engineNamed(await listEngineRows(tx), request.toEngine));
    }
    const [move] = await listMovesInProgress(tx, memory.memory_id);
    if (move === undefined) throw notFound('The move');
    return move;
  });
}

/** The move would be given up as soon as it began. */
async function assertOutsideSearchCluster(
  { workerDatabase, memoryMoves }: Parameters<typeof moveMemory>[0],
  memoryId: string,
): Promise<void> {
  const memory = await workerDatabase.transaction((tx) => findMemory(tx, memoryId));
  if (memory === null) throw notFound('The memory');
  const load = await memoryMoves
    .getEngineLoad({ engineId: memory.engine_id, withSearchCluster: true }, { timeoutMs: CALL_TIMEOUT_MS })
    .catch((error: unknown) => {
      // The move finds out when the engine is back.
      if (error instanceof CairnError && error.code === 'unavailable') return null;
      throw error;
    });
  if (load === null || !load.inSearchCluster.includes(memoryId)) return;
  throw new CairnError(
    'conflict',
    'The index of the memory is in OpenSearch. Move it to PostgreSQL first: cairn operator search move.',
  );
}

/** Schedules the move of a memory whose row the transaction holds. */
export async function beginMove(tx: Tx, memory: MemoryRow, target: EngineRow): Promise<void> {
  if (memory.type === 'dedicated') throw new CairnError('conflict', 'A dedicated memory stays on its own server.');
  if (memory.status !== 'active' && memory.status !== 'suspended')
    throw new CairnError('conflict', `The memory is ${memory.status}.`);
  if (target.kind === 'dedicated') throw new CairnError('conflict', 'A dedicated engine takes no other memory.');
  if (target.status !== 'active') throw new CairnError('conflict', `The engine ${target.name} is ${target.status}.`);
  if (target.engine_id === memory.engine_id) throw new CairnError('conflict', 'The memory is on that engine.');
  const under = await listMovesInProgress(tx, memory.memory_id);
  if (under.some((move) => move.toEngineId !== target.engine_id))
    throw new CairnError('conflict', 'The memory is moving to another engine already.');
  await startJob(tx, {
    tenantId: memory.tenant_id,
    kind: 'moveMemory',
    subjectId: memory.memory_id,
    detail: { fromEngineId: memory.engine_id, toEngineId: target.engine_id },
  });
}

/** Moves that are under way, oldest first; of one memory, or of all. */
export async function listMovesInProgress(tx: Tx, memoryId: string | null): Promise<MoveInProgress[]> {
  return (await listMoveJobs(tx, memoryId)).map(moveUnderWay);
}

export function engineNamed<Engine extends EngineRow>(engines: readonly Engine[], idOrName: string): Engine {
  const found = engines.find((engine) => engine.engine_id === idOrName || engine.name === idOrName);
  if (found === undefined) throw notFound('The engine');
  return found;
}

function moveUnderWay(job: JobRow): MoveInProgress {
  const { fromEngineId, toEngineId } = job.detail as Record<'fromEngineId' | 'toEngineId', string>;
  return { memoryId: job.subject_id, fromEngineId, toEngineId, step: job.step, error: job.error ?? '' };
}
