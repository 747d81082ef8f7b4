import { Parser } from 'htmlparser2';
import type { NamedText, NamedValue } from '../named-value.ts';

const MAY_BE_MARKUP = /<[A-Za-z][^<>]*>/;
const ATTRIBUTE = /([\w:.-]{1,100})\s{0,3}=\s{0,3}(?:"([^"<>]{1,1000})"|'([^'<>]{1,1000})')/g;
const TAG = /<[^<>]*>/g;
const DEPTH_MAX = 200;
/** Outer names that a value is known by; farther out they say nothing about it. */
const NAMES_MAX = 4;

interface Open {
  name: string;
  record: number;
  /** Where its content begins. */
  start: number;
  hasAttributes: boolean;
  hasElements: boolean;
  /** Cells of a row so far. */
  cells: { text: string; start: number; end: number }[];
  /** The names of a table's columns. */
  columns: string[];
}

/**
 * The values of elements and attributes in a text that holds XML or HTML, as it stands: a configuration, or a listing.
 * An element with attributes is a record of them and its text; any other is a value of the element around it.
 */
export function markupValues(text: string): NamedValue[] {
  if (!MAY_BE_MARKUP.test(text)) return [];
  const reader = new MarkupReader(text);
  const parser: Parser = new Parser(
    {
      onopentag: (name) => reader.open(name, parser.startIndex, parser.endIndex + 1),
      onclosetag: (_name, isImplied) => reader.close(isImplied ? null : parser.startIndex),
    },
    { lowerCaseTags: false, decodeEntities: false, recognizeSelfClosing: true, recognizeCDATA: true },
  );
  parser.write(text);
  parser.end();
  return reader.values.sort((a, b) => a.start - b.start);
}

class MarkupReader {
  readonly values: NamedValue[] = [];
  private readonly text: string;
  private readonly stack: Open[] = [];
  private records = 0;

  constructor(text: string) {
    this.text = text;
  }

  open(name: string, start: number, end: number): void {
    if (this.stack.length >= DEPTH_MAX) this.stack.shift();
    const parent = this.stack.at(-1);
    if (parent !== undefined) parent.hasElements = true;
    this.records += 1;
    const record = this.records;
    let hasAttributes = false;
    for (const match of this.text.slice(start, end).matchAll(ATTRIBUTE)) {
      hasAttributes = true;
      const value = match[2] ?? match[3]!;
      const at = start + match.index + match[0].length - 1 - value.length;
      this.values.push({ names: [name, match[1]!], start: at, end: at + value.length, record });
    }
    this.stack.push({ name, record, start: end, hasAttributes, hasElements: false, cells: [], columns: [] });
  }

  close(end: number | null): void {
    const element = this.stack.pop();
    if (element === undefined) return;
    const parent = this.stack.at(-1);
    if (/^tr$/i.test(element.name)) this.endRow(element);
    if (end === null || element.hasElements || end <= element.start) return;
    const value = this.text.slice(element.start, end);
    const isCell = /^t[dh]$/i.test(element.name);
    const column = isCell ? this.table()?.columns[parent?.cells.length ?? 0] : undefined;
    const outer = isCell ? [] : this.stack.slice(-NAMES_MAX).map(({ name }) => name);
    const names = column === undefined ? [...outer, element.name] : [column];
    const record = element.hasAttributes || parent === undefined ? element.record : parent.record;
    const start = element.start + value.length - value.trimStart().length;
    const place = { start, end: start + value.trim().length };
    if (isCell) parent?.cells.push({ text: value.trim(), ...place });
    if (value.trim() !== '') this.values.push({ names, ...place, record });
  }

  /** The first row of a table names the columns of those below it; of two cells, the first names the second. */
  private endRow({ cells, record }: Open): void {
    const table = this.table();
    if (table !== undefined && table.columns.length === 0) table.columns = cells.map(({ text }) => text);
    const [key, value] = cells;
    if (cells.length === 2 && key!.text !== '' && value!.text !== '')
      this.values.push({ names: [key!.text], start: value!.start, end: value!.end, record });
  }

  private table(): Open | undefined {
    return this.stack.findLast(({ name }) => /^table$/i.test(name));
  }
}

/** The words of a piece of HTML in a text, with a blank for each tag. */
export function markupText(html: string): NamedText {
  const pieces: { from: number; to: number; at: number }[] = [];
  let text = '';
  let from = 0;
  for (const { index, 0: tag } of html.matchAll(TAG)) {
    pieces.push({ from, to: index, at: text.length });
    text += `${html.slice(from, index)} `;
    from = index + tag.length;
  }
  pieces.push({ from, to: html.length, at: text.length });
  text += html.slice(from);
  return { text, values: valuesIn(pieces, markupValues(html)) };
}

/** The parts of the values that lie in a piece. Both are in order, so neither is looked through for the other. */
function valuesIn(
  pieces: readonly { from: number; to: number; at: number }[],
  values: readonly NamedValue[],
): NamedValue[] {
  const placed: NamedValue[] = [];
  let first = 0;
  for (const value of values) {
    while (pieces[first]!.to <= value.start && first < pieces.length - 1) first += 1;
    for (let next = first; next < pieces.length && pieces[next]!.from < value.end; next += 1) {
      const { from, to, at } = pieces[next]!;
      const [start, end] = [Math.max(value.start, from), Math.min(value.end, to)];
      if (start < end) placed.push({ ...value, start: start - from + at, end: end - from + at });
    }
  }
  return placed;
}
