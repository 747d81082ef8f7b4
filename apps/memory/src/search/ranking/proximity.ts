import type { ScoredWord } from '@cairn/search-index';
import { termNumber } from '../../text/each-term.ts';
import type { ChunkTerms } from './term-collector.ts';

/**
 * How closely neighbouring words of the question stand together: for each pair the idf of the commoner one, saturated
 * over its occurrences, each worth the inverse of its distance. After the ordered and unordered windows of Metzler and
 * Croft (2005), with one window for both.
 */
export function proximityOf(words: readonly ScoredWord[], chunk: ChunkTerms, window: number): number {
  let sum = 0;
  let before: readonly number[] | null = null;
  for (const [index, word] of words.entries()) {
    const here = placesOf(word, chunk);
    if (before !== null && before.length > 0 && here.length > 0) {
      const closeness = closenessOf(before, here, window);
      if (closeness > 0) sum += (Math.min(words[index - 1]!.idf, word.idf) * closeness) / (closeness + 1);
    }
    before = here;
  }
  return sum;
}

function placesOf(word: ScoredWord, { terms, uses, positions }: ChunkTerms): readonly number[] {
  const found: number[] = [];
  const wanted: number[] = [];
  for (const term of word.terms) {
    const place = terms.indexOf(termNumber(term));
    if (place >= 0) wanted.push(place);
  }
  if (wanted.length === 0) return found;
  // Nearly all words have one term.
  const [only] = wanted;
  for (let at = 0; at < uses.length; at += 1)
    if (uses[at] === only || (wanted.length > 1 && wanted.includes(uses[at]!))) found.push(positions[at]!);
  return found;
}

function closenessOf(first: readonly number[], second: readonly number[], window: number): number {
  let sum = 0;
  let start = 0;
  for (const place of first) {
    while (start < second.length && second[start]! < place - window) start++;
    for (let at = start; at < second.length && second[at]! <= place + window; at++) {
      const distance = Math.abs(second[at]! - place);
      if (distance > 0) sum += 1 / distance;
    }
  }
  return sum;
}
