import { BlockList, type BlockLocation, ParseFailure } from '../parsed.ts';
import { joined, named, type NamedText, plain } from '../named-value.ts';
import { markupValues } from './markup-values.ts';
import { looksLikeHeader, tableText, withoutColon } from './table-text.ts';

/** The parts of a DOM that are read here; linkedom's, without its types. */
export interface DomNode {
  nodeType: number;
  nodeName: string;
  textContent: string | null;
  childNodes: Iterable<DomNode>;
}

const TEXT_NODE = 3;
const ELEMENT_NODE = 1;
const DEPTH_MAX = 400;
/** Longer terms, signatures mostly, stand for themselves; so do they before what is no short definition. */
const TERM_MAX_CHARS = 200;
const TERMS_MAX = 8;
const DEFINITION_MAX_CHARS = 1_600;
/** How deep a heading is looked for in a term. */
const TERM_DEPTH = 3;
const PERMALINK = /^\s*[¶#§🔗]\s*$/u;
const SKIPPED = new Set([
  'SCRIPT',
  'STYLE',
  'NOSCRIPT',
  'TEMPLATE',
  'SVG',
  'IFRAME',
  'OBJECT',
  'HEAD',
  'BUTTON',
  'SELECT',
]);
const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR HTML LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL'.split(
    ' ',
  ),
);

/** Turns a tree of elements into blocks of text under their headings; lists stay together, rows name their columns. */
export function htmlBlocks(
  root: DomNode,
  list: BlockList,
  place: Omit<BlockLocation, 'char_start' | 'char_end'> = {},
): void {
  const walker = new Walker(list, place);
  walker.walk(root, 0);
  walker.end();
}

class Walker {
  private readonly list: BlockList;
  private readonly place: Omit<BlockLocation, 'char_start' | 'char_end'>;
  private readonly headings: { depth: number; text: string }[] = [];
  private open = '';
  /** Terms whose definition comes next. */
  private terms: string[] = [];

  constructor(list: BlockList, place: Omit<BlockLocation, 'char_start' | 'char_end'>) {
    this.list = list;
    this.place = place;
  }

  /** Puts what is open on the list; the first text behind terms is their definition and begins with them. */
  flush(kind?: 'code'): void {
    const text = tidy(this.open);
    this.open = '';
    if (text !== '') this.say(kind === 'code' ? { text, values: markupValues(text) } : plain(text), kind);
  }

  private say(piece: NamedText, kind?: 'code'): void {
    const { text } = piece;
    const names = this.terms.map((term) => [term]);
    const terms = this.takeTerms();
    const defined = terms === '' ? piece : { text, values: [...named(text, names, 0).values, ...piece.values] };
    if (kind === 'code' || terms.length + text.length > DEFINITION_MAX_CHARS) {
      this.add(terms);
      this.add(defined, kind);
    } else if (terms === '') this.add(piece);
    else this.add(joined([plain(`${terms}:${text.startsWith('- ') ? '\n' : ' '}`), defined], ''));
  }

  /** Flushes, and the terms too that nothing was said of. */
  end(): void {
    this.flush();
    this.add(this.takeTerms());
  }

  private takeTerms(): string {
    const terms = this.terms.join(', ');
    this.terms = [];
    return terms;
  }

  private add(piece: string | NamedText, kind?: 'code'): void {
    this.list.add(
      piece,
      this.headings.map((heading) => heading.text),
      this.place,
      kind,
    );
  }

  walk(node: DomNode, depth: number): void {
    if (depth > DEPTH_MAX) throw new ParseFailure('nested_too_deep', 'The page is nested too deep to be read.');
    for (const child of node.childNodes) {
      if (child.nodeType === TEXT_NODE) this.open += (child.textContent ?? '').replace(/\s+/g, ' ');
      else if (child.nodeType === ELEMENT_NODE) this.element(child, depth + 1);
    }
  }

  private element(element: DomNode, depth: number): void {
    const name = element.nodeName.toUpperCase();
    if (SKIPPED.has(name)) return;
    if (/^H[1-6]$/.test(name)) return this.heading(element, Number(name[1]));
    switch (name) {
      case 'BR':
        this.open += '\n';
        return;
      case 'IMG':
        return;
      case 'PRE':
        this.flush();
        this.open = element.textContent ?? '';
        return this.flush('code');
      case 'UL':
      case 'OL':
        this.flush();
        this.open = listText(element, depth);
        return this.flush();
      case 'TABLE':
        this.flush();
        return this.table(element, depth);
      case 'DT':
        return this.term(element, depth);
      case 'DL':
        this.end();
        this.walk(element, depth);
        return this.end();
      default:
    }
    if (!BLOCKS.has(name)) return this.walk(element, depth);
    this.flush();
    this.walk(element, depth);
    this.flush();
  }

  /** A term is said with its definition, so that neither is found or quoted without the other. */
  private term(element: DomNode, depth: number): void {
    this.flush();
    if (holdsHeading(element, 0)) {
      this.walk(element, depth);
      return this.flush();
    }
    const text = withoutColon(oneLine(wordsIn(element, 0)));
    if (text === '') return;
    if (text.length > TERM_MAX_CHARS || this.terms.length >= TERMS_MAX) this.add(this.takeTerms());
    if (text.length > TERM_MAX_CHARS) this.add(text);
    else this.terms.push(text);
  }

