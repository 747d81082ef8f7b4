import type { Condition, TableQuery } from './query.ts';
import type { ExcludedRows, TableResult } from './execute.ts';
import { isYear } from './read-comparisons.ts';
import type { Column, Table } from './table.ts';

export interface TableAnswer {
  /** The value first; then what was counted, so that a reader can check it. */
  text: string;
  /** Numbers of rows that show it, the most conclusive first. */
  rows: number[];
  /** From 0 to 1: lower where rows could not be read, which the text then says. */
  confidence: number;
}

/** Given only for a question of which each word is understood. */
const CONFIDENCE = 0.95;
const CONFIDENCE_OF_MOST = 0.75;
const LISTED_MAX = 60;
const ROWS_CITED_MAX = 5;
const LOOKUP_ROWS_MAX = 8;

/** The answer in words, or null when there is nothing to say. */
export function writeAnswer(query: TableQuery, result: TableResult, table: Table): TableAnswer | null {
  if (result.kind === 'rows') return writeRows(query, result, table);
  const { measure, group, conditions } = query;
  if (result.figures.length === 0) return null;
  if (measure.kind !== 'count' && result.matching.length === 0) return null;
  const unit =
    measure.kind === 'share' ? '%' : 'column' in measure && measure.kind !== 'distinct' ? measure.column.unit : '';
  const figures = result.figures.map(({ group: name, value }) => {
    const said = withUnit(shown(value), unit);
    return name === null ? said : `${name}: ${said}`;
  });
  const listed = figures.length > LISTED_MAX ? [...figures.slice(0, LISTED_MAX), 'and more'] : figures;
  const rows = result.figures.length === 1 ? result.figures[0]!.rows : result.figures.map((figure) => figure.rows[0]!);
  const per = group === null ? '' : ` per ${group.name}`;
  return {
    text: `${listed.join('; ')}. ${describe(query)}${per} in “${table.title}”${inWords(conditions)}.${sayLeftOut(result.leftOut, query)}`,
    rows: cited(rows, table),
    confidence: confidenceOf(result.leftOut),
  };
}

function describe({ measure, noun }: TableQuery): string {
  if (measure.kind === 'count' || measure.kind === 'rows')
    return noun === 'rows' ? 'Number of rows' : `Number of ${noun}, one a row,`;
  if (measure.column === null) return 'Share of rows';
  const name = measure.column.name;
  if (measure.kind === 'share') return `Share of the sum of ${name}`;
  if (measure.kind === 'distinct') return `Different values of ${name}`;
  return `${measure.kind === 'sum' ? 'Sum' : measure.kind === 'average' ? 'Average' : 'Median'} of ${name}`;
}

function writeRows(
  query: TableQuery,
  result: Extract<TableResult, { kind: 'rows' }>,
  table: Table,
): TableAnswer | null {
  const { rows } = result;
  if (rows.length === 0) {
    if (query.conditions.length === 0) return null;
    return {
      text: `None. No row of “${table.title}” has ${query.conditions.map(sayCondition).join(' and ')}.${sayLeftOut(result.leftOut, query)}`,
      rows: [],
      confidence: confidenceOf(result.leftOut),
    };
  }
  const listed = rows.slice(0, LISTED_MAX);
  const show = query.show.length > 0 ? query.show : [table.label ?? table.columns[0]!];
  const ordered = query.order?.column ?? null;
  const asksKey = query.conditions.some(({ column }) => column === table.key || column === table.label);
  // Which row says it, when several do and none of the columns decides.
  const isPlain = show.length === 1 && show[0]!.type !== 'number' && show[0]!.type !== 'date';
  const named =
    rows.length > 1 &&
    !asksKey &&
    !isPlain &&
    table.label !== null &&
    !show.some((column) => column.isUnique || column === table.label) &&
    ordered === null;
  const isList = show.length === 1 && !named && ordered === null;
  const single = isList && !show[0]!.isUnique;
  const texts = listed.map((row) => sayRow(table, row, show, named ? table.label : null, ordered));
  const distinct = single ? [...new Set(texts)] : texts;
  const more = rows.length > listed.length ? `; and ${rows.length - listed.length} more` : '';
  const order =
    ordered === null ? '' : `, ordered by ${ordered.name}, ${query.order!.descending ? 'highest' : 'lowest'} first`;
  return {
    text: `${distinct.join(isList ? ', ' : '; ')}${more}. From “${table.title}”${inWords(query.conditions)}${order}.${sayLeftOut(result.leftOut, query)}`,
    rows: cited(rows.slice(0, LOOKUP_ROWS_MAX), table),
    confidence: confidenceOf(result.leftOut),
  };
}

