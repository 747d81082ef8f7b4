import type { Block, ParsedDocument } from '../parsed.ts';
import { inlineText } from './restructured-inline.ts';
import { directive, type DirectiveKind } from './restructured-directives.ts';
import { type NamedText, plain, trimmed } from '../named-value.ts';
import { looksLikeHeader, tableText } from './table-text.ts';

/** Nested deeper, text is read as it is written. */
const DEPTH_MAX = 20;
const SIGN_CHARS = 65_536;
const SIGN = /^\.\. [a-z][\w-]*::|:[a-z][\w+-]*:`[^`\n]+`|^\.\. _[^:\s]{1,80}:/gm;
const SIGNS_MIN = 2;
const MARKDOWN_FENCE = /^ {0,3}```/m;

/** Whether a text is reStructuredText: two directives, roles or labels, and no fence of Markdown. */
export function looksLikeReStructuredText(text: string): boolean {
  const start = text.slice(0, SIGN_CHARS);
  return (start.match(SIGN)?.length ?? 0) >= SIGNS_MIN && !MARKDOWN_FENCE.test(start);
}

/**
 * The blocks of a reStructuredText: paragraphs on one line, list items, definitions with their term, described objects
 * as headings of their descriptions, code apart. What only serves the typesetter is left out. After the docutils
 * specification, read leniently: what is not understood is a paragraph.
 */
export function parseReStructuredText(content: string): ParsedDocument {
  const reader = new Reader(content);
  reader.read();
  return { mediaType: 'text/x-rst', title: reader.title, context: '', blocks: reader.blocks, occurredAt: null };
}

interface Line {
  /** Without its indentation; empty for a blank one. */
  text: string;
  indent: number;
  start: number;
  end: number;
}

