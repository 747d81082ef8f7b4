import { CairnError } from '@cairn/errors';
import { sqlState } from '@cairn/postgres';
import type { WholeEngine } from '../memories/engines.ts';
import { readPlacement } from '../opensearch/search-placement.ts';
import { eraseCopy } from './erase-copy.ts';
import { asTenant, CALL_BUDGET_MS, lockMove, type Move, type MoveEnds, superseded } from './move-scope.ts';
import { fingerprintOf, readShapes } from './table-shapes.ts';

/** Making a trigger waits for the writers of its table, and all others wait behind: never for longer than this at a time. */
const WATCH_LOCK_MS = 200;
const LOCK_TIMED_OUT = '55P03';

/** Has changes noted on the source and makes room on the target. True when both are ready; otherwise to be called again. */
export async function prepareMove({ source, target }: MoveEnds, move: Move): Promise<boolean> {
  await assertAlike({ source, target }, move);
  await assertOutsideCluster(source, move);
  const copyBegun = await expectMemory(target, move);
  await beginLeaving(source, move);
  if (!(await watch(source, move, true))) return false;
  return copyBegun || eraseCopy(target, move, CALL_BUDGET_MS);
}

async function assertAlike({ source, target }: MoveEnds, move: Move): Promise<void> {
  const [here, there] = await Promise.all([source, target].map((engine) => shapesOf(engine, move)));
  if (fingerprintOf(here!) !== fingerprintOf(there!))
    throw new CairnError('conflict', 'The engines have different schemas. Bring both up to date first.');
}

/** A search cluster is an engine's own. Without it, the memory would be found nowhere. */
async function assertOutsideCluster(source: WholeEngine, move: Move): Promise<void> {
  const placement = await asTenant(source.workerDatabase, move, (tx) => readPlacement(tx, move));
  if (placement === null || (placement.phase === 'segments' && placement.copiedTo === null)) return;
  throw new CairnError(
    'conflict',
    'The index of the memory is in OpenSearch. Move it to PostgreSQL first: cairn operator search move.',
  );
}

const shapesOf = (engine: WholeEngine, move: Move) =>
  asTenant(engine.workerDatabase, move, readShapes, { mode: 'snapshot' });

/** The target expects the memory. True when the copy has begun already, so that nothing must be erased any more. */
async function expectMemory(target: WholeEngine, move: Move): Promise<boolean> {
  return asTenant(target.workerDatabase, move, async (tx) => {
    const row = await lockMove(tx, move);
    if (row?.move_id === move.moveId && row.phase === 'arriving')
      return row.position.copied === true || row.position.table !== undefined;
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

async function isServed(tx: Parameters<typeof lockMove>[0], move: Move): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM documents WHERE tenant_id = $1 AND memory_id = $2 LIMIT 1', [
    move.tenantId,
    move.memoryId,
  ]);
  return rows.length > 0;
}

async function beginLeaving(source: WholeEngine, move: Move): Promise<void> {
  await asTenant(source.workerDatabase, move, async (tx) => {
    const row = await lockMove(tx, move);
    if (row?.move_id === move.moveId && ['copying', 'closing', 'gated'].includes(row.phase)) return;
    if (row !== null && row.phase !== 'here') throw superseded(`the source is ${row.phase}`);
    await tx.execute(
      `INSERT INTO memory_moves (tenant_id, memory_id, move_id, phase) VALUES ($1, $2, $3, 'copying')
       ON CONFLICT (tenant_id, memory_id) DO UPDATE
         SET move_id = $3, phase = 'copying', gate_until = NULL, position = '{}', since = now()`,
      [move.tenantId, move.memoryId, move.moveId],
    );
  });
}

/**
 * Has the changes of every table noted, or no longer; false when a table was busy. Each table by itself, so that none
 * is locked for longer than it takes.
 */
export async function watch(engine: WholeEngine, move: Move, watched: boolean): Promise<boolean> {
  const shapes = await shapesOf(engine, move);
  for (const { name } of shapes) {
    const isDone = await asTenant(engine.workerDatabase, move, async (tx) => {
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

async function isWatched(tx: Parameters<typeof lockMove>[0], table: string, move: Move): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = 'moving_del_' || substr(md5($2), 1, 16)`,
    [table, move.memoryId],
  );
  return rows.length > 0;
}
