import { BlockList, type ParsedDocument, ParseFailure } from '../parsed.ts';
import { joined, named, type NamedText, plain } from '../named-value.ts';
import { looksLikeHeader } from './table-text.ts';

const DEPTH_MAX = 200;
const VALUES_MAX = 2_000_000;
/** An object with more text than this is split by its own members. */
const BLOCK_MAX_CHARS = 1_500;

/** JSON, or one JSON value a line; null when the text is neither. Throws `nested_too_deep` before a parser would. */
export function readJson(text: string): { value: unknown } | null {
  if (!/^\s*[[{]/.test(text)) return null;
  assertShallow(text);
  try {
    return { value: JSON.parse(text, preserveNumberText) };
  } catch {
    return readLines(text);
  }
}

/** A number is its own spelling: what has more digits than a double is not changed. */
function preserveNumberText(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}

function readLines(text: string): { value: unknown } | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return null;
  try {
    return { value: lines.map((line) => JSON.parse(line, preserveNumberText) as unknown) };
  } catch {
    return null;
  }
}

function assertShallow(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth += 1;
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
    if (depth > DEPTH_MAX)
      throw new ParseFailure('nested_too_deep', `The document is nested more than ${DEPTH_MAX} deep.`);
  }
}

const [QUOTE, BACKSLASH, OPEN_BRACKET, OPEN_BRACE, CLOSE_BRACKET, CLOSE_BRACE] = [...'"\\[{]}'].map((char) =>
  char.charCodeAt(0),
) as [number, number, number, number, number, number];

/** Each record as lines of `name: value`, with its place. */
export function parseJson(value: unknown, recordsAsRows = false): ParsedDocument {
  const list = new BlockList();
  const budget: Budget = { values: VALUES_MAX, records: 0 };
  if (recordsAsRows) addRows(list, value, '$', budget);
  else addValue(list, value, '$', budget);
  const title = value !== null && typeof value === 'object' && 'title' in value ? value.title : null;
  return {
    mediaType: 'application/json',
    title: typeof title === 'string' && title.trim() !== '' ? title.trim() : null,
    context: '',
    blocks: list.blocks,
    occurredAt: null,
  };
}

function addValue(list: BlockList, value: unknown, path: string, budget: Budget, names: readonly string[] = []): void {
  const record = nextRecord(budget);
  const text = joined(linesOf(value, '', budget, { names, record }), '\n');
  if (value === null || typeof value !== 'object' || text.text.length <= BLOCK_MAX_CHARS) {
    return list.add(text, headingsOf(path), { path });
  }
  const plainLines: NamedText[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const isList = Array.isArray(value);
    const place = isList ? `${path}[${key}]` : `${path}.${key}`;
    const below = isList ? names : [...names, key];
    if (inner !== null && typeof inner === 'object') addValue(list, inner, place, budget, below);
    else plainLines.push(...linesOf(inner, isList ? '' : key, budget, { names: below, record }));
  }
  list.add(joined(plainLines, '\n'), headingsOf(path), { path });
}

/** Each flat object as one row, so that what belongs together is one statement. */
function addRows(list: BlockList, value: unknown, path: string, budget: Budget): void {
  if (value === null || typeof value !== 'object' || Object.values(value).every(isPlain)) {
    const names = headingsOf(path);
    const lines = () => joined(linesOf(value, '', budget, { names, record: nextRecord(budget) }), '\n');
    return list.add(isRecord(value) ? rowOf(value, budget, names) : lines(), names, { path });
  }
  const plainOnes = Object.entries(value).filter(([, inner]) => isPlain(inner));
  if (!Array.isArray(value)) {
    const names = headingsOf(path);
    list.add(rowOf(Object.fromEntries(plainOnes), budget, names), names, { path });
  }
  for (const [key, inner] of Object.entries(value)) {
    if (isPlain(inner) && !Array.isArray(value)) continue;
    addRows(list, inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`, budget);
  }
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object' || (Array.isArray(value) && !value.some(isRecord));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The values of a flat object in one line, each under its name. */
function rowOf(object: Record<string, unknown>, budget: Budget, path: readonly string[]): NamedText {
  const record = nextRecord(budget);
  const cells = Object.entries(object).flatMap(([name, value]) => {
    const said = joined(linesOf(value, '', budget, { names: [...path, name], record, isLine: true }), ', ');
    if (said.text === '') return [];
    return [name === '' ? said : joined([plain(`${name}: `), said], '')];
  });
  return joined(cells, '; ');
}

function headingsOf(path: string): string[] {
  return path
    .split('.')
    .slice(1)
    .map((step) => step.replace(/\[\d+\]/g, ''))
    .filter((step) => step !== '');
}

interface Budget {
  values: number;
  records: number;
}

function nextRecord(budget: Budget): number {
  budget.records += 1;
  return budget.records;
}

/** The keys above a value, and the object that it belongs to. */
interface Owner {
  names: readonly string[];
  record: number;
  /** White space in values is one blank. */
  isLine?: boolean;
}

function linesOf(value: unknown, name: string, budget: Budget, { names, record, isLine = false }: Owner): NamedText[] {
  budget.values -= 1;
  if (budget.values < 0)
    throw new ParseFailure('too_much_content', 'The document holds more values than one document may.');
  if (value === null || value === '') return [];
  const lead = name === '' ? plain('') : plain(`${name}: `);
  const one = (inner: unknown) => {
    const text = String(inner as string);
    return named(isLine ? text.replace(/\s+/g, ' ') : text, [names], record);
  };
  if (typeof value !== 'object') return [joined([lead, one(value)], '')];
  if (Array.isArray(value)) {
    if (value.every((inner) => inner === null || typeof inner !== 'object'))
      return value.length === 0
        ? []
        : [
            joined(
              [
                lead,
                joined(
                  value.map((inner) => one(inner ?? '')),
                  ', ',
                ),
              ],
              '',
            ),
          ];
    const columns = columnsOf(value);
    const owner = { names, record: nextRecord(budget), isLine };
    return value.flatMap((inner, row) =>
      columns === null || row === 0
        ? linesOf(inner, name, budget, owner)
        : [joined([lead, cellsOf(inner as unknown[], columns, { names, record: nextRecord(budget) })], '')],
    );
  }
  const owner = nextRecord(budget);
  return Object.entries(value).flatMap(([key, inner]) =>
    linesOf(inner, name === '' ? key : `${name}.${key}`, budget, { names: [...names, key], record: owner, isLine }),
  );
}

/** The names in the first of several lists of equally many values, which are rows of a table then. */
function columnsOf(rows: readonly unknown[]): string[] | null {
  const [first] = rows;
  const isRow = (row: unknown): row is unknown[] =>
    Array.isArray(row) && row.length > 1 && row.every((cell) => cell === null || typeof cell !== 'object');
  if (rows.length < 2 || !isRow(first)) return null;
  const names = first.map((cell) => String((cell as string | null) ?? ''));
  const isTable = looksLikeHeader(names) && rows.every((row) => isRow(row) && row.length === names.length);
  return isTable ? names : null;
}

function cellsOf(row: readonly unknown[], columns: readonly string[], { names, record }: Owner): NamedText {
  const key = String((row[0] as string | null) ?? '');
  const cells = row.map((cell, column) => {
    const known = [[...names, columns[column]!]];
    if (row.length === 2 && column === 1) known.push([...names, key]);
    return named(String((cell as string | null) ?? ''), known, record);
  });
  return joined(cells, ', ');
}
