import { createNormaliser, type Column, type Table } from './table.ts';
import { isEmptyCell } from './cell.ts';
import type { Condition, Measure, TableQuery } from './query.ts';
import { mixesUnits, repeatsTotals } from './comparable.ts';

/** One value, of all matching rows or of a group of them. */
interface Figure {
  /** The group; null for all rows. */
  group: string | null;
  value: number;
  rows: number[];
}

/** Rows that an answer is silent about unless it says so. */
export interface ExcludedRows {
  /** Of which a condition, or the group, cannot be read. */
  undecided: number;
  /** Matching ones of which the value is there and cannot be read. */
  unread: number;
  /** Matching ones without the value. */
  empty: number;
  /** Rows of totals. */
  totals: number;
  /** A number that is read in the likelier of two ways. */
  assumed: string | null;
}

export type TableResult = { leftOut: ExcludedRows } & (
  | { kind: 'rows'; rows: number[]; found: number }
  | { kind: 'figures'; figures: Figure[]; matching: number[] }
);

/** An answer that leaves out a larger share of its rows than this is none. */
const LEFT_OUT_MAX = 0.1;

/**
 * Runs a query over all rows; indexes of rows are of `table.rows`. Null when the rows do not allow it: too many that
 * cannot be read, or amounts of several units.
 */
export function execute(query: TableQuery, table: Table): TableResult | null {
  const { matching, undecided } = matchingRows(query, table);
  const used = usedColumn(query);
  const values = used === null ? [] : matching.filter((row) => !used.unread.has(row));
  const leftOut = {
    undecided: undecided + (query.group === null ? 0 : matching.filter((row) => query.group!.unread.has(row)).length),
    unread: used === null ? 0 : matching.length - values.length,
    empty: used === null ? 0 : values.filter((row) => isEmptyCell(table.rows[row]![used.index]!)).length,
    totals: table.totals.size,
    assumed: assumedIn(query),
  };
  if (leftOut.undecided > (matching.length + leftOut.undecided) * LEFT_OUT_MAX) return null;
  if (leftOut.unread > matching.length * LEFT_OUT_MAX) return null;
  if (matching.length === 0 && table.totals.size > 0) return null;
  if (mixesUnits(query, matching, table) || repeatsTotals(query, matching, table)) return null;
  if (query.measure.kind === 'rows') {
    const ordered =
      query.order?.column == null ? matching : orderRows(matching, query.order.column, query.order.descending);
    return {
      kind: 'rows',
      rows: ordered.slice(0, query.order === null ? undefined : withTies(ordered, query)),
      found: matching.length,
      leftOut,
    };
  }
  return { kind: 'figures', figures: figuresOf(query, matching, table), matching, leftOut };
}

/** The column whose cells are computed with or ordered by. */
function usedColumn({ measure, order }: TableQuery): Column | null {
  if ('column' in measure && measure.column !== null) return measure.column;
  return order?.column ?? null;
}

/** A column of which only the cells are shown needs no reading. */
function assumedIn({ measure, order, conditions }: TableQuery): string | null {
  const columns = [
    'column' in measure && measure.kind !== 'distinct' ? measure.column : null,
    order?.column ?? null,
    ...conditions.map((condition) => (condition.kind === 'number' ? condition.column : null)),
  ];
  return columns.find((column) => column !== null && column.assumed !== null)?.assumed ?? null;
}

/** What meets the conditions, and how many rows might, if they could be read. */
function matchingRows({ conditions }: TableQuery, table: Table): { matching: number[]; undecided: number } {
  const tests = conditions.map((condition) => ({ condition, test: testOf(condition, table) }));
  const matching: number[] = [];
  let undecided = 0;
  for (const row of table.rows.keys()) {
    if (table.totals.has(row)) continue;
    const results = tests.map(({ condition, test }) => (isUnread(condition, row) ? null : test(row)));
    if (results.includes(false)) continue;
    if (results.includes(null)) undecided += 1;
    else matching.push(row);
  }
  // A value that one row alone has cannot be in another.
  const isKnown = conditions.some(
    (condition) => condition.kind === 'values' && !condition.negated && condition.column === table.key,
  );
  return { matching, undecided: isKnown && matching.length > 0 ? 0 : undecided };
}

function isUnread(condition: Condition, row: number): boolean {
  return condition.column.unread.has(row) || (condition.kind === 'columns' && condition.other.unread.has(row));
}

function figuresOf({ measure, group, order, limit }: TableQuery, matching: readonly number[], table: Table): Figure[] {
  if (group === null) {
    const value = valueOf(measure, matching, table);
    return value === null ? [] : [{ group: null, value, rows: [...matching] }];
  }
  const cell = (row: number) => table.rows[row]![group.index]!;
  const groups = Map.groupBy(
    matching.filter((row) => !isEmptyCell(cell(row)) && !group.unread.has(row)),
    cell,
  );
  const figures = [...groups].flatMap(([name, rows]) => {
    const value = valueOf(measure, rows, table);
    return value === null ? [] : [{ group: name, value, rows }];
  });
  const sign = order?.descending === false ? 1 : -1;
  figures.sort((a, b) => (order === null ? 0 : sign * (a.value - b.value)) || compareTexts(a.group!, b.group!));
  return order === null ? figures : firstOf(figures, limit);
}

