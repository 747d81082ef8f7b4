import { createHash } from 'node:crypto';
import { stemsOf } from '../text/words.ts';

const SIZE = 32;
/** Shingles of consecutive words: pages with the same words in another order differ. */
const SHINGLE_WORDS = 3;
const NEAR_DUPLICATE_MIN = 0.9;
const DATE_WORDS =
  /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\d+/gi;

/** Days, hours and minutes. */
const CALENDAR_MAX = 60;
const YEARS = { from: 1_500, to: 2_200 } as const;

/**
 * A MinHash fingerprint (Broder 1997) of a text without its dates, and without the numbers of the page's own address: they
 * say which page of a series it is. Other numbers are what a page says.
 */
export function fingerprintOf(text: string, url = ''): number[] {
  const least = Array.from({ length: SIZE }, () => 2_147_483_647);
  const own = new Set((url.match(/\d{1,20}/g) ?? []).map(Number));
  const isSerial = (number: number) =>
    number <= CALENDAR_MAX || (number >= YEARS.from && number <= YEARS.to) || own.has(number);
  const stems = stemsOf(text.replace(DATE_WORDS, (word) => (/\D/.test(word) || isSerial(Number(word)) ? ' ' : word)));
  const shingles = new Set(stems.map((_, index) => stems.slice(index, index + SHINGLE_WORDS).join(' ')));
  for (const shingle of shingles) {
    const digest = createHash('sha512').update(shingle).digest();
    for (let index = 0; index < SIZE; index += 1) {
      // Two bytes of the digest and the index make an independent hash for each slot.
      const value = Math.imul(digest.readUInt16BE(index * 2) + 1, 40_503 + index * 7_919) & 0x7fff_ffff;
      if (value < least[index]!) least[index] = value;
    }
  }
  return least;
}

/** Whether two texts are the same except for numbers and dates. */
export function isNearDuplicate(a: readonly number[], b: readonly number[]): boolean {
  return a.filter((value, index) => value === b[index]).length / SIZE >= NEAR_DUPLICATE_MIN;
}
