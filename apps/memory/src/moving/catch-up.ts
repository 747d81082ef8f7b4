import type { Tx } from '@cairn/postgres';
import { asTenant, type Move, type MoveEngines, underEpoch } from './move-scope.ts';
import { deleteRows, insertRows, presentKeys, readRows } from './row-transfer.ts';
import { LATE_TABLES, type TableShape } from './table-shapes.ts';

const CHANGES_PER_ROUND = 2_000;
/** Rows that travel at once: a row may hold a whole file, or a page of the index. */
const PAYLOADS_AT_ONCE = 4;
const PAGES_AT_ONCE = 30;
const ROWS_AT_ONCE = 500;

interface Change {
  change_no: number;
  table_name: string;
  key: string[];
}

/** The rows of one table that were changed. */
interface ChangedRows {
  shape: TableShape;
  keys: string[][];
}

/**
 * Brings rows that were noted as changed to what they are now, in one snapshot of the source and one transaction of the
 * target. Returns how many changes are left, those of tables that come last not counted.
 */
export async function catchUp(
  { source, target }: MoveEngines,
  move: Move,
  { epoch, shapes }: { epoch: number; shapes: readonly TableShape[] },
): Promise<number> {
  const done = await asTenant(
    source.workerDatabase,
    move,
    async (from) => {
      const changes = await readChanges(from, move);
      if (changes.length === 0) return [];
      const changed = byTable(changes, shapes);
      await underEpoch(target, move, epoch, async (to) => {
        await parkDocuments(from, to, move);
        for (const rows of changed.toReversed()) await removeChanged(from, to, move, rows);
        for (const rows of changed) await putChanged(from, to, move, rows);
      });
      return changes.map((change) => change.change_no);
    },
    { mode: 'snapshot' },
  );
  if (done.length === 0) return 0;
  return asTenant(source.workerDatabase, move, async (tx) => {
    const values = [move.tenantId, move.memoryId];
    await tx.execute(
      'DELETE FROM memory_changes WHERE tenant_id = $1 AND memory_id = $2 AND change_no = ANY($3::bigint[])',
      [...values, done],
    );
    const [left] = await tx.query<{ count: number }>(
      'SELECT count(*) AS count FROM memory_changes WHERE tenant_id = $1 AND memory_id = $2 AND table_name <> ALL($3)',
      [...values, LATE_TABLES],
    );
    return left!.count;
  });
}

async function readChanges(tx: Tx, move: Move): Promise<Change[]> {
  return tx.query<Change>(
    `SELECT change_no, table_name, key FROM memory_changes
      WHERE tenant_id = $1 AND memory_id = $2 AND table_name <> ALL($3) ORDER BY change_no LIMIT $4`,
    [move.tenantId, move.memoryId, LATE_TABLES, CHANGES_PER_ROUND],
  );
}

/** In the order of the shapes, each row once. */
function byTable(changes: readonly Change[], shapes: readonly TableShape[]): ChangedRows[] {
  return shapes.flatMap((shape) => {
    const keys = new Map<string, string[]>();
    for (const { table_name, key } of changes) if (table_name === shape.name) keys.set(JSON.stringify(key), key);
    return keys.size === 0 ? [] : [{ shape, keys: [...keys.values()] }];
  });
}

/**
 * Documents that changed may have taken over what others were unique by, in any order. Those that will be copied again
 * are out of the way until then.
 */
async function parkDocuments(from: Tx, to: Tx, move: Move): Promise<void> {
  const rows = await from.query<{ doc_id: string }>(
    `SELECT DISTINCT key[1] AS doc_id FROM memory_changes
      WHERE tenant_id = $1 AND memory_id = $2 AND table_name = 'documents'`,
    [move.tenantId, move.memoryId],
  );
  if (rows.length === 0) return;
  await to.execute(
    `UPDATE documents SET external_id = NULL, intake_vault_id = NULL, status = 'failed'
      WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = ANY($3)`,
    [move.tenantId, move.memoryId, rows.map((row) => row.doc_id)],
  );
}

/** What others need stays while it exists, or they would go with it; everything else is put in again. */
async function removeChanged(from: Tx, to: Tx, move: Move, { shape, keys }: ChangedRows): Promise<void> {
  if (!shape.isParent) return deleteRows(to, shape, move, keys);
  const present = await presentKeys(from, shape, move, keys);
  const gone = keys.filter((key) => !present.has(JSON.stringify(key)));
  if (gone.length > 0) await deleteRows(to, shape, move, gone);
}

async function putChanged(from: Tx, to: Tx, move: Move, { shape, keys }: ChangedRows): Promise<void> {
  const atOnce = rowsAtOnce(shape);
  for (let start = 0; start < keys.length; start += atOnce) {
    const rows = await readRows(from, shape, move, keys.slice(start, start + atOnce));
    if (rows !== null) await insertRows(to, shape, rows, shape.isParent);
  }
}

function rowsAtOnce({ name, columns }: TableShape): number {
  if (columns.some((column) => column.name === 'payload')) return PAYLOADS_AT_ONCE;
  return name.startsWith('index_') ? PAGES_AT_ONCE : ROWS_AT_ONCE;
}
