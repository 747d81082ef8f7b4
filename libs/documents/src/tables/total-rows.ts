import { isEmptyCell } from './cell.ts';
import { type DecimalMark, readNumbers } from './read-numbers.ts';
import type { Column, Table } from './table.ts';
import { normalForm } from './words.ts';

/** What the row of a total is called, in its first cells. */
const TOTAL =
  /^(?:(?:grand|sub|overall|running)? ?(?:total|sum)|subtotal|gesamt|gesamtsumme|summe|zwischensumme|suma|totale)$/;
/** Also words of ordinary cells; they call a row so only when they come first in it. */
const TOTAL_IN_FRONT = /^(?:overall|average|mean|median|durchschnitt)$/;
/** Names of which one may be a total: `All natural disasters`, `Total Europe`. */
const MAY_BE_TOTAL = /^(?:all|total|overall|gesamt) ./;
const FIRST_CELLS = 3;
const OTHERS_MIN = 2;
const VALUES_MIN = 4;
const VALUES_MAX = 5_000;
const SUM_MIN = 1_000;
const SAME = 1e-6;
const NEARLY_SAME = 0.01;

/**
 * Rows that repeat what other rows say together, by what one of their first cells calls them. A company may be called
 * Total, too: the only row with such a name is none of totals when its figures are no sum and no average of the others.
 */
export function totalRows(rows: readonly (readonly string[])[], mark: DecimalMark | null): Set<number> {
  const isCalled = (cell: string | undefined, words: RegExp) =>
    cell !== undefined && cell.length <= 40 && /\p{L}/u.test(cell) && words.test(totalForm(cell));
  const called = rows.flatMap((cells, row) => {
    if (cells.slice(0, FIRST_CELLS).some((cell) => isCalled(cell, TOTAL))) return [{ row, mayBeName: true }];
    const first = cells.find((cell) => cell.trim() !== '');
    return isCalled(first, TOTAL_IN_FRONT) ? [{ row, mayBeName: false }] : [];
  });
  // Where most are called so, it is what the rows are.
  if (called.length * 2 > rows.length) return new Set();
  const [only, ...more] = called;
  if (only?.mayBeName === true && more.length === 0 && isOneOfTheOthers(rows, only.row, mark)) return new Set();
  return new Set(called.map(({ row }) => row));
}

/**
 * Whether a row is one like the others by each of its figures: in the midst of them one that is less than the largest,
 * which no sum of parts is; at either end one that is less than all of them, which no average is either.
 */
function isOneOfTheOthers(rows: readonly (readonly string[])[], row: number, mark: DecimalMark | null): boolean {
  const isAtEnd = row === 0 || row === rows.length - 1;
  const figures = rows[row]!.flatMap((_cell, column) => {
    const cells = rows.map((each) => each[column]!);
    const values = readNumbers(cells, isEmptyCell, '', mark)?.values ?? [];
    const others = values.filter((value, at) => value !== null && at !== row) as number[];
    const own = values[row];
    return own == null || others.length < OTHERS_MIN ? [] : [{ own, others }];
  });
  return (
    figures.length > 0 &&
    figures.every(({ own, others }) => {
      const least = others.reduce((one, other) => Math.min(one, other));
      const most = others.reduce((one, other) => Math.max(one, other));
      return least >= 0 && own < (isAtEnd ? least : most);
    })
  );
}

function totalForm(cell: string): string {
  return normalForm(cell.replaceAll('-', ' '));
}

/** A value of a column whose rows add up to all others: `World` beside its countries. */
interface TotalValue {
  column: Column;
  value: string;
}

/** Values that are likely totals, by the figures of one measure, or of any: what all the others have together. */
export function totalValues({ columns, rows, totals }: Table, measure: Column | null): TotalValue[] {
  const measures =
    measure === null
      ? columns.filter(({ type, isUnique, index }) => type === 'number' && !(isUnique && index === 0))
      : [measure];
  const naming = columns.filter(
    ({ type, distinct }) =>
      (type === 'text' || type === 'category') && distinct >= VALUES_MIN && distinct <= VALUES_MAX,
  );
  return naming.flatMap((column) => {
    const value = measures.map((each) => valueOfHalf(column, each, rows, totals)).find((found) => found !== null);
    return value == null ? [] : [{ column, value }];
  });
}

/** The value that has exactly half of the sum of a measure; about half, when it is called a total. */
function valueOfHalf(
  { index }: Column,
  { numbers }: Column,
  rows: readonly (readonly string[])[],
  leftOut: ReadonlySet<number>,
): string | null {
  const sums = new Map<string, number>();
  let whole = 0;
  for (const [row, cells] of rows.entries()) {
    const number = numbers[row];
    if (number == null || leftOut.has(row)) continue;
    if (number < 0) return null;
    sums.set(cells[index]!, (sums.get(cells[index]!) ?? 0) + number);
    whole += number;
  }
  if (whole < SUM_MIN || sums.size < VALUES_MIN) return null;
  for (const [value, sum] of sums) {
    const off = Math.abs(2 * sum - whole) / whole;
    if (off <= SAME || (off <= NEARLY_SAME && MAY_BE_TOTAL.test(normalForm(value)))) return value;
  }
  return null;
}
