import { booleansIn, datesIn, isEmptyCell, isMasked } from './cell.ts';
import { type DecimalMark, readNumbers } from './read-numbers.ts';
import type { Column } from './table.ts';
import { nameWords } from './words.ts';

const TYPED_SHARE = 0.9;
const CATEGORY_SHARE = 0.5;

interface ColumnContext {
  index: number;
  /** How the table writes decimals. */
  mark: DecimalMark | null;
  /** Rows of totals, which are not looked at. */
  totals: ReadonlySet<number>;
  /** Rows whose cell may hold something of another column. */
  doubtful: ReadonlySet<number>;
}

/** A column with its type. */
export function readColumn(
  name: string,
  cells: readonly string[],
  { index, mark, totals, doubtful }: ColumnContext,
): Column {
  const isLost = (cell: string, row: number) => doubtful.has(row) || isMasked(cell);
  const plain = cells.map((cell, row) => (totals.has(row) || isLost(cell, row) ? '' : cell));
  const filled = plain.filter((cell) => !isEmptyCell(cell));
  const distinct = new Set(filled).size;
  const unread = (values?: readonly unknown[]) => {
    const isUnread = (cell: string, row: number) =>
      !totals.has(row) && (isLost(cell, row) || (values?.[row] === null && !isEmptyCell(cell)));
    return new Set(cells.flatMap((cell, row) => (isUnread(cell, row) ? [row] : [])));
  };
  const known = {
    index,
    name,
    words: nameWords(name),
    distinct,
    isUnique: distinct === filled.length && filled.length === cells.length - totals.size,
    unit: '',
    numbers: [],
    assumed: null,
    dates: [],
    booleans: [],
  };
  const booleans = booleansIn(plain);
  if (booleans !== null && filled.length > 0 && distinct <= 4)
    return { ...known, type: 'boolean', booleans, unread: unread(booleans) };
  const dates = datesIn(plain);
  if (filled.length > 0 && dates.filter((date) => date !== null).length >= filled.length * TYPED_SHARE)
    return { ...known, type: 'date', dates, unread: unread(dates) };
  const read = readNumbers(plain, isEmptyCell, namedUnit(name), mark);
  if (read !== null)
    return {
      ...known,
      type: 'number',
      numbers: read.values,
      unit: read.unit,
      assumed: read.assumed,
      unread: unread(read.values),
    };
  return { ...known, type: distinct <= filled.length * CATEGORY_SHARE ? 'category' : 'text', unread: unread() };
}

const UNIT_WORDS = new Map([
  ...['eur', 'usd', 'gbp', 'chf', 'jpy'].map((code) => [code, code.toUpperCase()] as const),
  ...['kg', 'km', 'kw', 'mm', 'cm', 'ha'].map((unit) => [unit, unit] as const),
  ['percent', '%'],
  ['pct', '%'],
]);

function namedUnit(name: string): string {
  const bracket = /[([]([^()[\]]{1,12})[)\]]\s*$/.exec(name)?.[1];
  if (bracket !== undefined) return bracket.trim();
  return UNIT_WORDS.get(nameWords(name).at(-1)?.lower ?? '') ?? '';
}
