import { Lexer, type Token, type Tokens } from 'marked';
import { describeText } from '../text-kind.ts';
import { looksLikeReStructuredText, parseReStructuredText } from './restructured-text.ts';
import type { Block, ParsedDocument } from '../parsed.ts';
import { rowText } from './table-text.ts';

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
    const text = textOf(token).trim();
    const location = { char_start: start, char_end: end };
    const kind = token.type === 'code' ? { kind: 'code' as const } : {};
    if (text !== '') blocks.push({ text, headings: headings.map((heading) => heading.text), location, ...kind });
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

function textOf(token: Token): string {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? inlineText(token.tokens) : token.raw;
    case 'list':
      return (token as Tokens.List).items.map((item) => `- ${item.tokens.map(textOf).join('\n').trim()}`).join('\n');
    case 'table':
      return tableText(token as Tokens.Table);
    case 'blockquote':
      return (token as Tokens.Blockquote).tokens.map(textOf).join('\n');
    case 'code':
      return (token as Tokens.Code).text;
    case 'html':
      return token.raw.replace(/<[^<>]*>/g, ' ').trim();
    case 'space':
    case 'hr':
    case 'def':
      return '';
    default:
      return token.raw;
  }
}

function tableText(table: Tokens.Table): string {
  const names = table.header.map((cell) => inlineText(cell.tokens));
  return table.rows
    .map((row) =>
      rowText(
        names,
        row.map((cell) => inlineText(cell.tokens)),
      ),
    )
    .join('\n');
}

function inlineText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'br') return '\n';
      if (token.type === 'html') return token.raw.startsWith('<') ? '' : token.raw;
      if ('tokens' in token && token.tokens !== undefined && token.tokens.length > 0) return inlineText(token.tokens);
      return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
    })
    .join('')
    .trim();
}

function paragraphBlocks(content: string): Block[] {
  const blocks: Block[] = [];
  const add = (from: number, to: number) => {
    const text = content.slice(from, to);
    const trimmed = text.trim();
    if (trimmed === '') return;
    const start = from + text.indexOf(trimmed);
    blocks.push({ text: trimmed, headings: [], location: { char_start: start, char_end: start + trimmed.length } });
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
