import type { ResponseOf, searchMemory } from '@cairn/contracts';
import type { HitExplanation } from '@cairn/search-index';
import type { SignalShares } from './ranking/rerank.ts';

type Explanation = NonNullable<ResponseOf<typeof searchMemory>['results'][number]['explanation']>;

/** What a score was made of before anything else changed it. */
export interface ScoreShares {
  /** What the index says; undefined for what it did not find. */
  index: HitExplanation | undefined;
  /** The part of the lexical share that the words are; the rest is nearness in meaning. */
  words: number;
  signals: SignalShares;
}

/** A score as people read it: the signals add up to it, and the words to their signal. */
export function explainScore(score: number, { index, words, signals }: ScoreShares): Explanation {
  const { lexical } = signals;
  const before = Object.values(signals).reduce((sum, share) => sum + share, 0);
  return {
    signals: {
      words,
      meaning: lexical - words,
      word_proximity: signals.proximity,
      similarity_to_best: signals.kinship,
      adjacent_turns: signals.neighbour,
      nearby_turns: signals.secondNeighbour,
      named_speaker: signals.speaker,
      said_by_asker: signals.asker,
      asked_date: signals.date,
      asked_period: signals.timeWindow,
      graph: signals.graph,
      reranker: score - before,
    },
    words: explainWords(index, words),
    passage_length: index?.chunkLength ?? null,
    average_length: index?.averageLength ?? null,
    passages_searched: index?.chunkCount ?? null,
  };
}

/** Joined with other lists, the index's score is on another scale, and with it what its words contribute. */
function explainWords(index: HitExplanation | undefined, share: number): Explanation['words'] {
  if (index === undefined) return [];
  const own = index.terms.reduce((sum, term) => sum + term.contribution, 0);
  const scale = own === 0 ? 0 : share / own;
  return index.terms.map(({ said, df, idf, weightedFrequency, contribution }) => ({
    word: said,
    passages_with_word: df,
    rarity: idf,
    frequency: weightedFrequency,
    contribution: scale * contribution,
  }));
}
