import { endsInAbbreviation, sentenceSegmenter, TAIL_CHARS } from './sentences.ts';

/** A sentence, list item or table row and its place in the text, in UTF-16 units. */
export interface Statement {
  text: string;
  start: number;
  /** The headings it stands below, outermost first. */
  headings: readonly string[];
}

/** Not the line below a heading, which may be longer, nor code within a line. */
const FENCE = /^\s{0,3}(```|~~~)[^`~]{0,60}$/;
const HEADING = /^(#{1,6})\s/;
const RULE = /^\s*(?:[-*_]\s*){3,}$|^[\s:|-]+$/;
/** A table's row as text: `Class: Sev 1; Meaning: …`. */
const ROW = /^\s*[^\s:;][^:;.]{0,40}:\s[^;]+;\s*[^\s:;][^:;.]{0,40}:\s/;
/** Longer pieces are no statements that could be quoted. */
const STATEMENT_MAX_CHARS = 2_000;
const MARK = /^\d{1,3}\](?:\[\d{1,3}\])*\s*/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;

/**
 * Splits a text into statements. Headings are no statements: they say what the statements below them are about. Nor is
 * code between fences.
 */
export function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let headings: string[] = [];
  let offset = 0;
  let code: string | null = null;
  let paragraph: { start: number; end: number } | null = null;
  const close = () => {
    if (paragraph !== null) statements.push(...sentencesIn(text, paragraph.start, paragraph.end, headings));
    paragraph = null;
  };
  for (const line of text.split('\n')) {
    const start = offset;
    offset += line.length + 1;
    const fence = FENCE.exec(line)?.[1];
    if (code !== null) {
      if (fence === code) code = null;
      continue;
    }
    if (fence !== undefined) {
      close();
      code = fence;
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading !== null) {
      close();
      const depth = heading[1]!.length;
      headings = [...headings.slice(0, depth - 1), headingText(line.slice(depth))];
    } else if (line.trim() === '' || RULE.test(line)) close();
    else if (ITEM.test(line)) {
      close();
      const marker = ITEM.exec(line)![0].length;
      paragraph = { start: start + marker, end: start + line.length };
    } else if (/^\s*\|/.test(line) || ROW.test(line)) {
      close();
      statements.push(...trimmed(text, start, start + line.length, headings));
    } else if (paragraph === null) paragraph = { start, end: start + line.length };
    else (paragraph as { end: number }).end = start + line.length;
  }
  close();
  return statements;
}

/** A heading without closing `#` signs. */
function headingText(line: string): string {
  return line
    .trim()
    .replace(/(?<!#)#+$/, '')
    .trimEnd();
}

function sentencesIn(text: string, from: number, to: number, headings: readonly string[]): Statement[] {
  const found: Statement[] = [];
  let start = from;
  let pending = '';
  let taken = 0;
  for (const { segment } of sentenceSegmenter().segment(text.slice(from, to))) {
    pending += segment.slice(taken);
    taken = Math.max(0, taken - segment.length);
    // A citation mark right behind the full stop belongs to the sentence, which Unicode ends inside of it.
    const after = start + pending.length;
    const mark = pending.endsWith('[') ? MARK.exec(text.slice(after, Math.min(to, after + TAIL_CHARS))) : null;
    if (mark !== null) {
      pending += mark[0];
      taken = mark[0].length;
    }
    // A line break inside of a paragraph ends a sentence for Unicode; a lower-case word after it says otherwise.
    const next = text.slice(start + pending.length, Math.min(to, start + pending.length + 2));
    const tail = pending.slice(-TAIL_CHARS);
    const wrapped = /[^.!?:;…\s]\s*\n$/.test(tail) && next !== '';
    if (pending.length < STATEMENT_MAX_CHARS && (wrapped || endsInAbbreviation(pending))) continue;
    found.push(...trimmed(text, start, start + pending.length, headings));
    start += pending.length;
    pending = '';
  }
  found.push(...trimmed(text, start, start + pending.length, headings));
  return found;
}

function trimmed(text: string, from: number, to: number, headings: readonly string[]): Statement[] {
  const raw = text.slice(from, to);
  const inner = raw.trim();
  return inner === '' || inner.length > STATEMENT_MAX_CHARS
    ? []
    : [{ text: inner, start: from + raw.indexOf(inner), headings }];
}

/** The words of a statement on one line, without Markdown. */
export function plainText(statement: string): string {
  return statement
    .replace(/\s+/g, ' ')
    .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replace(/(\*\*|`|~~)(.*?)\1/g, '$2')
    .replace(/(?<!\w)__(?![a-z\d]+(?:_[a-z\d]+)*__(?!\w))((?:[^_]|_(?!_))+)__(?!\w)/gi, '$1')
    .replace(/(?<![\p{L}\p{N}*_])[*_]([^*_]+)[*_](?![\p{L}\p{N}*_])/gu, '$1')
    .replace(/^ ?\| ?| ?\| ?$/g, '')
    .replace(/ ?\| ?/g, ' — ')
    .replace(/ +/g, ' ')
    .trim();
}
