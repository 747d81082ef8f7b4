import { catchUp } from './catch-up.ts';
import {
  asTenant,
  CALL_BUDGET_MS,
  type CopyPosition,
  type Move,
  type MoveEngines,
  takeEpoch,
  underEpoch,
} from './move-scope.ts';
import { insertRows, readPage } from './row-transfer.ts';
import { LATE_TABLES, readShapes, type TableShape } from './table-shapes.ts';

/** So few changes are left for the gate. */
const CHANGES_LEFT_MAX = 500;

/**
 * Copies some of what the target does not have yet, then what was changed meanwhile. True when hardly anything is left.
 * Each page is read as it is at that moment: what changes later was noted, and is copied again.
 */
export async function copyMemory(ends: MoveEngines, move: Move): Promise<boolean> {
  const until = performance.now() + CALL_BUDGET_MS;
  const { epoch, position } = await takeEpoch(ends.target, move);
  const shapes = await asTenant(ends.source.workerDatabase, move, readShapes, { mode: 'snapshot' });
  if (position.copied !== true) {
    const tables = shapes.filter(({ name }) => !LATE_TABLES.includes(name));
    const from = Math.max(
      0,
      tables.findIndex(({ name }) => name === position.table),
    );
    for (const [place, shape] of tables.entries()) {
      if (place < from) continue;
      const after = place === from && position.table === shape.name ? (position.key ?? null) : null;
      if (!(await copyTable(ends, move, { shape, after, epoch, until }))) return false;
    }
    await underEpoch(ends.target, move, epoch, (tx) => storePosition(tx, move, { copied: true }));
  }
  for (;;) {
    const left = await catchUp(ends, move, { epoch, shapes });
    if (left <= CHANGES_LEFT_MAX) return true;
    if (performance.now() > until) return false;
  }
}

/** False when the time was up before the table's end. */
async function copyTable(
  { source, target }: MoveEngines,
  move: Move,
  from: { shape: TableShape; after: string[] | null; epoch: number; until: number },
): Promise<boolean> {
  const { shape } = from;
  let { after } = from;
  for (;;) {
    const page = await asTenant(source.workerDatabase, move, (tx) => readPage(tx, shape, move, after), {
      mode: 'snapshot',
    });
    if (page === null) return true;
    after = page.last;
    await underEpoch(target, move, from.epoch, async (tx) => {
      await insertRows(tx, shape, page.rows, false);
      await storePosition(tx, move, { table: shape.name, key: page.last });
    });
    if (performance.now() > from.until) return false;
  }
}

async function storePosition(tx: Parameters<typeof insertRows>[0], move: Move, position: CopyPosition): Promise<void> {
  await tx.execute('UPDATE memory_moves SET position = $3 WHERE tenant_id = $1 AND memory_id = $2', [
    move.tenantId,
    move.memoryId,
    JSON.stringify(position),
  ]);
}
