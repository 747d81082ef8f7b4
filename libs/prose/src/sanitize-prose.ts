import { neutralizeAddresses } from './addresses.ts';
import { withoutInvisible } from './fold.ts';
import { codeRanges, withoutMarkup } from './markup.ts';

/** Removing one construct may uncover another; what is not settled after so many rounds is not worth keeping as it is. */
const ROUNDS_MAX = 8;

/** What a parser is given at once; longer text is cut at white space. */
const PIECE_MAX_CHARS = 4_000;
const PIECES = /([^]{1,3000}(?=\s|$))|\S{1,3000}/g;
const MARKS_MAX = 200;
/** Citations, which stay, and every single mark. */
const MARKS = /\[\d{1,3}\]|[[\]<>*_~`|]/g;

/**
 * Text that a model wrote, made safe to show as Markdown, as HTML after rendering, or as plain text: no link, image,
 * HTML, reference definition or address to follow is left. Emphasis, lists, tables, code spans and citations like `[1]`
 * stay, and text without any of that is returned as it is. Domains, file names that look like one and e-mail addresses
 * become code spans, which no Markdown renderer links; every other address is replaced by `…`.
 */
export function sanitizeProse(text: string): string {
  const visible = withoutInvisible(text);
  if (visible.length <= PIECE_MAX_CHARS) return sanitizePiece(visible);
  // A word that is cut gets a space, so that its halves do not become an address again.
  return visible.replace(PIECES, (piece, whole?: string) => `${sanitizePiece(piece)}${whole === undefined ? ' ' : ''}`);
}

function sanitizePiece(piece: string): string {
  let clean = withFewMarks(piece);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = withoutInvisible(breakMarkup(neutralizeAddresses(withoutMarkup(clean), codeRanges)));
    if (next === clean) return clean;
    clean = next;
  }
  return wordsOnly(clean);
}

/** More of these than any sentence has: parsers take quadratic time for them. */
function withFewMarks(text: string): string {
  if ((text.match(MARKS)?.length ?? 0) <= MARKS_MAX) return text;
  return text.replace(MARKS, (mark) => (mark.length > 1 ? mark : ''));
}

/** A definition at the start of a line, also inside a quote or a list. */
const DEFINITION = /^([ \t>*+-]{0,16}(?:\d{1,9}[.)][ \t]{0,4})?\[[^\]\n\r\u2028\u2029]{0,999}\]):/gm;

/**
 * Breaks what could become markup together with text that is joined to it later: sentences are cleaned one by one. Blocks
 * of code, fenced or indented, become text or spans: where a block ends depends on what it is joined to.
 */
function breakMarkup(text: string): string {
  return text
    .replace(/`{3,}/g, '``')
    .replace(/~{3,}/g, '~~')
    .replace(/[ \t]{4,}|[ \t]{0,3}\t[ \t]*/g, '   ')
    .replaceAll('](', '] (')
    .replace(/<(?=[a-z/!?])/gi, '< ')
    .replace(/!(?=\[(?!\d{1,3}\]))/g, '')
    .replace(DEFINITION, '$1 :');
}

/** The last resort: letters, digits, spaces and the punctuation of sentences, with no dot or colon inside a word. */
function wordsOnly(text: string): string {
  return text
    .replace(/[^\p{L}\p{M}\p{N}\s.,;:!?%€$£'’()-]/gu, ' ')
    .replace(/[.:](?=\S)/g, '$& ')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}