  private heading(element: DomNode, level: number): void {
    this.end();
    const text = oneLine(wordsIn(element, 0));
    if (text === '') return;
    while (this.headings.length > 0 && this.headings.at(-1)!.depth >= level) this.headings.pop();
    this.headings.push({ depth: level, text });
  }

  /** A table of data becomes rows; one that lays a page out (a cell with blocks inside, or one column) is walked. */
  private table(element: DomNode, depth: number): void {
    const rows = rowsOf(element, 0);
    const isLayout =
      rows.length < 2 || rows.some((row) => row.some(holdsBlocks)) || Math.max(...rows.map((row) => row.length)) < 2;
    if (isLayout) {
      for (const row of rows) {
        for (const cell of row) {
          this.walk(cell, depth + 1);
          this.flush();
        }
      }
      return;
    }
    const cells = rows.map((row) => row.map((cell) => tidy(cell.textContent ?? '').replaceAll('\n', ' ')));
    const hasHeader =
      !rows.every(isPair) &&
      (rows[0]!.every((cell) => cell.nodeName.toUpperCase() === 'TH') || looksLikeHeader(cells[0]!));
    const names = hasHeader ? cells[0]! : [];
    // Two names of columns are nowhere in the rows below them.
    const lead = names.length === 2 ? [plain(names.join(': '))] : [];
    const rowsBelow = tableText(names, cells.slice(hasHeader ? 1 : 0));
    const said = [...lead, rowsBelow].filter(({ text }) => text !== '');
    if (said.length > 0) this.say(joined(said, '\n'));
  }
}

function oneLine(text: string): string {
  return tidy(text).replaceAll('\n', ' ');
}

/** The words of an element without the signs that link to it. */
function wordsIn(element: DomNode, depth: number): string {
  let text = '';
  for (const child of element.childNodes) {
    if (child.nodeType === TEXT_NODE) text += child.textContent ?? '';
    else if (child.nodeType === ELEMENT_NODE && depth < DEPTH_MAX && !isPermalink(child)) {
      const name = child.nodeName.toUpperCase();
      if (SKIPPED.has(name)) continue;
      const inner = name === 'BR' ? '\n' : wordsIn(child, depth + 1);
      text += BLOCKS.has(name) ? ` ${inner} ` : inner;
    }
  }
  return text;
}

function isPermalink(element: DomNode): boolean {
  return element.nodeName.toUpperCase() === 'A' && PERMALINK.test(element.textContent ?? '');
}

function holdsHeading(element: DomNode, depth: number): boolean {
  return [...element.childNodes].some(
    (child) => /^H[1-6]$/i.test(child.nodeName) || (depth < TERM_DEPTH && holdsHeading(child, depth + 1)),
  );
}

/** A name and its value, as a table of properties has them in every row. */
function isPair(row: readonly DomNode[]): boolean {
  return row.length === 2 && row[0]!.nodeName.toUpperCase() === 'TH' && row[1]!.nodeName.toUpperCase() === 'TD';
}

function rowsOf(node: DomNode, depth: number): DomNode[][] {
  const rows: DomNode[][] = [];
  if (depth > 3) return rows;
  for (const child of node.childNodes) {
    const name = child.nodeName.toUpperCase();
    if (name === 'TR') {
      rows.push([...child.childNodes].filter((cell) => /^T[DH]$/i.test(cell.nodeName)));
    } else if (name === 'TBODY' || name === 'THEAD' || name === 'TFOOT') rows.push(...rowsOf(child, depth + 1));
  }
  return rows.filter((row) => row.length > 0);
}

function holdsBlocks(cell: DomNode): boolean {
  let paragraphs = 0;
  for (const child of cell.childNodes) {
    const name = child.nodeName.toUpperCase();
    if (name === 'TABLE' || /^H[1-6]$/.test(name) || name === 'UL' || name === 'BR') return true;
    if (name === 'P' || name === 'DIV') paragraphs += 1;
  }
  return paragraphs > 1;
}

function listText(element: DomNode, depth: number): string {
  if (depth > DEPTH_MAX) throw new ParseFailure('nested_too_deep', 'The page is nested too deep to be read.');
  const lines: string[] = [];
  for (const child of element.childNodes) {
    const name = child.nodeName.toUpperCase();
    if (name === 'UL' || name === 'OL') lines.push(listText(child, depth + 1));
    else if (name === 'LI') lines.push(`- ${tidy(itemText(child, depth + 1))}`);
    else if (child.nodeType === TEXT_NODE) lines.push(tidy(child.textContent ?? ''));
  }
  return lines.filter((line) => line !== '' && line !== '- ').join('\n');
}

function itemText(item: DomNode, depth: number): string {
  let text = '';
  for (const child of item.childNodes) {
    const name = child.nodeName.toUpperCase();
    if (child.nodeType === TEXT_NODE) text += (child.textContent ?? '').replace(/\s+/g, ' ');
    else if (name === 'UL' || name === 'OL') text += `\n${listText(child, depth + 1)}`;
    else if (child.nodeType === ELEMENT_NODE && !SKIPPED.has(name)) {
      const inner = name === 'BR' ? '\n' : (child.textContent ?? '').replace(/\s+/g, ' ');
      text += BLOCKS.has(name) ? `\n${inner}\n` : inner;
    }
  }
  return text;
}

function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
