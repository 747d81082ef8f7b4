import { createHash } from 'node:crypto';
import { stemsOf } from '../text/words.ts';

const SIZE = 32;
/** Words in a row: two pages of the same words in another order say different things. */
const SHINGLE_WORDS = 3;
const SAME_FROM = 0.9;
const DATE_WORDS =
  /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\d+/gi;

/** A short likeness of a text without its numbers and dates (MinHash, Broder 1997). */
export function fingerprintOf(text: string): number[] {
  const least = Array.from({ length: SIZE }, () => 2_147_483_647);
  const stems = stemsOf(text.replace(DATE_WORDS, ' '));
  const shingles = new Set(stems.map((_, index) => stems.slice(index, index + SHINGLE_WORDS).join(' ')));
  for (const shingle of shingles) {
    const digest = createHash('sha512').update(shingle).digest();
    for (let index = 0; index < SIZE; index += 1) {
      // Two bytes of the digest and the place make a hash of their own for each place.
      const value = Math.imul(digest.readUInt16BE(index * 2) + 1, 40_503 + index * 7_919) & 0x7fff_ffff;
      if (value < least[index]!) least[index] = value;
    }
  }
  return least;
}

/** True when the two say the same, but for numbers and dates. */
export function saysTheSame(a: readonly number[], b: readonly number[]): boolean {
  return a.filter((value, index) => value === b[index]).length / SIZE >= SAME_FROM;
}
