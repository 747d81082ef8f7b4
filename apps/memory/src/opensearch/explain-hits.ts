import type { Tx } from '@cairn/postgres';
import {
  analyseChunk,
  compareText,
  contribution,
  FIELD_WEIGHTS,
  type IndexChunk,
  type IndexHit,
  type LengthNorm,
  weightedFrequency,
} from '@cairn/search-index';
import type { MemoryScope } from '../memories/memory-scope.ts';
import type { WeightedQuery } from './search-statistics.ts';
import { readIndexChunks } from './stored-chunks.ts';
import { ANALYSER } from '../text/analyser.ts';

interface Scoring {
  weighed: WeightedQuery;
  norm: LengthNorm;
  limit: number;
}

/** Scores hits once more from their text, in 64-bit numbers, so that the contributions add up to the score exactly. */
export async function explainHits(
  tx: Tx,
  memory: MemoryScope,
  hits: readonly IndexHit[],
  scoring: Scoring,
): Promise<IndexHit[]> {
  const chunks = await readIndexChunks(
    tx,
    memory,
    hits.map((hit) => hit.chunkId),
  );
  return hits
    .flatMap((hit) => {
      const chunk = chunks.get(hit.chunkId);
      return chunk === undefined ? [] : [explained(hit, chunk, scoring)];
    })
    .sort((a, b) => b.score - a.score || compareText(a.chunkId, b.chunkId))
    .slice(0, scoring.limit);
}

function explained(hit: IndexHit, chunk: IndexChunk, { weighed, norm }: Scoring): IndexHit {
  const { counts, terms } = analyseChunk(chunk, ANALYSER);
  const length = weightedFrequency(counts, FIELD_WEIGHTS);
  const contributions = weighed.words.flatMap(({ said, df, idf, weight, terms: spellings }) => {
    const frequency = spellings.reduce((sum, term) => {
      const positions = terms.get(term);
      if (positions === undefined) return sum;
      const { title, context, body } = positions;
      return (
        sum + weightedFrequency({ title: title.length, context: context.length, body: body.length }, FIELD_WEIGHTS)
      );
    }, 0);
    if (frequency === 0) return [];
    const share = contribution(idf * weight, frequency, length, norm);
    return [{ said, df, idf, weightedFrequency: frequency, contribution: share }];
  });
  return {
    ...hit,
    score: contributions.reduce((sum, { contribution: share }) => sum + share, 0),
    explanation: {
      terms: contributions,
      chunkLength: length,
      averageLength: weighed.averageLength,
      chunkCount: weighed.chunkCount,
    },
  };
}
