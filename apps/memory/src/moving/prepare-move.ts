import { CairnError } from '@cairn/errors';
import { sqlState, type Tx } from '@cairn/postgres';
import type { WholeEngine } from '../memories/engines.ts';
import { holdPlacement, isInCluster } from '../opensearch/search-placement.ts';
import { eraseCopy } from './erase-copy.ts';
import {
  asTenant,
  CALL_BUDGET_MS,
  lockMove,
  lockMoveIn,
  type Move,
  type MoveEngines,
  type MovePhase,
  type MoveRow,
  superseded,
} from './move-scope.ts';
import { fingerprintOf, readShapes } from './table-shapes.ts';

/** Making a trigger waits for the writers of its table, and all others wait behind: never for longer than this at a time. */
const WATCH_LOCK_MS = 200;
const LOCK_TIMED_OUT = '55P03';

/** `preparing`: to be called again. `inSearchCluster`: it cannot move. */
type Prepared = 'finished' | 'preparing' | 'inSearchCluster';

/** Has changes noted on the source and makes room on the target. */
export async function prepareMove({ source, target }: MoveEngines, move: Move): Promise<Prepared> {
  await assertAlike({ source, target }, move);
  // First: it knows whether the move has ended, and a late call must not make room again.
  if (!(await markLeaving(source, move))) return 'inSearchCluster';
  const copyBegun = await expectMemory(target, move);
  if (!(await watch(source, move))) return 'preparing';
  return copyBegun || (await eraseCopy(target, move, CALL_BUDGET_MS)) ? 'finished' : 'preparing';
}

async function assertAlike({ source, target }: MoveEngines, move: Move): Promise<void> {
  const [here, there] = await Promise.all([source, target].map((engine) => shapesOf(engine, move)));
  if (fingerprintOf(here!) !== fingerprintOf(there!))
    throw new CairnError('conflict', 'The engines have different schemas. Bring both up to date first.');
}

/**
 * A search cluster is an engine's own. Without it, the memory would be found nowhere. What was in none stays in none:
 * later writers find the placement, and an operator's move to the cluster finds ours.
 */
async function isInSearchCluster(tx: Tx, move: Move): Promise<boolean> {
  return isInCluster(await holdPlacement(tx, move, { phase: 'segments', keepsSegments: false }));
}

const shapesOf = (engine: WholeEngine, move: Move) =>
  asTenant(engine.workerDatabase, move, readShapes, { mode: 'snapshot' });

/** The target expects the memory. True when the copy has begun already, so that nothing must be erased any more. */
async function expectMemory(target: WholeEngine, move: Move): Promise<boolean> {
  return asTenant(target.workerDatabase, move, async (tx) => {
    const row = await lockMove(tx, move);
    if (row?.move_id === move.moveId && row.phase === 'arriving')
      return row.position.copied === true || row.position.table !== undefined;
    assertLater(move, row);
    // Anything else than remains of an earlier stay or of an earlier move is a memory that is served.
    if (row !== null && row.phase !== 'left' && row.phase !== 'arriving') throw superseded('the target serves it');
    if (row === null && (await isServed(tx, move))) throw superseded('the target has rows of it');
    await tx.execute(
      `INSERT INTO memory_moves (tenant_id, memory_id, move_id, phase) VALUES ($1, $2, $3, 'arriving')
       ON CONFLICT (tenant_id, memory_id) DO UPDATE
         SET move_id = $3, phase = 'arriving', gate_until = NULL, epoch = memory_moves.epoch + 1, position = '{}', since = now()`,
      [move.tenantId, move.memoryId, move.moveId],
    );
    return false;
  });
}

/**
 * A move takes over what an earlier one left, also one whose call came late; never its own remains, which say that it
 * has ended. Identifiers of jobs are in the order of time.
 */
function assertLater(move: Move, row: MoveRow | null): void {
  if (row !== null && row.move_id >= move.moveId) throw superseded('a later move is under way, or this one has ended');
}

async function isServed(tx: Tx, move: Move): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM documents WHERE tenant_id = $1 AND memory_id = $2 LIMIT 1', [
    move.tenantId,
    move.memoryId,
  ]);
  return rows.length > 0;
}

/** False when it cannot. */
async function markLeaving(source: WholeEngine, move: Move): Promise<boolean> {
  return asTenant(source.workerDatabase, move, async (tx) => {
    const row = await lockMove(tx, move);
    if (row?.move_id === move.moveId && ['copying', 'closing', 'gated'].includes(row.phase)) return true;
    assertLater(move, row);
    if (row !== null && ['left', 'arriving'].includes(row.phase)) throw superseded(`the source is ${row.phase}`);
    if (await isInSearchCluster(tx, move)) return false;
    await tx.execute(
      `INSERT INTO memory_moves (tenant_id, memory_id, move_id, phase) VALUES ($1, $2, $3, 'copying')
       ON CONFLICT (tenant_id, memory_id) DO UPDATE
         SET move_id = $3, phase = 'copying', gate_until = NULL, position = '{}', since = now()`,
      [move.tenantId, move.memoryId, move.moveId],
    );
    return true;
  });
}

/** Has the changes of every table noted; false when one was busy. */
const watch = (engine: WholeEngine, move: Move) => setWatched(engine, move, true, ['copying', 'closing', 'gated']);

/** Ends that, and forgets what was noted, once the move is in the phase. False when a table was busy. */
export async function unwatch(engine: WholeEngine, move: Move, phase: 'here' | 'left'): Promise<boolean> {
  if (!(await setWatched(engine, move, false, [phase]))) return false;
  await asTenant(engine.workerDatabase, move, async (tx) => {
    await lockMoveIn(tx, move, [phase]);
    await tx.execute('DELETE FROM memory_changes WHERE tenant_id = $1 AND memory_id = $2', [
      move.tenantId,
      move.memoryId,
    ]);
  });
  return true;
}

/** Each table by itself, so that none is locked for longer than it takes. */
async function setWatched(
  engine: WholeEngine,
  move: Move,
  watched: boolean,
  phases: readonly MovePhase[],
): Promise<boolean> {
  const shapes = await shapesOf(engine, move);
  for (const { name } of shapes) {
    const isDone = await asTenant(engine.workerDatabase, move, async (tx) => {
      await lockMoveIn(tx, move, phases);
      if ((await isWatched(tx, name, move)) === watched) return true;
      await tx.query(`SET LOCAL lock_timeout = '${WATCH_LOCK_MS}ms'`);
      await tx.query('SELECT watch_moving_memory($1, $2, $3)', [name, move.memoryId, watched]);
      return true;
    }).catch((error: unknown) => {
      if (sqlState(error) === LOCK_TIMED_OUT) return false;
      throw error;
    });
    if (!isDone) return false;
  }
  return true;
}

async function isWatched(tx: Tx, table: string, move: Move): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = 'moving_del_' || substr(md5($2), 1, 16)`,
    [table, move.memoryId],
  );
  return rows.length > 0;
}
