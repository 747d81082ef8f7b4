import { cutText, statementsOf as statementsIn } from '@cairn/language';

const STATEMENT_MAX_CHARS = 420;
const STATEMENT_MIN_CHARS = 12;
const SYLLABIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * Sentences, list items and table rows, each on one line. A long one is its beginning; what only leads to a list
 * (“There are three things:”) is left out.
 */
export function statementsOf(body: string): string[] {
  return statementsIn(body)
    .map(({ text }) => text.replace(/\s+/g, ' '))
    .filter((text) => widthOf(text) >= STATEMENT_MIN_CHARS && !/[:：]$/.test(text))
    .map(beginningOf);
}

/** A character that writes a syllable or a word counts like three letters. */
function widthOf(text: string): number {
  return text.length + 2 * (text.match(SYLLABIC)?.length ?? 0);
}

/** Up to the last white space before the bound; scripts without spaces are cut between two characters. */
function beginningOf(text: string): string {
  if (text.length <= STATEMENT_MAX_CHARS) return text;
  const end = text.lastIndexOf(' ', STATEMENT_MAX_CHARS);
  // A space that stands far ahead is one between two scripts.
  return end > STATEMENT_MAX_CHARS / 2 ? text.slice(0, end) : cutText(text, STATEMENT_MAX_CHARS);
}
