import { canonicalFigure, monthOf, numberWord } from '@cairn/language';

/** The value of a number however it is written: `1,000` and `1000`, `three` and `3`. Null for any other word. */
export function numberOf(text: string): string | null {
  const figure = /^\d+(?:[.,:]\d+)*/.exec(text)?.[0];
  if (figure !== undefined) return canonicalFigure(figure);
  // “a” and “half” are numbers only where one is expected.
  const value = /^(?:an?|half)$/i.test(text) ? null : numberWord(text);
  if (value !== null) return String(value);
  return ORDINALS.get(text.toLowerCase()) ?? null;
}

/** Whether a word is a month, which is as much of a date as its year. */
export function isMonth(text: string): boolean {
  return text.length > 3 && /^\p{Lu}/u.test(text) && monthOf(text) > 0;
}

const ORDINALS: ReadonlyMap<string, string> = new Map(
  ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'].map(
    (word, index) => [word, `${index + 1}th`] as const,
  ),
);