function sayRow(
  table: Table,
  row: number,
  show: readonly Column[],
  name: Column | null,
  ordered: Column | null,
): string {
  const cells = table.rows[row]!;
  const cell = (column: Column) => {
    const text = cells[column.index]!;
    return text === '' ? 'not given' : column.type === 'number' ? withUnit(text, column.unit) : text;
  };
  const [first, ...rest] = show;
  const said =
    show.length === 1
      ? cell(first!)
      : `${cell(first!)}, ${rest.map((column) => `${column.name} ${cell(column)}`).join(', ')}`;
  const isMeasured = ordered !== null && !show.includes(ordered);
  const label =
    ordered !== null && show.length === 1 && first === ordered && table.label !== null && table.label !== first
      ? ` (${cell(table.label)})`
      : '';
  return `${name === null ? '' : `${cell(name)}: `}${said}${label}${isMeasured ? ` (${ordered.name} ${cell(ordered)})` : ''}`;
}

function withUnit(text: string, unit: string): string {
  if (unit === '' || text.includes(unit)) return text;
  return /^[€$£¥]$/.test(unit) ? `${unit}${text}` : unit === '%' ? `${text}%` : `${text} ${unit}`;
}

function shown(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 2, useGrouping: true });
}

function inWords(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? '' : `, where ${conditions.map(sayCondition).join(' and ')}`;
}

function sayCondition(condition: Condition): string {
  const { name } = condition.column;
  switch (condition.kind) {
    case 'values':
    case 'contains':
      return `${name} ${condition.negated ? 'is not' : 'is'} ${condition.said}`;
    case 'number':
      return `${name} ${condition.comparison} ${isYear(condition.value) ? String(condition.value) : shown(condition.value)}`;
    case 'columns':
      return `${name} ${condition.comparison} ${condition.other.name}`;
    case 'period':
    case 'month':
      return `${name} is ${/^(?:before|after|since|until|by) /.test(condition.said) ? '' : 'in '}${condition.said}`;
    case 'boolean':
      return `${name} is ${condition.value ? 'yes' : 'no'}`;
    case 'empty':
      return `${name} is ${condition.negated ? 'filled' : 'empty'}`;
    default:
      return condition satisfies never;
  }
}

/** What a reader has to know who takes the answer for one over all rows. */
function sayLeftOut({ undecided, unread, empty, totals, assumed }: ExcludedRows, query: TableQuery): string {
  const rows = (count: number) => `${shown(count)} ${count === 1 ? 'row' : 'rows'}`;
  const isPlain = query.measure.kind === 'rows' && query.order === null;
  const said = [
    undecided > 0 ? `${rows(undecided)} that cannot be read in full` : '',
    unread > 0 ? `${rows(unread)} with a value that cannot be read` : '',
    empty > 0 ? `${rows(empty)} without a value` : '',
    totals > 0 && !isPlain ? `${rows(totals)} of totals` : '',
  ].filter((part) => part !== '');
  const read = assumed === null ? '' : ` The comma in ${assumed} is read as one of thousands.`;
  return `${read}${said.length === 0 ? '' : ` Left out: ${said.join(', ')}.`}`;
}

function confidenceOf({ undecided, unread, assumed }: ExcludedRows): number {
  return undecided + unread === 0 && assumed === null ? CONFIDENCE : CONFIDENCE_OF_MOST;
}

function cited(rows: readonly number[], table: Table): number[] {
  return rows.slice(0, ROWS_CITED_MAX).map((row) => table.rowNumbers[row]!);
}
