import { BM25_B, BM25_K1 } from '../index/scoring.ts';
import type { ChunkTerms } from './chunk-terms.ts';

/**
 * Cosine of each text with the one at `best`. Words weigh by BM25's saturation and by how few of these texts have them:
 * frequencies of the texts at hand, so that the likeness says nothing of texts the caller may not see. A form of score
 * regularisation (Diaz 2005) with the best hit as the only anchor.
 */
export function kinshipWith(best: number, texts: readonly ChunkTerms[]): number[] {
  const documentFrequency = new Map<string, number>();
  let totalLength = 0;
  for (const text of texts) {
    totalLength += text.length;
    for (const term of text.frequencies.keys()) documentFrequency.set(term, (documentFrequency.get(term) ?? 0) + 1);
  }
  const average = totalLength / Math.max(1, texts.length);
  const rarities = new Map<string, number>();
  for (const [term, df] of documentFrequency) rarities.set(term, Math.log(1 + (texts.length - df + 0.5) / (df + 0.5)));
  const weightOf = (text: ChunkTerms, frequency: number, term: string) =>
    (rarities.get(term)! * frequency) /
    (frequency + BM25_K1 * (1 - BM25_B + (BM25_B * text.length) / Math.max(1, average)));
  const anchor = new Map<string, number>();
  for (const [term, frequency] of texts[best]!.frequencies) anchor.set(term, weightOf(texts[best]!, frequency, term));
  const anchorLength = Math.hypot(...anchor.values());
  return texts.map((text) => {
    let product = 0;
    let squares = 0;
    for (const [term, frequency] of text.frequencies) {
      const weight = weightOf(text, frequency, term);
      squares += weight * weight;
      product += weight * (anchor.get(term) ?? 0);
    }
    return squares === 0 || anchorLength === 0 ? 0 : product / (Math.sqrt(squares) * anchorLength);
  });
}