function firstOf(figures: readonly Figure[], limit: number | null): Figure[] {
  return limit === null ? figures.filter(({ value }) => value === figures[0]!.value) : figures.slice(0, limit);
}

/** With no number asked for, all that are first; with one, as many as that. */
function withTies(ordered: readonly number[], { order, limit }: TableQuery): number {
  if (limit !== null) return limit;
  const value = (row: number | undefined) => (row === undefined ? null : sortValue(order!.column!, row));
  const first = value(ordered[0]);
  return Math.max(
    1,
    ordered.findIndex((row) => value(row) !== first) === -1
      ? ordered.length
      : ordered.findIndex((row) => value(row) !== first),
  );
}

function orderRows(rows: readonly number[], column: Column, descending: boolean): number[] {
  const known = rows.filter((row) => sortValue(column, row) !== null);
  const sign = descending ? -1 : 1;
  return known.sort((a, b) => sign * (sortValue(column, a)! - sortValue(column, b)!) || a - b);
}

function sortValue(column: Column, row: number): number | null {
  return column.type === 'date' ? (column.dates[row]?.from ?? null) : (column.numbers[row] ?? null);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function valueOf(measure: Measure, rows: readonly number[], table: Table): number | null {
  if (measure.kind === 'rows' || measure.kind === 'count') return rows.length;
  if (measure.kind === 'share') return shareOf(measure.column, rows, table);
  if (measure.kind === 'distinct')
    return new Set(
      rows
        .filter((row) => !measure.column.unread.has(row))
        .map((row) => table.rows[row]![measure.column.index]!.toLowerCase())
        .filter((cell) => !isEmptyCell(cell)),
    ).size;
  const numbers = rows.map((row) => measure.column.numbers[row]).filter((number) => number != null);
  if (numbers.length === 0) return null;
  if (measure.kind === 'sum') return rounded(sumOf(numbers));
  if (measure.kind === 'average') return sumOf(numbers) / numbers.length;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Of the rows, or of what a column has in all of them; null when that may be below nothing. */
function shareOf(column: Column | null, rows: readonly number[], table: Table): number | null {
  if (column === null) return (100 * rows.length) / (table.rows.length - table.totals.size);
  const all = column.numbers.filter((number) => number !== null);
  const whole = sumOf(all);
  if (whole === 0 || column.unread.size > 0 || all.some((number) => number < 0)) return null;
  return (100 * sumOf(rows.map((row) => column.numbers[row] ?? 0))) / whole;
}

/** Neumaier's sum: what a plain one loses is carried along. */
function sumOf(numbers: readonly number[]): number {
  let [sum, lost] = [0, 0];
  for (const number of numbers) {
    const next = sum + number;
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  return sum + lost;
}

function rounded(value: number): number {
  return Math.abs(value) < 1e9 ? Math.round(value * 1e6) / 1e6 : value;
}

function testOf(condition: Condition, { rows }: Table): (row: number) => boolean {
  const { column } = condition;
  const cell = (row: number) => rows[row]![column.index]!;
  const normalise = createNormaliser();
  switch (condition.kind) {
    case 'values':
      return (row) => condition.forms.has(normalise(cell(row))) !== condition.negated;
    case 'contains':
      return (row) => ` ${normalise(cell(row))} `.includes(condition.form) !== condition.negated;
    case 'boolean':
      return (row) => column.booleans[row] === condition.value;
    case 'empty':
      return (row) => isEmptyCell(cell(row)) !== condition.negated;
    case 'number':
      return (row) => compare(column.numbers[row], condition.comparison, condition.value);
    case 'columns':
      return (row) => compare(column.numbers[row], condition.comparison, condition.other.numbers[row]);
    case 'period':
      return (row) => {
        const date = column.dates[row];
        return date != null && date.from >= condition.period.from && date.until <= condition.period.until;
      };
    case 'month':
      return (row) => {
        const date = column.dates[row];
        return (
          date != null &&
          new Date(date.from * 86_400_000).getUTCMonth() === condition.month - 1 &&
          date.until - date.from <= 31
        );
      };
    default:
      return condition satisfies never;
  }
}

function compare(a: number | null | undefined, comparison: string, b: number | null | undefined): boolean {
  if (a == null || b == null) return false;
  if (comparison === '<') return a < b;
  if (comparison === '<=') return a <= b;
  if (comparison === '>') return a > b;
  return comparison === '>=' ? a >= b : a === b;
}
