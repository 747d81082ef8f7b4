import { normalForm } from './words.ts';
import type { Column, Table } from './table.ts';

/** What the row of a total is called, in its first cells. */
const TOTAL =
  /^(?:(?:grand|sub|overall|running)? ?(?:total|sum)|subtotal|gesamt|gesamtsumme|summe|zwischensumme|suma|totale)$/;
/** Also words of ordinary cells; they call a row so only when they come first in it. */
const TOTAL_IN_FRONT = /^(?:overall|average|mean|median|durchschnitt)$/;
/** Names of which one may be a total: `All natural disasters`, `Total Europe`. */
const MAY_BE_TOTAL = /^(?:all|total|overall|gesamt) ./;
const FIRST_CELLS = 3;
const VALUES_MIN = 4;
const VALUES_MAX = 5_000;
const SUM_MIN = 1_000;
const SAME = 1e-6;
const NEARLY_SAME = 0.01;

/** Rows that repeat what other rows say together, by what one of their first cells calls them. */
export function totalRows(rows: readonly (readonly string[])[]): Set<number> {
  const isCalled = (cell: string | undefined, words: RegExp) =>
    cell !== undefined && cell.length <= 40 && /\p{L}/u.test(cell) && words.test(totalForm(cell));
  const isTotal = (cells: readonly string[]) =>
    cells.slice(0, FIRST_CELLS).some((cell) => isCalled(cell, TOTAL)) ||
    isCalled(
      cells.find((cell) => cell.trim() !== ''),
      TOTAL_IN_FRONT,
    );
  const totals = new Set(rows.flatMap((cells, row) => (isTotal(cells) ? [row] : [])));
  // Where most are called so, it is what the rows are.
  return totals.size * 2 > rows.length ? new Set() : totals;
}

function totalForm(cell: string): string {
  return normalForm(cell.replaceAll('-', ' '));
}

/** A value of a column whose rows add up to all others: `World` beside its countries. */
interface TotalValue {
  column: Column;
  value: string;
}

/** Values that are likely totals, told by the figures of one measure, or of any: what all the others have together. */
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
