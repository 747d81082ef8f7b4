import type { WordFeatures } from '../learned/words.ts';

const QUOTED_MAX_TOKENS = 14;
const CLOSING = new Map([
  ['"', '"'],
  ['“', '”'],
  ['``', "''"],
  ['«', '»'],
  ['„', '“'],
]);
const STOPS = new Set([',', '.', '!', '?']);

/** Places in a quotation: its first token, one within, its last, or its only one. */
const FIRST = 0;
const WITHIN = 1;
const LAST = 2;
const ONLY = 3;

/**
 * For each token 0 outside of a pair of quotes, otherwise a number for its place in the quotation, how much of it
 * is capitalised and how long it is: most of the short ones with capitals are titles of works. A comma or full stop
 * before the closing quote is no part of what is quoted.
 */
export function quotations(words: readonly WordFeatures[]): Int32Array {
  const places = new Int32Array(words.length);
  for (let open = 0; open + 2 < words.length; open++) {
    const sign = CLOSING.get(words[open]!.form);
    if (sign === undefined) continue;
    const most = Math.min(words.length, open + QUOTED_MAX_TOKENS + 2);
    let close = open + 1;
    while (close < most && words[close]!.form !== sign) close++;
    if (close === most || close === open + 1) continue;
    mark(words, places, open + 1, close);
    open = close;
  }
  return places;
}

function mark(words: readonly WordFeatures[], places: Int32Array, from: number, close: number): void {
  let to = close;
  if (to - from > 1 && STOPS.has(words[to - 1]!.form)) to--;
  let capitals = 0;
  for (let i = from; i < to; i++) if (words[i]!.nameLike) capitals++;
  const length = to - from;
  const share = capitals === length ? 2 : 2 * capitals >= length ? 1 : 0;
  const size = length <= 2 ? 0 : length <= 5 ? 1 : 2;
  for (let i = from; i < to; i++) {
    const place = length === 1 ? ONLY : i === from ? FIRST : i === to - 1 ? LAST : WITHIN;
    places[i] = 1 + place + 4 * share + 12 * size;
  }
}

/** Whether at least half of the words of a quotation have capitals, by the number of any of them. */
export function isMostlyCapitals(place: number): boolean {
  return Math.floor((place - 1) / 4) % 3 > 0;
}

/** Whether a span is all that stands in its quotes. */
export function isWholeQuotation(places: Int32Array, from: number, to: number): boolean {
  const placeOf = (i: number) => (places[i] === 0 ? -1 : (places[i]! - 1) % 4);
  if (to - from === 1) return placeOf(from) === ONLY;
  if (placeOf(from) !== FIRST) return false;
  for (let i = from + 1; i < to - 1; i++) if (placeOf(i) !== WITHIN) return false;
  return placeOf(to - 1) === LAST;
}
