import { ENGLISH_FUNCTION_WORDS, wordsOf } from '@cairn/language';

/** Whether every word except function words occurs verbatim in one of the texts. */
export function isSupported(text: string, known: readonly string[]): boolean {
  const knownWords = new Set(known.flatMap(plainWords));
  return plainWords(text).every((word) => ENGLISH_FUNCTION_WORDS.has(word) || knownWords.has(word));
}

function plainWords(text: string): string[] {
  return wordsOf(text).flatMap(({ text: word }) => word.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
