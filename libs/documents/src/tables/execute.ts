import { booleanIn } from './cell.ts';
import type { Condition, Measure, TableQuery } from './query.ts';
import { type Column, createNormaliser, isEmptyCell, type Table } from './table.ts';

/** One value, of all matching rows or of a group of them. */
interface Figure {
  /** The group; null for all rows. */
  group: string | null;
  value: number;
  rows: number[];
}

export type TableResult =
  | { kind: 'rows'; rows: number[]; found: number }
  | { kind: 'figures'; figures: Figure[]; matching: number[]; skipped: number };

/** Runs a query over all rows; indexes of rows are of `table.rows`. */
export function execute(query: TableQuery, table: Table): TableResult {
  const meets = query.conditions.map((condition) => testOf(condition, table));
  const matching = table.rows.flatMap((_row, index) => (meets.every((test) => test(index)) ? [index] : []));
  if (query.measure.kind === 'rows') {
    const ordered =
      query.order?.column == null ? matching : orderRows(matching, query.order.column, query.order.descending);
    return {
      kind: 'rows',
      rows: ordered.slice(0, query.order === null ? undefined : withTies(ordered, query)),
      found: matching.length,
    };
  }
  const { measure, group } = query;
  const skipped =
    'column' in measure && measure.kind !== 'distinct'
      ? matching.filter((row) => measure.column.numbers[row] == null).length
      : 0;
  if (group === null) {
    const value = valueOf(measure, matching, table);
    return {
      kind: 'figures',
      figures: value === null ? [] : [{ group: null, value, rows: matching }],
      matching,
      skipped,
    };
  }
  const groups = Map.groupBy(
    matching.filter((row) => !isEmptyCell(table.rows[row]![group.index]!)),
    (row) => table.rows[row]![group.index]!,
  );
  const figures = [...groups].flatMap(([name, rows]) => {
    const value = valueOf(measure, rows, table);
    return value === null ? [] : [{ group: name, value, rows }];
  });
  const sign = query.order?.descending === false ? 1 : -1;
  figures.sort((a, b) => (query.order === null ? 0 : sign * (a.value - b.value)) || compareTexts(a.group!, b.group!));
  return {
    kind: 'figures',
    figures: query.order === null ? figures : firstOf(figures, query.limit),
    matching,
    skipped,
  };
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
  if (measure.kind === 'share') return table.rows.length === 0 ? null : (100 * rows.length) / table.rows.length;
  if (measure.kind === 'distinct')
    return new Set(
      rows.map((row) => table.rows[row]![measure.column.index]!.toLowerCase()).filter((cell) => !isEmptyCell(cell)),
    ).size;
  const numbers = rows.map((row) => measure.column.numbers[row]).filter((number) => number != null);
  if (numbers.length === 0) return null;
  if (measure.kind === 'sum') return rounded(sumOf(numbers));
  if (measure.kind === 'average') return sumOf(numbers) / numbers.length;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
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
      return (row) => booleanIn(cell(row)) === condition.value;
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
