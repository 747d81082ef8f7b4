import type { LengthNorm } from '../segment/scoring.ts';
import type { IndexHit } from '../search-index.ts';
import { groupFor, type FoundHit, type SearchRequest, type WeightedWord } from './search-request.ts';
import { contributionOf, frequencyOf } from './segment-scorer.ts';

/** Adds to each hit what every word of the query contributed; the contributions add up to the score exactly. */
export function explainHits(
  hits: readonly { hit: IndexHit; found: FoundHit }[],
  words: readonly WeightedWord[],
  norm: LengthNorm,
  request: SearchRequest,
): void {
  for (const { hit, found } of hits) {
    const length = found.segment.view.open.lengths[found.ordinal]!;
    const terms = words.flatMap((word) => {
      const group = groupFor(word, found.segment, request.weights);
      const weightedFrequency = frequencyOf(group, found.ordinal);
      if (weightedFrequency === 0) return [];
      const share = contributionOf(group, found.ordinal, length, norm);
      return [{ said: word.said, df: word.df, idf: word.idf, weightedFrequency, contribution: share }];
    });
    hit.explanation = {
      terms,
      chunkLength: length,
      averageLength: request.totalLength / request.chunkCount,
      chunkCount: request.chunkCount,
    };
  }
}
