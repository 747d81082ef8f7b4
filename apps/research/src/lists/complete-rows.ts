import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import { addRows, type Cell, countRows, type RowSource } from './list-store.ts';

/** A row that may be listed already, with less. */
export interface FoundRow {
  identityKey: string;
  name: string;
  cells: Record<string, Cell>;
  sources: RowSource[];
}

interface KnownRow extends FoundRow {
  rowId: string;
  isNew: boolean;
}

/** A row that was added or completed, as it is now. */
interface BroughtRow {
  rowId: string;
  name: string;
  cells: Record<string, Cell>;
}

const ROWS_MAX = 10_000;
const SOURCES_MAX = 5;

/**
 * Adds rows, or completes the rows of the same entities with what is new. A row is known by its address or by its name,
 * unless their cells say that two entities share the name. `isNews` says of each whether it brought anything.
 */
export async function completeRows(
  tx: Tx,
  { tenantId, listId }: { tenantId: string; listId: string },
  rows: readonly FoundRow[],
): Promise<{ isNews: boolean[]; brought: BroughtRow[] }> {
  const known = await rowsLike(tx, listId, rows);
  let room = ROWS_MAX - (await countRows(tx, listId));
  const touched = new Set<KnownRow>();
  const isNews = rows.map((row) => {
    const same = known.find(row);
    if (same === undefined) {
      if (room <= 0) return false;
      room -= 1;
      touched.add(known.add(row));
      return true;
    }
    if (!complete(same, row)) return false;
    touched.add(same);
    return true;
  });
  const list = [...touched];
  const added = await addRows(
    tx,
    { tenantId, listId },
    list.filter(({ isNew }) => isNew),
  );
  await changeRows(
    tx,
    list.filter(({ isNew }) => !isNew),
  );
  const brought = list.filter(({ isNew, rowId }) => !isNew || added.has(rowId));
  return { isNews, brought: brought.map(({ rowId, name, cells }) => ({ rowId, name, cells })) };
}

/** The rows of a list that have the address or the name of one of these. */
async function rowsLike(tx: Tx, listId: string, rows: readonly FoundRow[]) {
  const stored = await tx.query<{
    row_id: string;
    identity_key: string;
    name: string;
    cells: Record<string, Cell>;
    sources: RowSource[];
  }>(
    `SELECT row_id, identity_key, name, cells, sources FROM list_rows
      WHERE list_id = $1 AND (identity_key = ANY($2)
         OR md5(lower(name)) = ANY(ARRAY(SELECT md5(lower(asked)) FROM unnest($3::text[]) AS asked)))
      ORDER BY position`,
    [listId, rows.map(({ identityKey }) => identityKey), rows.map(({ name }) => name)],
  );
  const byKey = new Map<string, KnownRow>();
  const byName = new Map<string, KnownRow[]>();
  const remember = (row: KnownRow) => {
    byKey.set(row.identityKey, row);
    const name = row.name.toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), row]);
    return row;
  };
  for (const { row_id, identity_key, name, cells, sources } of stored)
    remember({ rowId: row_id, identityKey: identity_key, name, cells, sources, isNew: false });
  return {
    find: ({ identityKey, name, cells }: FoundRow) =>
      byKey.get(identityKey) ??
      byName.get(name.toLowerCase())?.find((one) => !isContradicted(new Map(Object.entries(one.cells)), cells)),
    add: (row: FoundRow) => remember({ ...row, rowId: newId('row'), isNew: true }),
  };
}

/** Takes over what a row says more or with more confidence. Returns false when it says nothing new. */
function complete(known: KnownRow, row: FoundRow): boolean {
  const cells = new Map(Object.entries(known.cells));
  let isNews = false;
  for (const [column, cell] of Object.entries(row.cells)) {
    const before = cells.get(column);
    if (before !== undefined && before.confidence >= cell.confidence) continue;
    cells.set(column, cell);
    isNews = true;
  }
  if (!isNews) return false;
  known.cells = Object.fromEntries(cells);
  known.sources = mergedSources(known.sources, row.sources);
  return true;
}

export function mergedSources(known: readonly RowSource[], added: readonly RowSource[]): RowSource[] {
  const ids = new Set(known.map(({ source_id }) => source_id));
  return [...known, ...added.filter(({ source_id }) => !ids.has(source_id))].slice(0, SOURCES_MAX);
}

/** Two values that differ in a column that both have; a fuller form of the same value is no difference. */
function isContradicted(known: ReadonlyMap<string, Cell>, added: Record<string, Cell>): boolean {
  return Object.entries(added).some(([column, { value }]) => {
    const other = known.get(column)?.value;
    if (other === undefined) return false;
    const [a, b] = [plainName(value), plainName(other)];
    return !a.includes(b) && !b.includes(a);
  });
}

/** A name without accents, case and punctuation. */
export function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

async function changeRows(tx: Tx, rows: readonly KnownRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(
    `UPDATE list_rows SET cells = changed.cells, sources = changed.sources
       FROM jsonb_to_recordset($1::jsonb) AS changed (row_id text, cells jsonb, sources jsonb)
      WHERE list_rows.row_id = changed.row_id`,
    [JSON.stringify(rows.map(({ rowId, cells, sources }) => ({ row_id: rowId, cells, sources })))],
  );
}
