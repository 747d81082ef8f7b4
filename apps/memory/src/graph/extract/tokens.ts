/** A word or a mark of a text, with its place in UTF-16 units. */
export interface Token {
  text: string;
  lower: string;
  start: number;
  end: number;
  word: boolean;
  /** Begins with a capital letter, or with a digit that capitals follow. */
  capital: boolean;
  /** Capitals only, two at least. */
  shout: boolean;
  /** Begins a sentence, a heading, a quotation, or follows a mark after which a sentence may begin. */
  initial: boolean;
}

const TOKEN = /[\p{L}\p{N}\p{M}]+(?:[’'&.\-‐_/][\p{L}\p{N}\p{M}]+)*|[^\s]/gu;
const WORD = /^[\p{L}\p{N}]/u;
const CAPITAL = /^\p{Lu}|^\p{N}+\p{Lu}|^\p{Ll}{1,2}\p{Lu}/u;
const SHOUT = /^(?=.*\p{Lu}.*\p{Lu})[\p{Lu}\p{N}&.\-’']+$/u;
const BEGINS_AFTER = /^[.!?:;•|*#>"“„«…\-–—_[\](]$/u;

/** Cuts a text into words and marks. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let initial = true;
  let last = 0;
  for (const match of text.matchAll(TOKEN)) {
    const value = match[0];
    const start = match.index;
    if (text.slice(last, start).includes('\n')) initial = true;
    last = start + value.length;
    const word = WORD.test(value);
    tokens.push({
      text: value,
      lower: value.toLowerCase(),
      start,
      end: last,
      word,
      capital: word && CAPITAL.test(value),
      shout: word && SHOUT.test(value),
      initial: word && initial,
    });
    if (word) initial = false;
    else if (BEGINS_AFTER.test(value)) initial = true;
  }
  return tokens;
}
