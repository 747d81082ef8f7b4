import type { NormalizedText } from './normalized-text.ts';

/** Marks of Markdown inside of a word or a number, and backslashes before punctuation. */
const MARKS = /(?<=\S)(?:\*{1,3}|~~|`{1,3})(?=\S)|\\(?=[_*~`#.@+-])/g;
/** A line break inside of what may be one token; a hyphen before it goes too. */
const TOKEN_BREAKS = /(?<=[A-Za-z0-9_+/=.-])-?\n[ \t>]{0,8}(?=[A-Za-z0-9_+/=])/g;
const TOKEN_MIN_CHARS = 20;
const TOKEN_END_CHARS = 64;
/** A line break in an e-mail address: around the `@`, or behind a dot after it. */
const ADDRESS_BREAKS =
  /(?<=[\w.+-])[ \t]{0,4}\n[ \t>]{0,8}(?=@)|(?<=@)[ \t]{0,4}\n[ \t>]{0,8}(?=\w)|(?<=@[\w.-]{1,60})-?\n[ \t>]{0,8}(?=[\w-]{1,60}\.[a-z])/g;

/** The text without emphasis and code marks inside of words; null when there are none. */
export function withoutMarks(view: NormalizedText): NormalizedText | null {
  return without(view, MARKS);
}

/** The text with tokens that were broken over lines joined; null when there are none. */
export function joinedTokens(view: NormalizedText): NormalizedText | null {
  return without(view, TOKEN_BREAKS, mayBeToken);
}

/** Both ends together are as long as tokens are, and no words. */
function mayBeToken(text: string, start: number, end: number): boolean {
  const before = /(?<![A-Za-z0-9_+/=.-])[A-Za-z0-9_+/=.-]*$/.exec(
    text.slice(Math.max(0, start - TOKEN_END_CHARS), start),
  )![0];
  const after = /^[A-Za-z0-9_+/=.-]*/.exec(text.slice(end, end + TOKEN_END_CHARS))![0];
  return before.length + after.length >= TOKEN_MIN_CHARS && /\d/.test(before + after);
}

/** The text with e-mail addresses that were broken over lines joined; null when there are none. */
export function joinedAddresses(view: NormalizedText): NormalizedText | null {
  return view.text.includes('@') ? without(view, ADDRESS_BREAKS) : null;
}

function without(
  view: NormalizedText,
  pattern: RegExp,
  counts: (text: string, start: number, end: number) => boolean = () => true,
): NormalizedText | null {
  /** Where the rest begins in the shorter text, and how much was left out before it. */
  const cuts: { at: number; removed: number }[] = [];
  let text = '';
  let position = 0;
  let removed = 0;
  for (const match of view.text.matchAll(pattern)) {
    if (!counts(view.text, match.index, match.index + match[0].length)) continue;
    text += view.text.slice(position, match.index);
    position = match.index + match[0].length;
    removed += match[0].length;
    cuts.push({ at: text.length, removed });
  }
  if (cuts.length === 0) return null;
  text += view.text.slice(position);
  return { text, originalOf: (at) => view.originalOf(at + removedBefore(cuts, at)) };
}

function removedBefore(cuts: readonly { at: number; removed: number }[], at: number): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cuts[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : cuts[low - 1]!.removed;
}
