import { hasLetter } from '../learned/words.ts';
import { startsUpper } from '../text/characters.ts';
import type { Token } from '../tree/sentence.ts';
import { isMostlyCapitals } from './quotes.ts';
import type { NameSpan } from './name.ts';

/** Shorter words of a title may be small. */
const TITLE_WORD_CHARS = 5;

/**
 * A title in quotes is one name: spans within it, or across its quotes, give way to all of it, and keep what they have
 * before and after. A name that goes on around the quotes is a person's with a nickname.
 */
export function takeTitles(tokens: readonly Token[], quoted: Int32Array, spans: NameSpan[]): void {
  for (let from = 0; from < tokens.length; from++) {
    if (quoted[from] === 0) continue;
    let to = from + 1;
    while (to < tokens.length && quoted[to] !== 0) to++;
    if (isMostlyCapitals(quoted[from]!) && isTitle(tokens, from, to)) takeTitle(spans, from, to);
    from = to;
  }
}

function takeTitle(spans: NameSpan[], from: number, to: number): void {
  const at = spans.findIndex((span) => span.to > from && span.from < to);
  if (at < 0) return;
  let end = at + 1;
  while (end < spans.length && spans[end]!.from < to) end++;
  const first = spans[at]!;
  const last = spans[end - 1]!;
  if (first === last && first.from < from && last.to > to) return;
  const rest: NameSpan[] = [{ from, to, weak: false }];
  if (first.from < from - 1) rest.unshift({ ...first, to: from - 1 });
  if (last.to > to + 1) rest.push({ ...last, from: to + 1 });
  spans.splice(at, end - at, ...rest);
}

function isTitle(tokens: readonly Token[], from: number, to: number): boolean {
  if (!startsUpper(tokens[from]!.form)) return false;
  return tokens
    .slice(from, to)
    .every(({ form }) => startsUpper(form) || form.length < TITLE_WORD_CHARS || !hasLetter(form));
}
