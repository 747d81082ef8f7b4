import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState, type Tx } from '@cairn/postgres';
import { lockScope } from '../memories/closed-scopes.ts';
import type { WholeEngine } from '../memories/engines.ts';
import { catchUp } from './catch-up.ts';
import { copyLateTables } from './copy-late-tables.ts';
import { asTenant, lockMove, type Move, type MoveEnds, superseded, takeEpoch } from './move-scope.ts';
import { readShapes, type TableShape } from './table-shapes.ts';
import { countStorage } from './move-storage.ts';

/**
 * Writers wait for no longer than this. What could not be handed over by then is tried again, and every third time with
 * more patience, because engines that are overloaded would never get it done; still less than a writer waits.
 */
const GATE_MS = 1_800;
const GATE_MORE_MS = 900;
const GATE_MAX_MS = 4_500;
const TRIES_ALIKE = 3;
/** Writers that are at it are waited for, and all others wait behind. */
const GATE_LOCK_MS = 500;
/** Background work that has begun may end, for so long. */
const QUIET_WITHIN_MS = 20_000;
const LOCK_TIMED_OUT = '55P03';
const RECHECK_MS = 10;

/**
 * Ends the service of the memory on the source, with everything copied. Background work begins nothing more first; then
 * writes are refused, the last changes are copied, and reads are refused too. False when it has to be tried again.
 */
export async function handOver(ends: MoveEnds, move: Move): Promise<boolean> {
  const { source } = ends;
  const quiet = await beginClosing(source, move);
  if (quiet === 'left') return true;
  const { epoch } = await takeEpoch(ends.target, move);
  const shapes = await asTenant(source.workerDatabase, move, readShapes, { mode: 'snapshot' });
  await catchUp(ends, move, { epoch, shapes });
  if (quiet === 'busy') return false;
  const startedMs = performance.now();
  const gateMs = await closeGate(source, move);
  if (gateMs === null) return false;
  const gateEndsMs = startedMs + gateMs;
  let isLeft = false;
  try {
    isLeft = (await copyRest(ends, move, { epoch, shapes, gateEndsMs })) && (await leave(source, move));
  } finally {
    if (!isLeft) await openGate(source, move);
  }
  return isLeft;
}

/** Whether background work on the memory has ended. */
async function beginClosing(source: WholeEngine, move: Move): Promise<'quiet' | 'busy' | 'left'> {
  return asTenant(source.workerDatabase, move, async (tx) => {
    const row = await lockMove(tx, move);
    if (row === null || row.move_id !== move.moveId) throw superseded('the source knows another move');
    if (row.phase === 'left') return 'left';
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
    return state!.busy && state!.patient ? 'busy' : 'quiet';
  });
}

/** Refuses writes from now on, after those that were under way. Returns for how long; null when those take too long. */
async function closeGate(source: WholeEngine, move: Move): Promise<number | null> {
  try {
    return await asTenant(source.workerDatabase, move, async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = '${GATE_LOCK_MS}ms'`);
      await lockScope(tx, move, 'exclusive');
      const tried = "coalesce((position->>'tries')::int, 0)";
      const gateMs = `least(${GATE_MS} + ${GATE_MORE_MS} * (${tried} / ${TRIES_ALIKE}), ${GATE_MAX_MS})`;
      const closed = await tx.query<{ gate_ms: number }>(
        `UPDATE memory_moves SET phase = 'gated', position = jsonb_build_object('tries', ${tried} + 1),
                gate_until = clock_timestamp() + make_interval(secs => ${gateMs} / 1000.0)
          WHERE tenant_id = $1 AND memory_id = $2 AND move_id = $3 AND phase IN ('closing', 'gated')
         RETURNING extract(epoch FROM gate_until - clock_timestamp())::float8 * 1000 AS gate_ms`,
        [move.tenantId, move.memoryId, move.moveId],
      );
      if (closed[0] === undefined) throw superseded('the source is not closing');
      return closed[0].gate_ms;
    });
  } catch (error) {
    if (sqlState(error) === LOCK_TIMED_OUT) return null;
    throw error;
  }
}

/** Everything that the target lacks, and the source's last events published, so that they stay in order. */
async function copyRest(
  ends: MoveEnds,
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
    await tx.query(`SET LOCAL lock_timeout = '${GATE_LOCK_MS}ms'`);
    await lockScope(tx, move, 'exclusive');
    if (await hasChanges(tx, move)) return false;
    await countStorage(tx, move, -1);
    const left = await tx.execute(
      `UPDATE memory_moves SET phase = 'left', gate_until = NULL, since = now()
        WHERE tenant_id = $1 AND memory_id = $2 AND move_id = $3 AND phase = 'gated' AND gate_until > clock_timestamp()`,
      [move.tenantId, move.memoryId, move.moveId],
    );
    if (left === 0) throw superseded('the gate is not closed any more');
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
