import { numeralIn, type Numeral } from './numeral.ts';

/** The mark before the decimals; the other one groups thousands. */
export type DecimalMark = '.' | ',';

/** A column of numbers as it is written. */
interface ReadNumbers {
  /** By cell; null where there is none, or none that can be read. */
  values: (number | null)[];
  unit: string;
  /** A cell that is read as thousands only because no cell of the table shows otherwise. */
  assumed: string | null;
}

/** Share of the filled cells that must be numbers. */
const TYPED_SHARE = 0.9;
/** Cells that show whether a column may be one of numbers. */
const LOOKED_AT_FIRST = 100;

/**
 * How a table writes decimals, as far as a cell shows it; null where none does, or two contradict each other. Marks of
 * one column count for the others: `1.234` alone is a thousand in one table and little more than one in another.
 */
export function decimalMarkOf(columns: readonly (readonly string[])[]): DecimalMark | null {
  const marks = new Set<DecimalMark>();
  for (const cells of columns) {
    const first = cells.slice(0, LOOKED_AT_FIRST).filter((cell) => cell !== '');
    if (first.filter((cell) => /\d/.test(cell)).length < first.length / 2) continue;
    const numerals = cells.map(numeralIn).filter((numeral) => numeral !== null);
    if (cells.some((cell) => /^\d{1,2}\.\d{1,2}\.\d{4}$/.test(cell))) marks.add(',');
    if (numerals.length < cells.filter((cell) => cell !== '').length * TYPED_SHARE) continue;
    for (const { mark } of numerals) if (mark !== null) marks.add(mark);
  }
  const [only, ...more] = marks;
  return only !== undefined && more.length === 0 ? only : null;
}

/**
 * The numbers of a column; null when it is none of numbers, or when two amounts of it cannot be told to be of one unit
 * and one way of writing: dollars beside euros, grams beside kilograms, `1.234` where it may be either number.
 */
export function readNumbers(
  cells: readonly string[],
  isEmpty: (cell: string) => boolean,
  namedUnit: string,
  ofTable: DecimalMark | null,
): ReadNumbers | null {
  const filled = cells.filter((cell) => !isEmpty(cell));
  const numerals = cells.map((cell) => (isEmpty(cell) ? null : numeralIn(cell)));
  const read = numerals.filter((numeral) => numeral !== null);
  if (read.length === 0 || read.length < filled.length * TYPED_SHARE) return null;
  // `00501` is a code and no number.
  if (read.some(({ digits }) => /^0\d/.test(digits))) return null;
  const unit = unitOfAll(read, namedUnit);
  const mark = markOfAll(read, ofTable);
  if (unit === null || mark === null) return null;
  const values = numerals.map((numeral) => (numeral === null ? null : valueOf(numeral, mark)));
  const known = values.filter((value) => value !== null).length;
  if (known === 0 || known < filled.length * TYPED_SHARE) return null;
  const isShown = ofTable !== null || read.some((numeral) => numeral.mark !== null);
  const at = isShown ? -1 : numerals.findIndex((numeral) => numeral?.open === ',');
  return { values, unit, assumed: at < 0 ? null : cells[at]! };
}

/** Null when the cells have several units, or only some of them one. */
function unitOfAll(numerals: readonly Numeral[], named: string): string | null {
  const units = Map.groupBy(
    numerals.filter(({ unit }) => unit !== ''),
    ({ unit }) => cellUnit(unit),
  );
  if (units.size === 0) return named;
  const [[form, [first]]] = units as unknown as [[string, [Numeral]]];
  if (units.size > 1 || (named !== '' && unitForm(named) !== unitForm(form))) return null;
  const isBare = numerals.some(({ unit, digits }) => unit === '' && Number(digits) !== 0);
  if (isBare && named === '') return null;
  return named === '' ? first.unit : named;
}

const FORMS: ReadonlyMap<string, string> = new Map([
  ...['€', 'euro', 'euros'].map((word) => [word, 'eur'] as const),
  ...['$', 'us$', 'dollar', 'dollars'].map((word) => [word, 'usd'] as const),
  ...['£', 'pound', 'pounds'].map((word) => [word, 'gbp'] as const),
  ...['percent', 'pct', 'percentage'].map((word) => [word, '%'] as const),
  ...['kilometre', 'kilometres', 'kilometer', 'kilometers', 'kms'].map((word) => [word, 'km'] as const),
  ...['metre', 'metres', 'meter', 'meters'].map((word) => [word, 'm'] as const),
  ...['kilogram', 'kilograms', 'kilo', 'kilos', 'kgs'].map((word) => [word, 'kg'] as const),
  ...['tonne', 'tonnes', 'ton', 'tons'].map((word) => [word, 't'] as const),
  ...['litre', 'litres', 'liter', 'liters'].map((word) => [word, 'l'] as const),
  ...['minute', 'minutes', 'mins'].map((word) => [word, 'min'] as const),
  ...['hour', 'hours', 'hr', 'hrs'].map((word) => [word, 'h'] as const),
  ...['second', 'seconds', 'sec', 'secs'].map((word) => [word, 's'] as const),
  ...['day', 'days'].map((word) => [word, 'd'] as const),
  ...['month', 'months'].map((word) => [word, 'month'] as const),
  ...['year', 'years'].map((word) => [word, 'year'] as const),
  ...['week', 'weeks'].map((word) => [word, 'week'] as const),
]);

/** A unit as it is compared: `€`, `euros` and `EUR` are one. */
export function unitForm(unit: string): string {
  const lower = unit.toLowerCase().replace(/\.$/, '');
  return FORMS.get(lower) ?? lower;
}

/** Milliwatts are no megawatts, bits no bytes. */
const CASED = /^(?:[mMkK]?[wWbB]|[mM]g)$/;

/** The form of a unit that a cell has, where nothing but its case may tell it from another. */
function cellUnit(unit: string): string {
  const bare = unit.replace(/\.$/, '');
  return CASED.test(bare) ? bare : unitForm(unit);
}

/** Null when the column writes decimals in two ways, or nothing decides which it is. */
function markOfAll(numerals: readonly Numeral[], ofTable: DecimalMark | null): DecimalMark | null {
  const marks = new Set(numerals.map(({ mark }) => mark).filter((mark) => mark !== null));
  if (marks.size > 1) return null;
  const [own] = marks;
  if (own !== undefined) return own;
  const open = new Set(numerals.map(({ open: separator }) => separator).filter((separator) => separator !== null));
  if (open.size === 0) return ofTable ?? '.';
  if (open.size > 1) return null;
  const [separator] = open;
  // Who writes `12345` beside `1.234` does not group thousands.
  const isUngrouped = numerals.some(({ digits }) => /^\d{4,}$/.test(digits));
  if (isUngrouped)
    return separator === '.' && ofTable !== ',' ? '.' : separator === ',' && ofTable === ',' ? ',' : null;
  if (ofTable !== null) return ofTable;
  return separator === ',' ? '.' : null;
}

function valueOf({ digits, factor }: Numeral, mark: DecimalMark): number | null {
  const whole = mark === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
  const value = Number(whole);
  return whole === '' || !Number.isFinite(value) ? null : scaled(value, factor);
}

/** 1.1 thousand are 1,100, and not 1,100.0000000000001. */
function scaled(value: number, factor: number): number {
  return Math.abs(factor) === 1 ? value * factor : Number((value * factor).toPrecision(15));
}
