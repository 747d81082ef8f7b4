import { BM25_B, BM25_K1 } from '@cairn/search-index';
import type { ChunkTerms } from './term-collector.ts';

/**
 * Cosine of each text with the one at `best`. Words weigh by BM25's saturation and by how few of these texts have them:
 * frequencies of the texts at hand, so that the similarity says nothing of texts the caller may not see. A form of score
 * regularisation (Diaz 2005) with the best hit as the only anchor.
 */
export function similarityToTopHit(best: number, texts: readonly ChunkTerms[]): number[] {
  const words = new Map<number, WordWeight>();
  let totalLength = 0;
  // Each text's words are looked up once.
  const read = texts.map(({ terms, frequencies, length }) => {
    totalLength += length;
    const own: Use[] = [];
    for (let at = 0; at < terms.length; at += 1) {
      let word = words.get(terms[at]!);
      if (word === undefined) words.set(terms[at]!, (word = { texts: 0, rarity: 0, inBest: 0 }));
      word.texts += 1;
      own.push({ word, frequency: frequencies[at]! });
    }
    return { own, length };
  });
  const average = totalLength / Math.max(1, texts.length);
  for (const word of words.values()) word.rarity = Math.log(1 + (texts.length - word.texts + 0.5) / (word.texts + 0.5));
  const weightOf = ({ word, frequency }: Use, length: number) =>
    (word.rarity * frequency) / (frequency + BM25_K1 * (1 - BM25_B + (BM25_B * length) / Math.max(1, average)));
  for (const use of read[best]!.own) use.word.inBest = weightOf(use, read[best]!.length);
  const anchorLength = Math.sqrt(read[best]!.own.reduce((sum, { word }) => sum + word.inBest * word.inBest, 0));
  return read.map(({ own, length }) => {
    let product = 0;
    let squares = 0;
    for (const use of own) {
      const weight = weightOf(use, length);
      squares += weight * weight;
      product += weight * use.word.inBest;
    }
    return squares === 0 || anchorLength === 0 ? 0 : product / (Math.sqrt(squares) * anchorLength);
  });
}

/** A word of the texts at hand. */
interface WordWeight {
  /** How many of them have it. */
  texts: number;
  rarity: number;
  /** Its weight in the best one. */
  inBest: number;
}

interface Use {
  word: WordWeight;
  frequency: number;
}
