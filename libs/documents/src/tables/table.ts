import { booleanIn, dateIn, numberIn, type Period } from './cell.ts';
import { nameWords, normalForm, type Word } from './words.ts';

/** A table as it was read: texts only. */
export interface RawTable {
  /** What it is called: its file, sheet or heading. */
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** Number of each row for whoever checks it; from 1 where it is not given. */
  rowNumbers?: readonly number[];
}

type ColumnType = 'number' | 'date' | 'boolean' | 'category' | 'text';

export interface Column {
  index: number;
  name: string;
  words: readonly Word[];
  type: ColumnType;
  /** `EUR`, `kg`, `%`: as the name or every cell says it; empty where neither does. */
  unit: string;
  /** Every filled cell is another one. */
  isUnique: boolean;
  distinct: number;
  /** Numbers of the cells of a number column, by row; null where there is none. */
  numbers: readonly (number | null)[];
  dates: readonly (Period | null)[];
  booleans: readonly (boolean | null)[];
}

export interface Table {
  title: string;
  titleWords: readonly Word[];
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
  rowNumbers: readonly number[];
  /** The column that tells the rows apart, and the one that names them to people. */
  key: Column | null;
  label: Column | null;
}

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
  const isEuropean = cells.some((row) =>
    row.some((cell) => DECIMAL_COMMA.test(cell) || /^\d{1,2}\.\d{1,2}\.\d{4}$/.test(cell)),
  );
  const read = columns.map((name, index) => readColumn(name.trim(), index, cells, isEuropean));
  const key = keyOf(read);
  return {
    title: raw.title,
    titleWords: nameWords(raw.title.replace(/\.[a-z]{2,5}$/i, '')),
    columns: read,
    rows: cells,
    rowNumbers: raw.rowNumbers ?? rows.map((_row, index) => index + 1),
    key,
    label: labelOf(read, key),
  };
}

const DECIMAL_COMMA = /^[-+]?(?:\d{1,3}(?:\.\d{3})*|\d+),\d{1,2}(?:\D{0,4})$/;
const TYPED_SHARE = 0.9;
const CATEGORY_SHARE = 0.5;
const EMPTY = new Set(['', '-', '–', '—', 'n/a', 'na', 'null', 'none', '?', 'tbd', 'unknown']);

export function isEmptyCell(text: string): boolean {
  return EMPTY.has(text.toLowerCase());
}

function readColumn(name: string, index: number, rows: readonly (readonly string[])[], isEuropean: boolean): Column {
  const cells = rows.map((row) => row[index]!);
  const filled = cells.filter((cell) => !isEmptyCell(cell));
  const distinct = new Set(filled).size;
  const enough = Math.max(1, filled.length * TYPED_SHARE);
  const known = {
    index,
    name,
    words: nameWords(name),
    distinct,
    isUnique: distinct === filled.length && filled.length === rows.length,
  };
  const none = { unit: '', numbers: [], dates: [], booleans: [] };
  const booleans = cells.map(booleanIn);
  if (filled.length > 0 && distinct <= 4 && cells.every((cell, row) => booleans[row] !== null || isEmptyCell(cell)))
    return { ...known, ...none, type: 'boolean', booleans };
  const dates = cells.map(dateIn);
  if (dates.filter((date) => date !== null).length >= enough) return { ...known, ...none, type: 'date', dates };
  const numbers = cells.map((cell) => (isEmptyCell(cell) ? null : numberIn(cell)));
  // Amounts of two units are no column of numbers: grams beside kilograms.
  if (
    unitsOf(filled).size <= 1 &&
    numbers.filter((number) => number !== null).length >= enough &&
    !/^0\d/.test(filled[0] ?? '')
  )
    return {
      ...known,
      ...none,
      type: 'number',
      numbers: isEuropean ? europeanNumbers(cells, numbers) : numbers,
      unit: unitOf(name, filled),
    };
  return { ...known, ...none, type: distinct <= filled.length * CATEGORY_SHARE ? 'category' : 'text' };
}

/** `1.234` is a thousand in a table that writes decimals with a comma or days with points, where each cell could be one. */
function europeanNumbers(cells: readonly string[], numbers: readonly (number | null)[]): readonly (number | null)[] {
  const isGrouped = (cell: string) => /^\D{0,4}\d{1,3}(?:\.\d{3})+\D{0,4}$/.test(cell);
  if (!cells.every((cell) => !cell.includes('.') || isGrouped(cell) || cell.includes(','))) return numbers;
  return cells.map((cell, row) => (isGrouped(cell) ? Number(cell.replace(/\D/g, '')) : (numbers[row] ?? null)));
}

const UNIT_WORDS = new Map([
  ...['eur', 'usd', 'gbp', 'chf', 'jpy'].map((code) => [code, code.toUpperCase()] as const),
  ...['kg', 'km', 'kw', 'mm', 'cm', 'ha'].map((unit) => [unit, unit] as const),
  ['percent', '%'],
  ['pct', '%'],
]);

function unitOf(name: string, cells: readonly string[]): string {
  const bracket = /[([]([^()[\]]{1,12})[)\]]\s*$/.exec(name)?.[1];
  if (bracket !== undefined) return bracket.trim();
  const last = nameWords(name).at(-1)?.lower ?? '';
  const named = UNIT_WORDS.get(last);
  if (named !== undefined) return named;
  return [...unitsOf(cells)][0] ?? '';
}

function unitsOf(cells: readonly string[]): Set<string> {
  const units = cells.map(
    (cell) => /^([€$£¥])/.exec(cell)?.[1] ?? /\d\s?([€$£¥%]|[A-Za-z²³°µ]{1,6})$/.exec(cell)?.[1] ?? '',
  );
  return new Set(units.filter((unit) => unit !== ''));
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

/** Normal forms of cells, each text once. */
export function createNormaliser(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const cached = known.get(text);
    if (cached !== undefined) return cached;
    const form = normalForm(text);
    if (known.size < 200_000) known.set(text, form);
    return form;
  };
}
