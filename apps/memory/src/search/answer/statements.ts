import { cutText, statementsOf as statementsIn } from '@cairn/text';

const STATEMENT_MAX_CHARS = 420;
const STATEMENT_MIN_CHARS = 12;

/**
 * Sentences, list items and table rows, each on one line. A long one is its beginning; what only leads to a list
 * (“There are three things:”) is left out.
 */
export function statementsOf(body: string): string[] {
  return statementsIn(body)
    .map(({ text }) => text.replace(/\s+/g, ' '))
    .filter((text) => text.length >= STATEMENT_MIN_CHARS && !text.endsWith(':'))
    .map(beginningOf);
}

/** Up to the last white space before the bound; scripts without spaces are cut between two characters. */
function beginningOf(text: string): string {
  if (text.length <= STATEMENT_MAX_CHARS) return text;
  const end = text.lastIndexOf(' ', STATEMENT_MAX_CHARS);
  return end > STATEMENT_MIN_CHARS ? text.slice(0, end) : cutText(text, STATEMENT_MAX_CHARS);
}
