import { readColumn } from './read-column.ts';
import { decimalMarkOf } from './read-numbers.ts';
import type { Column, RawTable, Table } from './table.ts';
import { totalRows } from './total-rows.ts';
import { nameWords } from './words.ts';

const TABLE_BOUNDS = { rows: 100_000, columns: 200, cells: 2_000_000, cellChars: 2_000 } as const;

/** The table with the types of its columns; null when it is none, or too large to be read in time. */
export function readTable(raw: RawTable): Table | null {
  const { columns, rows } = raw;
  if (columns.length < 2 || columns.length > TABLE_BOUNDS.columns) return null;
  if (rows.length === 0 || rows.length > TABLE_BOUNDS.rows) return null;
  if (rows.length * columns.length > TABLE_BOUNDS.cells) return null;
  const cells = rows.map((row) =>
    columns.map((_name, index) => (row[index] ?? '').trim().slice(0, TABLE_BOUNDS.cellChars)),
  );
  const named = columns.map((_name, index) => cells.map((row) => row[index]!));
  const mark = decimalMarkOf(named);
  const doubtful = Map.groupBy(raw.doubtful ?? [], ([, column]) => column);
  const totals = totalRows(cells, mark);
  const read = columns.map((name, index) =>
    readColumn(name.trim(), named[index]!, {
      index,
      mark,
      totals,
      doubtful: new Set(doubtful.get(index)?.map(([row]) => row)),
    }),
  );
  const key = keyOf(read);
  return {
    title: raw.title,
    titleWords: nameWords(raw.title.replace(/\.[a-z]{2,5}$/i, '')),
    columns: read,
    rows: cells,
    rowNumbers: raw.rowNumbers ?? rows.map((_row, index) => index + 1),
    key,
    label: labelOf(read, key),
    totals,
  };
}

/** A unique column that says number, id or code; else the first unique one that is no measure. */
function keyOf(columns: readonly Column[]): Column | null {
  const unique = columns.filter(({ isUnique }) => isUnique);
  const isId = ({ words, index }: Column) =>
    index === 0 || words.some(({ lower }) => /^(?:id|no|nr|code|number|key|ref|sku)$/.test(lower));
  return unique.find(isId) ?? unique.find(({ type }) => type === 'text') ?? null;
}

function labelOf(columns: readonly Column[], key: Column | null): Column | null {
  if (key?.type === 'text') return key;
  const named = columns.find(
    ({ type, words }) =>
      (type === 'text' || type === 'category') && words.some(({ stem }) => stem === 'name' || stem === 'title'),
  );
  const texts = columns.find(({ type, isUnique }) => type === 'text' && isUnique);
  return named ?? texts ?? key;
}
