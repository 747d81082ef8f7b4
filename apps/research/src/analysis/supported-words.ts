import { wordsOf } from '../text/words.ts';

/** Whether every word except function words occurs verbatim in one of the texts. */
export function isSupported(text: string, known: readonly string[]): boolean {
  const knownWords = new Set(known.flatMap(plainWords));
  return plainWords(text).every((word) => FUNCTION_WORDS.has(word) || knownWords.has(word));
}

function plainWords(text: string): string[] {
  return wordsOf(text).flatMap(({ text: word }) => word.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'a an the and or but if of to in on at for with by from as is are was were be been it its this that these those they them their he she his her we our not no so such also which who whom what when where why how there here has have had do does did into over under about after before during between each all both more most other than then'.split(
    ' ',
  ),
);