const TAB_SPACES = 8;
/** A longer signature stands for itself. */
const SIGNATURE_MAX_CHARS = 200;
const UNDERLINE = /^([!-/:-@[-`{-~])\1{2,}$/;
const LIST_ITEM = /^(?:[-*+•]|#\.|\(?\d{1,3}[.)]|\(?[a-z]\))\s+(?=\S)/;
const DIRECTIVE = /^\.\. ([A-Za-z][\w:.-]*)::(?:\s(.*))?$/;
const FIELD = /^:([^:`\s][^:`]{0,80}):(?:\s+(.*))?$/;
const SIMPLE_BORDER = /^=+(?:\s+=+)+$/;
const GRID_BORDER = /^\+(?:[-=]+\+)+$/;

class Reader {
  readonly blocks: Block[] = [];
  title: string | null = null;
  private readonly lines: Line[];
  private readonly content: string;
  /** Styles of headings in the order in which they came; the place is the level. */
  private readonly styles: string[] = [];
  private headings: string[] = [];

  constructor(content: string) {
    this.content = content;
    this.lines = linesOf(content);
  }

  read(): void {
    this.section(0, this.lines.length, [], 0);
  }

  /** Reads the lines from `at` to `end`; `below`: terms that they describe, inside of the section's headings. */
  private section(from: number, end: number, below: readonly string[], depth: number): void {
    let at = from;
    while (at < end) {
      const line = this.lines[at]!;
      if (line.text === '') at += 1;
      else at = this.element(line, at, end, below, depth);
    }
  }

  /** Reads one element and returns where the next one begins. */
  private element(line: Line, at: number, end: number, below: readonly string[], depth: number): number {
    const heading = below.length === 0 ? this.heading(at, end) : null;
    if (heading !== null) return heading;
    if (line.text.startsWith('..') && /^\.\.(?:\s|$)/.test(line.text))
      return this.explicit(line, at, end, below, depth);
    if (line.text.startsWith('>>>')) return this.code(at, this.untilBlank(at, end), below);
    if (SIMPLE_BORDER.test(line.text) || GRID_BORDER.test(line.text)) return this.table(at, end, below);
    if (UNDERLINE.test(line.text)) return at + 1;
    if (LIST_ITEM.test(line.text)) return this.list(at, end, below, depth);
    const next = this.lines[at + 1];
    if (next !== undefined && at + 1 < end && next.text !== '' && next.indent > line.indent)
      return this.definition(line, at, end, below, depth);
    return this.paragraph(at, end, below, '');
  }

  /** A line with an underline, and perhaps a line above it; null when this is none. */
  private heading(at: number, end: number): number | null {
    const [first, second, third] = [this.lines[at]!, this.lines[at + 1], this.lines[at + 2]];
    if (second === undefined || at + 1 >= end) return null;
    if (
      UNDERLINE.test(first.text) &&
      third !== undefined &&
      at + 2 < end &&
      third.text === first.text &&
      second.text !== ''
    )
      return this.openSection(second.text, `${first.text[0]!}above`, at + 3);
    const isTitle = UNDERLINE.test(second.text) && second.indent === first.indent && !UNDERLINE.test(first.text);
    // A short underline is a typing error that docutils warns of; one much shorter belongs to something else.
    if (!isTitle || second.text.length < Math.min(first.text.length, 4) || SIMPLE_BORDER.test(first.text)) return null;
    return this.openSection(first.text, second.text[0]!, at + 2);
  }

  private openSection(text: string, style: string, next: number): number {
    if (!this.styles.includes(style)) this.styles.push(style);
    const title = inlineText(text);
    this.title ??= title;
    this.headings = [...this.headings.slice(0, this.styles.indexOf(style)), title];
    return next;
  }

  /** A directive, a target, a footnote or a comment. */
  private explicit(line: Line, at: number, end: number, below: readonly string[], depth: number): number {
    const body = this.indented(at + 1, end, line.indent);
    const [, name, rest = ''] = DIRECTIVE.exec(line.text) ?? [];
    const argument = rest.trim();
    if (name === undefined) {
      const note = /^\.\. \[[^\]]+\]\s+(?=\S)/.exec(line.text);
      if (note !== null) this.add(this.joined(at, body, note[0].length), at, body, below);
      return body;
    }
    const kind: DirectiveKind = directive(name, body > at + 1);
    const from = this.afterOptions(at + 1, body);
    if (kind === 'code') return this.code(from, body, below);
    if (kind === 'text' && depth < DEPTH_MAX) {
      if (argument !== '') this.add(inlineText(argument), at, at + 1, below);
      this.section(from, body, below, depth + 1);
    } else if (kind === 'version') this.version(name, argument, at, from, body, below);
    else if (kind === 'object' && depth < DEPTH_MAX) this.object(argument, at, from, body, below, depth);
    return body;
  }

  /** What is described: its signature, and then its description below its name. */
  private object(
    argument: string,
    at: number,
    from: number,
    end: number,
    below: readonly string[],
    depth: number,
  ): void {
    let signatures = argument;
    let start = from;
    // Further signatures stand right below the first.
    if (start === at + 1)
      while (start < end && this.lines[start]!.text !== '') {
        signatures += ` ${this.lines[start]!.text}`;
        start += 1;
      }
    const signature = inlineText(signatures.replaceAll(/\\(?=[^\s])/g, ''));
    if (signature === '') return this.section(start, end, below, depth + 1);
    const name = /^[^\s(=]+/.exec(inlineText(argument))?.[0] ?? signature;
    const terms = [...below, name];
    this.add(signature, at, start, terms);
    const before = this.blocks.length;
    this.section(start, end, terms, depth + 1);
    this.joinSignature(before - 1);
  }

  /** A short signature is said with the first sentence of its description, so that neither is quoted without the other. */
  private joinSignature(at: number): void {
    const [signature, first] = [this.blocks[at], this.blocks[at + 1]];
    if (signature === undefined || first === undefined || first.kind === 'code') return;
    if (signature.text.length > SIGNATURE_MAX_CHARS || first.text.startsWith('- ')) return;
    if (first.headings.length !== signature.headings.length) return;
    const location = { ...first.location, char_start: signature.location.char_start };
    this.blocks.splice(at, 2, { ...first, text: `${signature.text}: ${first.text}`, location });
  }

  /** `versionadded`, `versionchanged` and `deprecated`, as Sphinx prints them. */
  private version(
    name: string,
    argument: string,
    at: number,
    from: number,
    end: number,
    below: readonly string[],
  ): void {
    const lead = name === 'versionadded' ? 'New in' : name === 'versionchanged' ? 'Changed in' : 'Deprecated since';
    const [number = '', ...more] = argument.split(/\s+/);
    const rest = [more.join(' '), this.joined(from, end, 0)].filter((part) => part !== '').join(' ');
    this.add(`${lead} version ${number}${rest === '' ? '.' : `: ${inlineText(rest)}`}`, at, end, below);
  }

  private list(at: number, end: number, below: readonly string[], depth: number): number {
    const indent = this.lines[at]!.indent;
    const items: string[] = [];
    let next = at;
    while (next < end) {
      const line = this.lines[next]!;
      const marker = line.indent === indent ? LIST_ITEM.exec(line.text) : null;
      if (marker === null) break;
      const itemEnd = this.indented(next + 1, end, indent);
      const lead = this.untilBlank(next, itemEnd);
      // A nested list or code stands behind the item's own words.
      items.push(`- ${inlineText(this.joined(next, lead, marker[0].length)).replace(/::$/, ':')}`);
      if (this.hasMore(lead, itemEnd)) {
        this.add(items.splice(0).join('\n'), at, lead, below);
        if (depth < DEPTH_MAX) this.section(lead, itemEnd, below, depth + 1);
        else this.paragraph(lead, itemEnd, below, '');
      }
      next = itemEnd;
    }
    this.add(items.join('\n'), at, next, below);
    return next;
  }

  /** A term with what is said of it, indented right below; or a paragraph whose second line is indented by chance. */
  private definition(line: Line, at: number, end: number, below: readonly string[], depth: number): number {
    const bodyEnd = this.indented(at + 1, end, line.indent);
    const lead = this.untilBlank(at + 1, bodyEnd);
    if (line.text.startsWith('|')) return this.paragraph(at, end, below, '');
    const first = this.blocks.length;
    this.paragraph(at + 1, lead, below, `${inlineText(line.text).replace(/:$/, '')}: `);
    const added = this.blocks[first];
    if (added !== undefined) added.location.char_start = line.start;
    if (depth < DEPTH_MAX) this.section(lead, bodyEnd, below, depth + 1);
    return bodyEnd;
  }

  /** A paragraph, and the literal block that it announces with two colons. */
  private paragraph(at: number, end: number, below: readonly string[], lead: string): number {
    const indent = this.lines[at]!.indent;
    let next = at;
    while (next < end && this.lines[next]!.text !== '' && (next === at || this.lines[next]!.indent >= indent))
      next += 1;
    const raw = this.joined(at, next, 0);
    const field = FIELD.exec(raw);
    const text = field === null ? raw : [field[1], field[2]].filter((part) => part !== undefined).join(': ');
    const announces = text.endsWith('::');
    const shown = inlineText(announces ? text.slice(0, text.endsWith(' ::') ? -3 : -1) : text);
    if (shown !== ':' && shown !== '') this.add(lead + shown, at, next, below);
    if (!announces) return Math.max(next, at + 1);
    const codeEnd = this.indented(next, end, indent);
    return codeEnd > next ? this.code(next, codeEnd, below) : next;
  }

  private code(at: number, end: number, below: readonly string[]): number {
    let first = at;
    while (first < end && this.lines[first]!.text === '') first += 1;
    const lines = this.lines.slice(first, end);
    const indent = Math.min(...lines.filter(({ text }) => text !== '').map((line) => line.indent));
    const text = lines.map((line) => (line.text === '' ? '' : ' '.repeat(line.indent - indent) + line.text)).join('\n');
    if (text.trim() !== '') this.push({ text: text.trimEnd(), kind: 'code' }, first, end, below);
    return end;
  }

  /** A simple table, parted by `=`, or a grid of `+`, `-` and `|`. */
  private table(at: number, end: number, below: readonly string[]): number {
    const isGrid = GRID_BORDER.test(this.lines[at]!.text);
    let next = at;
    if (isGrid) while (next < end && /^[+|]/.test(this.lines[next]!.text)) next += 1;
    else next = this.simpleTableEnd(at, end);
    const rows = isGrid ? gridRows(this.lines.slice(at, next)) : simpleRows(this.lines.slice(at, next));
    const cells = rows.map((row) => row.map(inlineText));
    const [header = [], ...body] = cells;
    const named = cells.length > 1 && looksLikeHeader(header);
    const names = named ? header : header.map(() => '');
    this.add(tableText(names, named ? body : cells), at, next, below);
    return Math.max(next, at + 1);
  }

  /** Behind the third border, or the second one when nothing but a blank line follows it. */
  private simpleTableEnd(at: number, end: number): number {
    let borders = 0;
    for (let next = at; next < end; next++) {
      if (!SIMPLE_BORDER.test(this.lines[next]!.text)) continue;
      borders += 1;
      const after = next + 1 < end ? this.lines[next + 1]!.text : '';
      if (borders === 3 || (borders === 2 && after === '')) return next + 1;
    }
    return this.untilBlank(at, end);
  }

  /** The first line behind `at` that is neither blank nor indented deeper. */
  private indented(at: number, end: number, indent: number): number {
    let next = at;
    let last = at;
    while (next < end && (this.lines[next]!.text === '' || this.lines[next]!.indent > indent)) {
      if (this.lines[next]!.text !== '') last = next + 1;
      next += 1;
    }
    return last;
  }

  private untilBlank(at: number, end: number): number {
    let next = at;
    while (next < end && this.lines[next]!.text !== '') next += 1;
    return next;
  }

  private hasMore(at: number, end: number): boolean {
    return this.lines.slice(at, end).some(({ text }) => text !== '');
  }

  /** Behind the options of a directive, such as `:noindex:`. */
  private afterOptions(at: number, end: number): number {
    let next = at;
    while (next < end && FIELD.test(this.lines[next]!.text)) next += 1;
    return next;
  }

  private joined(at: number, end: number, skip: number): string {
    return this.lines
      .slice(at, end)
      .map(({ text }, index) => (index === 0 ? text.slice(skip) : text))
      .filter((text) => text !== '')
      .join(' ');
  }

  private add(piece: string | NamedText, at: number, end: number, below: readonly string[]): void {
    const { text, values } = trimmed(typeof piece === 'string' ? plain(piece) : piece);
    if (text !== '') this.push({ text, values }, at, end, below);
  }

  private push(
    block: Pick<Block, 'text' | 'kind' | 'values'>,
    at: number,
    end: number,
    below: readonly string[],
  ): void {
    const last = Math.max(at, Math.min(end, this.lines.length) - 1);
    const location = {
      char_start: this.lines[at]!.start,
      char_end: Math.min(this.content.length, this.lines[last]!.end),
    };
    this.blocks.push({ ...block, headings: [...this.headings, ...below], location });
  }
}

function linesOf(content: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const raw of content.split('\n')) {
    let indent = 0;
    let at = 0;
    for (; raw[at] === ' ' || raw[at] === '\t'; at++) indent += raw[at] === '\t' ? TAB_SPACES : 1;
    lines.push({ text: raw.slice(at).trimEnd(), indent, start: start + at, end: start + raw.length });
    start += raw.length + 1;
  }
  return lines;
}

/** Rows of a table whose columns are where its borders of `=` are. */
function simpleRows(lines: readonly Line[]): string[][] {
  const columns = [...lines[0]!.text.matchAll(/=+/g)].map(({ index }) => index);
  const rows: string[][] = [];
  for (const { text, indent } of lines) {
    if (text === '' || /^[=-]+(?:\s+[=-]+)*$/.test(text)) continue;
    const shifted = ' '.repeat(Math.max(0, indent - lines[0]!.indent)) + text;
    const cells = columns.map((from, column) => shifted.slice(from, columns[column + 1]).trim());
    // Without a first cell a line goes on with the row above it.
    if (cells[0] === '' && rows.length > 0)
      rows[rows.length - 1] = rows.at(-1)!.map((cell, column) => `${cell} ${cells[column] ?? ''}`.trim());
    else rows.push(cells);
  }
  return rows;
}

function gridRows(lines: readonly Line[]): string[][] {
  const rows: string[][] = [];
  let open: string[] | null = null;
  for (const { text } of lines) {
    if (text.startsWith('+')) {
      if (open !== null) rows.push(open);
      open = null;
      continue;
    }
    const cells = text.split('|').slice(1, -1);
    open =
      open === null
        ? cells.map((cell) => cell.trim())
        : open.map((cell, at) => `${cell} ${cells[at]?.trim() ?? ''}`.trim());
  }
  if (open !== null) rows.push(open);
  return rows;
}
