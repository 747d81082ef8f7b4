import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState, type Tx } from '@cairn/postgres';
import { lockScope } from '../memories/closed-scopes.ts';
import type { WholeEngine } from '../memories/engines.ts';
import { catchUp } from './catch-up.ts';
import { copyLateTables } from './copy-late-tables.ts';
import { asTenant, lockMove, type Move, type MoveEngines, superseded, takeEpoch } from './move-scope.ts';
import { readShapes, type TableShape } from './table-shapes.ts';
import { countStorage } from './move-storage.ts';

/**
 * Writers wait for no longer than this. What could not be handed over by then is tried again, and every third time with
 * more patience, because engines that are overloaded would never get it done; still less than a writer waits.
 */
const GATE_MS = { first: 1_800, more: 900, max: 4_500 };
/** Writers that are at it are waited for, and all others wait behind. */
const LOCK_MS = { first: 500, more: 500, max: 2_500 };
const TRIES_ALIKE = 3;
const patienceOf = ({ first, more, max }: typeof GATE_MS, tries: number) =>
  Math.min(first + more * Math.floor(tries / TRIES_ALIKE), max);
/** Background work that has begun may end, for so long. */
const QUIET_WITHIN_MS = 20_000;
const LOCK_TIMED_OUT = '55P03';
const RECHECK_MS = 10;

/**
 * Ends the service of the memory on the source, with everything copied. Background work begins nothing more first; then
 * writes are refused, the last changes are copied, and reads are refused too. False when it has to be tried again.
 */
export async function handOver(ends: MoveEngines, move: Move): Promise<boolean> {
  const { source } = ends;
  const { state, tries } = await beginClosing(source, move);
  if (state === 'left') return true;
  const { epoch } = await takeEpoch(ends.target, move);
  const shapes = await asTenant(source.workerDatabase, move, readShapes, { mode: 'snapshot' });
  await catchUp(ends, move, { epoch, shapes });
  if (state === 'busy') return false;
  if (!(await closeGate(source, move, tries))) return false;
  const gateEndsMs = performance.now() + patienceOf(GATE_MS, tries);
  let isLeft = false;
  try {
    isLeft = (await copyRest(ends, move, { epoch, shapes, gateEndsMs })) && (await leave(source, move));
  } finally {
    if (!isLeft) await openGate(source, move);
  }
  return isLeft;
}

/** Whether background work on the memory has ended, and how often that was so before. */
async function beginClosing(
  source: WholeEngine,
  move: Move,
): Promise<{ state: 'quiet' | 'busy' | 'left'; tries: number }> {
  return asTenant(source.workerDatabase, move, async (tx) => {
    const row = await lockMove(tx, move);
    if (row === null || row.move_id !== move.moveId) throw superseded('the source knows another move');
    const tries = row.position.tries ?? 0;
    if (row.phase === 'left') return { state: 'left', tries };
    if (!['copying', 'closing', 'gated'].includes(row.phase)) throw superseded(`the source is ${row.phase}`);
    if (row.phase === 'copying')
      await tx.execute(
        "UPDATE memory_moves SET phase = 'closing', since = now() WHERE tenant_id = $1 AND memory_id = $2",
        [move.tenantId, move.memoryId],
      );
    const [state] = await tx.query<{ busy: boolean; patient: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM ingest_queue WHERE tenant_id = $1 AND memory_id = $2 AND lease_until > now())
           OR EXISTS (SELECT 1 FROM graph_memories WHERE tenant_id = $1 AND memory_id = $2 AND lease_until > now()) AS busy,
              (SELECT since > now() - make_interval(secs => $3::float8 / 1000) FROM memory_moves
                WHERE tenant_id = $1 AND memory_id = $2) AS patient`,
      [move.tenantId, move.memoryId, QUIET_WITHIN_MS],
    );
    if (state!.busy && state!.patient) return { state: 'busy', tries };
    await tx.execute('UPDATE memory_moves SET position = $3 WHERE tenant_id = $1 AND memory_id = $2', [
      move.tenantId,
      move.memoryId,
      JSON.stringify({ tries: tries + 1 }),
    ]);
    return { state: 'quiet', tries };
  });
}

/** Refuses writes from now on, after those that were under way; false when those take too long. */
async function closeGate(source: WholeEngine, move: Move, tries: number): Promise<boolean> {
  try {
    await asTenant(source.workerDatabase, move, async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = '${patienceOf(LOCK_MS, tries)}ms'`);
      await lockScope(tx, move, 'exclusive');
      const closed = await tx.execute(
        `UPDATE memory_moves SET phase = 'gated', gate_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
          WHERE tenant_id = $1 AND memory_id = $2 AND move_id = $3 AND phase IN ('closing', 'gated')`,
        [move.tenantId, move.memoryId, move.moveId, patienceOf(GATE_MS, tries)],
      );
      if (closed === 0) throw superseded('the source is not closing');
    });
    return true;
  } catch (error) {
    if (sqlState(error) === LOCK_TIMED_OUT) return false;
    throw error;
  }
}

/** Everything that the target lacks, and the source's last events published, so that they stay in order. */
async function copyRest(
  ends: MoveEngines,
  move: Move,
  options: { epoch: number; shapes: readonly TableShape[]; gateEndsMs: number },
): Promise<boolean> {
  for (;;) {
    if (performance.now() > options.gateEndsMs) return false;
    if ((await catchUp(ends, move, options)) === 0) break;
  }
  await copyLateTables(ends, move, options);
  while (await hasEvents(ends.source, move)) {
    if (performance.now() > options.gateEndsMs) return false;
    await sleep(RECHECK_MS);
  }
  return true;
}

async function hasEvents(source: WholeEngine, move: Move): Promise<boolean> {
  const rows = await asTenant(source.workerDatabase, move, (tx) =>
    tx.query('SELECT 1 FROM outbox WHERE tenant_id = $1 AND position($2 IN subject) > 0 LIMIT 1', [
      move.tenantId,
      move.memoryId,
    ]),
  );
  return rows.length > 0;
}

/** The point of no return: only while the gate is closed and with no change that was not copied. */
async function leave(source: WholeEngine, move: Move): Promise<boolean> {
  return asTenant(source.workerDatabase, move, async (tx) => {
    await tx.query(`SET LOCAL lock_timeout = '${LOCK_MS.first}ms'`);
    await lockScope(tx, move, 'exclusive');
    if (await hasChanges(tx, move)) return false;
    const left = await tx.execute(
      `UPDATE memory_moves SET phase = 'left', gate_until = NULL, since = now()
        WHERE tenant_id = $1 AND memory_id = $2 AND move_id = $3 AND phase = 'gated' AND gate_until > clock_timestamp()`,
      [move.tenantId, move.memoryId, move.moveId],
    );
    // The gate opened by itself: too late.
    if (left === 0) return false;
    await countStorage(tx, move, -1);
    return true;
  });
}

async function hasChanges(tx: Tx, move: Move): Promise<boolean> {
  const rows = await tx.query('SELECT 1 FROM memory_changes WHERE tenant_id = $1 AND memory_id = $2 LIMIT 1', [
    move.tenantId,
    move.memoryId,
  ]);
  return rows.length > 0;
}

async function openGate(source: WholeEngine, move: Move): Promise<void> {
  await asTenant(source.workerDatabase, move, (tx) =>
    tx.execute(
      `UPDATE memory_moves SET phase = 'closing', gate_until = NULL
        WHERE tenant_id = $1 AND memory_id = $2 AND move_id = $3 AND phase = 'gated'`,
      [move.tenantId, move.memoryId, move.moveId],
    ),
  );
}
