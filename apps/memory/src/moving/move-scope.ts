import type { Database, TransactionOptions, Tx } from '@cairn/postgres';
import { CairnError } from '@cairn/errors';
import type { WholeEngine } from '../memories/engines.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** A memory on its way from one engine to another. */
export interface Move extends MemoryScope {
  moveId: string;
}

/** Both ends of a move. */
export interface MoveEngines {
  source: WholeEngine;
  target: WholeEngine;
}

/** Where the move is on an engine. `here`: it ended, and the memory is served there. */
export type MovePhase = 'copying' | 'closing' | 'gated' | 'left' | 'arriving' | 'here';

export interface MoveRow {
  move_id: string;
  phase: MovePhase;
  epoch: number;
  position: CopyPosition;
}

export interface CopyPosition {
  /** The table that comes next; none: the first one, or with `copied` none at all. */
  table?: string;
  /** The last key of it that was copied. */
  key?: string[];
  copied?: boolean;
  /** On the source: how often it was tried to hand over. */
  tries?: number;
}

/** A call goes on working for so long. */
export const CALL_BUDGET_MS = 2_000;

/**
 * Runs `work` as the background role, which no tenant's requests can keep waiting, but bound to the memory's tenant.
 */
export function asTenant<T>(
  database: Database,
  { tenantId }: MemoryScope,
  work: (tx: Tx) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.query({
      name: 'cairn_set_tenant',
      text: "SELECT set_config('cairn.tenant_id', $1, true)",
      values: [tenantId],
    });
    return work(tx);
  }, options);
}

/** The memory's row on this engine, held until the transaction ends; null when it never moved. */
export async function lockMove(tx: Tx, scope: MemoryScope): Promise<MoveRow | null> {
  const rows = await tx.query<MoveRow>(
    'SELECT move_id, phase, epoch, position FROM memory_moves WHERE tenant_id = $1 AND memory_id = $2 FOR UPDATE',
    [scope.tenantId, scope.memoryId],
  );
  return rows[0] ?? null;
}

/** The same for what only this move may do, in some of its phases. Throws `conflict` otherwise. */
export async function lockMoveIn(tx: Tx, move: Move, phases: readonly MovePhase[]): Promise<void> {
  const row = await lockMove(tx, move);
  if (row?.move_id !== move.moveId) throw superseded('the engine knows another move');
  if (!phases.includes(row.phase)) throw superseded(`the move is ${row.phase} already`);
}

/** Begins a call that works on the target: calls that began before commit nothing there from now on. */
export async function takeEpoch(target: WholeEngine, move: Move): Promise<{ epoch: number; position: CopyPosition }> {
  return asTenant(target.workerDatabase, move, async (tx) => {
    const rows = await tx.query<MoveRow>(
      `UPDATE memory_moves SET epoch = epoch + 1
        WHERE tenant_id = $1 AND memory_id = $2 AND move_id = $3 AND phase = 'arriving' RETURNING epoch, position`,
      [move.tenantId, move.memoryId, move.moveId],
    );
    if (rows[0] === undefined) throw superseded('the target is not waiting for this move');
    return rows[0];
  });
}

/** A transaction on the target that commits only while no later call has begun. */
export function underEpoch<T>(
  target: WholeEngine,
  move: Move,
  epoch: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return asTenant(target.workerDatabase, move, async (tx) => {
    const row = await lockMove(tx, move);
    if (row?.move_id !== move.moveId || row.phase !== 'arriving' || row.epoch !== epoch)
      throw superseded('another call works on this move');
    return work(tx);
  });
}

export function superseded(internal: string): CairnError {
  return new CairnError('conflict', 'Another move of the memory is under way.', { internal });
}
