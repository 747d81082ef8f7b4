import type { MemoryMoveService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { RpcClient } from '@cairn/service-kit';
import { type EngineRow, listEngineRows } from '../stores/engine-store.ts';
import { listMemoryPlaces, lockMemory } from '../stores/memory-store.ts';
import { beginMove, engineNamed, listMovesInProgress, type MoveInProgress } from './move-memory.ts';
import { planMoves, type PlannedMove } from './plan-moves.ts';

const CALL_TIMEOUT_MS = 35_000;

/** Plans moves so that the engines hold alike, or that empty one that is draining, and starts them. */
export async function spreadMemories(
  deps: { workerDatabase: Database; memoryMoves: RpcClient<typeof MemoryMoveService> },
  request: { engine: string; dryRun: boolean },
): Promise<{ moves: MoveInProgress[]; staying: string[] }> {
  const rows = await deps.workerDatabase.transaction(listEngineRows);
  const drained = request.engine === '' ? null : engineNamed(rows, request.engine);
  if (drained !== null && drained.status !== 'draining')
    throw new CairnError('conflict', 'Only a draining engine can be emptied.');
  const engines = rows.filter(
    (engine) => engine.kind === 'shared' && (engine.status === 'active' || engine.engine_id === drained?.engine_id),
  );
  const { sizes, inSearchCluster } = await loadsOf(deps.memoryMoves, engines);
  const { places, moving } = await deps.workerDatabase.transaction(async (tx) => ({
    places: await listMemoryPlaces(tx),
    moving: new Map((await listMovesInProgress(tx, null)).map((move) => [move.memoryId, move])),
  }));
  const memories = places.map(({ memory_id: memoryId, engine_id: engineId }) => ({
    memoryId,
    engineId: moving.get(memoryId)?.toEngineId ?? engineId,
    bytes: sizes.get(memoryId) ?? 0,
    stays: inSearchCluster.has(memoryId),
  }));
  const spread = engines.map(({ engine_id: engineId, weight, status }) => ({
    engineId,
    weight,
    takes: status === 'active',
  }));
  const planned = planMoves(spread, memories).filter(({ memoryId }) => !moving.has(memoryId));
  // On an engine that shall be empty they are in the way.
  const staying = memories.filter(({ stays, engineId }) => stays && engineId === drained?.engine_id);
  const result = { staying: staying.map(({ memoryId }) => memoryId) };
  if (request.dryRun) return { ...result, moves: planned.map((move) => ({ ...move, step: '', error: '' })) };
  for (const move of planned) await start(deps.workerDatabase, move, rows);
  return { ...result, moves: await deps.workerDatabase.transaction((tx) => listMovesInProgress(tx, null)) };
}

async function loadsOf(
  memoryMoves: RpcClient<typeof MemoryMoveService>,
  engines: readonly EngineRow[],
): Promise<{ sizes: Map<string, number>; inSearchCluster: Set<string> }> {
  const loads = await Promise.all(
    engines.map(({ engine_id: engineId }) =>
      memoryMoves.getEngineLoad(
        { engineId, withMemories: true, withSearchCluster: true },
        { timeoutMs: CALL_TIMEOUT_MS },
      ),
    ),
  );
  return {
    sizes: new Map(loads.flatMap(({ memories }) => memories.map(({ memoryId, bytes }) => [memoryId, Number(bytes)]))),
    inSearchCluster: new Set(loads.flatMap(({ inSearchCluster }) => inSearchCluster)),
  };
}

/** One that was deleted or moved since the plan was made is left as it is. */
async function start(workerDatabase: Database, move: PlannedMove, engines: readonly EngineRow[]): Promise<void> {
  await workerDatabase
    .transaction(async (tx) => {
      const memory = await lockMemory(tx, move.memoryId);
      if (memory?.engine_id !== move.fromEngineId) return;
      await beginMove(tx, memory, engineNamed(engines, move.toEngineId));
    })
    .catch((error: unknown) => {
      if (!(error instanceof CairnError) || error.code !== 'conflict') throw error;
    });
}
