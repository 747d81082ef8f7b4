import { BlockList, type ParsedDocument, ParseFailure } from '../parsed.ts';
import { rowText } from './table-text.ts';

const DEPTH_MAX = 200;
const VALUES_MAX = 2_000_000;
/** An object with more text than this is told apart by its own members. */
const BLOCK_MAX_CHARS = 1_500;

/** JSON, or one JSON value a line; null when the text is neither. Throws `nested_too_deep` before a parser would. */
export function readJson(text: string): { value: unknown } | null {
  if (!/^\s*[[{]/.test(text)) return null;
  assertShallow(text);
  try {
    return { value: JSON.parse(text, keepNumbers) };
  } catch {
    return readLines(text);
  }
}

/** A number is its own spelling: what has more digits than a double is not changed. */
function keepNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}

function readLines(text: string): { value: unknown } | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return null;
  try {
    return { value: lines.map((line) => JSON.parse(line, keepNumbers) as unknown) };
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
  const budget = { values: VALUES_MAX };
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

function addValue(list: BlockList, value: unknown, path: string, budget: { values: number }): void {
  const lines = linesOf(value, '', budget);
  const text = lines.join('\n');
  if (value === null || typeof value !== 'object' || text.length <= BLOCK_MAX_CHARS) {
    return list.add(text, headingsOf(path), { path });
  }
  const plain: string[] = [];
  for (const [key, inner] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    if (inner !== null && typeof inner === 'object') addValue(list, inner, place, budget);
    else plain.push(...linesOf(inner, Array.isArray(value) ? '' : key, budget));
  }
  list.add(plain.join('\n'), headingsOf(path), { path });
}

/** Each flat object as one row, so that what belongs together is one statement. */
function addRows(list: BlockList, value: unknown, path: string, budget: { values: number }): void {
  if (value === null || typeof value !== 'object' || Object.values(value).every(isPlain)) {
    const row = isRecord(value) ? rowOf(value, budget) : linesOf(value, '', budget).join('\n');
    return list.add(row, headingsOf(path), { path });
  }
  const plain = Object.entries(value).filter(([, inner]) => isPlain(inner));
  if (!Array.isArray(value)) list.add(rowOf(Object.fromEntries(plain), budget), headingsOf(path), { path });
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

function rowOf(record: Record<string, unknown>, budget: { values: number }): string {
  const names = Object.keys(record);
  const values = names.map((name) => linesOf(record[name], '', budget).join(', ').replace(/\s+/g, ' '));
  // Padded, because `rowText` reads a table of two columns as a name and its value.
  return rowText([...names, ''], [...values, '']);
}

function headingsOf(path: string): string[] {
  return path
    .split('.')
    .slice(1)
    .map((step) => step.replace(/\[\d+\]/g, ''))
    .filter((step) => step !== '');
}

function linesOf(value: unknown, name: string, budget: { values: number }): string[] {
  budget.values -= 1;
  if (budget.values < 0)
    throw new ParseFailure('too_much_content', 'The document holds more values than one document may.');
  if (value === null || value === '') return [];
  if (typeof value !== 'object') return [name === '' ? String(value as string) : `${name}: ${String(value as string)}`];
  if (Array.isArray(value)) {
    if (value.every((inner) => inner === null || typeof inner !== 'object'))
      return value.length === 0 ? [] : [`${name === '' ? '' : `${name}: `}${value.join(', ')}`];
    return value.flatMap((inner) => linesOf(inner, name, budget));
  }
  return Object.entries(value).flatMap(([key, inner]) => linesOf(inner, name === '' ? key : `${name}.${key}`, budget));
}
