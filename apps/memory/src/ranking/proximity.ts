import type { ScoredWord } from '../index/search-index.ts';
import type { ChunkTerms } from './chunk-terms.ts';

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

function placesOf(word: ScoredWord, chunk: ChunkTerms): readonly number[] {
  const found = word.terms.flatMap((term) => chunk.positions.get(term) ?? []);
  return word.terms.length > 1 ? found.sort((a, b) => a - b) : found;
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
