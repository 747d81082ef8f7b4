import type { TableQuery } from './query.ts';
import { isEmptyCell } from './cell.ts';
import type { Column, Table } from './table.ts';
import { totalValues } from './total-rows.ts';

/** Columns that say of what the numbers of a row are. */
const UNIT_NAMES =
  /^(?:currency|currencies|ccy|curr|uom|unit|unit of measure|unit of measurement|measure|metric|indicator|indicator name|indicator code|variable|series|statistic|währung|einheit|devise|moneda)$/;
/** Amounts of pieces have no currency. */
const COUNTS = new Set(['quantity', 'qty', 'count', 'unit', 'piece', 'number', 'year']);

/** Whether numbers of the rows are of several units or currencies, as another column says, and are put together or compared. */
export function mixesUnits(query: TableQuery, matching: readonly number[], table: Table): boolean {
  const { measure, order, conditions, group } = query;
  const numbers = [
    ...('column' in measure && measure.kind !== 'distinct' ? [measure.column] : []),
    order?.column ?? null,
    ...conditions.map((condition) => (condition.kind === 'number' ? condition.column : null)),
  ].filter((column) => column !== null && column.type === 'number');
  const open = numbers.filter((column) => column !== null && !column.words.some(({ stem }) => COUNTS.has(stem)));
  if (open.length === 0) return false;
  return table.columns.filter(isUnitColumn).some((column) => {
    const isShare = measure.kind === 'share';
    if (column === group || (!isShare && pins(query, column))) return false;
    // A share is one of the amounts of all rows.
    const rows = isShare || conditions.some(({ kind }) => kind === 'number') ? [...table.rows.keys()] : matching;
    const units = new Set(
      rows.map((row) => table.rows[row]![column.index]!.toLowerCase()).filter((cell) => !isEmptyCell(cell)),
    );
    return units.size > 1;
  });
}

function isUnitColumn({ name, type }: Column): boolean {
  return (
    (type === 'category' || type === 'text') &&
    UNIT_NAMES.test(
      name
        .toLowerCase()
        .replace(/[_\s]+/g, ' ')
        .trim(),
    )
  );
}

/** Whether a condition leaves one value of a column. */
function pins({ conditions }: TableQuery, column: Column): boolean {
  return conditions.some(
    (condition) =>
      condition.column === column && condition.kind === 'values' && !condition.negated && condition.forms.size === 1,
  );
}

function measureOf({ measure, order }: TableQuery): Column | null {
  const column = ('column' in measure ? measure.column : null) ?? order?.column ?? null;
  return column?.type === 'number' ? column : null;
}

/** Whether rows that say what others say together are counted, added up or ranked beside these. */
export function repeatsTotals(query: TableQuery, matching: readonly number[], table: Table): boolean {
  if (query.measure.kind === 'rows' && query.order === null) return false;
  const totals = totalValues(table, measureOf(query));
  if (query.measure.kind === 'share') return totals.length > 0;
  return totals.some(({ column, value }) => {
    if (pins(query, column)) return false;
    const values = new Set(matching.map((row) => table.rows[row]![column.index]!));
    return values.has(value) && values.size > 1;
  });
}
