import { Lexer, type Token, type Tokens } from 'marked';
import { describeText } from '../text-kind.ts';
import { looksLikeReStructuredText, parseReStructuredText } from './restructured-text.ts';
import type { Block, ParsedDocument } from '../parsed.ts';
import { rowText } from './table-text.ts';
import { markupText, markupValues } from './markup-values.ts';
import { joined, named, type NamedText, type NamedValue, plain, trimmed } from '../named-value.ts';

/** Plain text, Markdown or reStructuredText. Positions are those in the text as it was sent. */
export function parseTextBlocks(content: string): ParsedDocument {
  if (looksLikeReStructuredText(content)) return parseReStructuredText(content);
  const { mediaType, heading } = describeText(content);
  const blocks = mediaType === 'text/markdown' ? markdownBlocks(content) : paragraphBlocks(content);
  return { mediaType, title: heading, context: '', blocks, occurredAt: null };
}

function markdownBlocks(content: string): Block[] {
  const blocks: Block[] = [];
  const headings: { depth: number; text: string }[] = [];
  // The lexer normalizes line endings to LF, so positions are counted in a copy with LF and mapped back.
  const lines = content.replace(/\r\n?/g, '\n');
  const placeOf = placesIn(content, lines);
  let position = 0;
  for (const token of new Lexer({ gfm: true }).lex(lines)) {
    const start = placeOf(position);
    position += token.raw.length;
    const end = placeOf(position);
    if (token.type === 'heading') {
      const { depth, tokens } = token as Tokens.Heading;
      while (headings.length > 0 && headings.at(-1)!.depth >= depth) headings.pop();
      headings.push({ depth, text: inlineText(tokens) });
      continue;
    }
    const { text, values } = trimmed(textOf(token));
    const location = { char_start: start, char_end: end };
    const kind = token.type === 'code' ? { kind: 'code' as const } : {};
    const path = headings.map((heading) => heading.text);
    if (text !== '') blocks.push({ text, headings: path, location, ...kind, ...valuesOf(values) });
  }
  if (blocks.length === 0 && content.trim() !== '') return paragraphBlocks(content);
  return blocks;
}

/** Where places of its lines are in a text; they are asked for in ascending order. */
function placesIn(content: string, lines: string): (position: number) => number {
  if (lines.length === content.length) return (position) => position;
  let [read, place] = [0, 0];
  return (position) => {
    for (; read < position; read += 1) place += content.startsWith('\r\n', place) ? 2 : 1;
    return place;
  };
}

function valuesOf(values: readonly NamedValue[]): { values?: readonly NamedValue[] } {
  return values.length === 0 ? {} : { values };
}

function textOf(token: Token): NamedText {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? inlinePiece(token.tokens) : plain(token.raw);
    case 'list':
      return joined(
        (token as Tokens.List).items.map((item) =>
          joined([plain('- '), trimmed(joined(item.tokens.map(textOf), '\n'))], ''),
        ),
        '\n',
      );
    case 'table':
      return tableText(token as Tokens.Table);
    case 'blockquote':
      return joined((token as Tokens.Blockquote).tokens.map(textOf), '\n');
    case 'code': {
      const { text } = token as Tokens.Code;
      return { text, values: markupValues(text) };
    }
    case 'html':
      return trimmed(markupText(token.raw));
    case 'space':
    case 'hr':
    case 'def':
      return plain('');
    default:
      return plain(token.raw);
  }
}

function tableText(table: Tokens.Table): NamedText {
  const names = table.header.map((cell) => inlineText(cell.tokens));
  const rows = table.rows.map((row) => row.map((cell) => inlineText(cell.tokens)));
  return joined(
    rows.map((cells, record) => rowText(names, cells, record)),
    '\n',
  );
}

/** Text between tags goes by the names of the tags, which are left out. */
function inlinePiece(tokens: readonly Token[]): NamedText {
  if (!tokens.some(({ type }) => type === 'html')) return plain(inlineText(tokens));
  const open: string[] = [];
  const pieces = tokens.map((token) => {
    const [, closing, name] = /^<(\/?)([A-Za-z][\w:.-]*)/.exec(token.type === 'html' ? token.raw : '') ?? [];
    if (name === undefined) {
      const text = inlineOf(token);
      return open.length === 0 ? plain(text) : named(text, [[...open]], 0);
    }
    if (closing === '') open.push(name);
    else open.pop();
    return plain('');
  });
  return trimmed(joined(pieces, ''));
}

function inlineText(tokens: readonly Token[]): string {
  return tokens.map(inlineOf).join('').trim();
}

function inlineOf(token: Token): string {
  if (token.type === 'br') return '\n';
  if (token.type === 'html') return token.raw.startsWith('<') ? '' : token.raw;
  if ('tokens' in token && token.tokens !== undefined && token.tokens.length > 0) return inlineText(token.tokens);
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

function paragraphBlocks(content: string): Block[] {
  const blocks: Block[] = [];
  const known = markupValues(content);
  let next = 0;
  const add = (from: number, to: number) => {
    const part = content.slice(from, to);
    const text = part.trim();
    if (text === '') return;
    const start = from + part.indexOf(text);
    const location = { char_start: start, char_end: start + text.length };
    const values: NamedValue[] = [];
    for (; next < known.length && known[next]!.start < location.char_end; next += 1) {
      const value = known[next]!;
      values.push({ ...value, start: value.start - start, end: Math.min(value.end, location.char_end) - start });
    }
    blocks.push({ text, headings: [], location, ...valuesOf(values) });
  };
  let from = 0;
  // A line of blanks parts paragraphs. One pattern for a whole paragraph would run out of stack on a long one.
  for (const { index, 0: gap } of content.matchAll(/\n[^\S\n]*\n/g)) {
    add(from, index);
    from = index + gap.length;
  }
  add(from, content.length);
  return blocks;
}
