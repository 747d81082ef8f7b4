import { splitSentences } from '../../text/sentences.ts';

const STATEMENT_MAX_CHARS = 420;
const STATEMENT_MIN_CHARS = 12;
const ITEM = /^\s*(?:[-*+]|\d{1,3}\.)\s+/;

/**
 * Sentences of running text; list items and table rows stand for themselves. A long one is its beginning; what only
 * leads to a list (“There are three things:”) is left out.
 */
export function statementsOf(body: string): string[] {
  return body
    .split(/\n+/)
    .flatMap((line) => splitSentences(line.replace(ITEM, '')).map((sentence) => sentence.text))
    .filter((text) => text.length >= STATEMENT_MIN_CHARS && !text.endsWith(':'))
    .map(beginningOf);
}

/** Up to the last white space before the bound; scripts without spaces are cut between two characters. */
function beginningOf(text: string): string {
  if (text.length <= STATEMENT_MAX_CHARS) return text;
  const end = text.lastIndexOf(' ', STATEMENT_MAX_CHARS);
  return end > STATEMENT_MIN_CHARS ? text.slice(0, end) : text.slice(0, STATEMENT_MAX_CHARS).toWellFormed();
}
