import type { IndexHit } from '@cairn/search-index';

type Listed = Pick<IndexHit, 'chunkId' | 'docId' | 'score'>;

interface FusedScore {
  docId: string;
  score: number;
  /** The part of the score that the index's list gave. */
  words: number;
}

/**
 * What nearness in meaning counts beside the index. Whichever of five sets is left out, the others choose .3, and none
 * loses by it against the index alone; reciprocal ranks lose on three (docs/measurements/search.md, “Words and meaning
 * together”).
 */
const MEANING_WEIGHT = 0.3;

/**
 * Joins the index's list and the list by meaning by a convex combination of their scores, on the scale of the index's
 * best score (Bruch, Gai, Ingber 2023, An Analysis of Fusion Functions for Hybrid Retrieval). The index's scores are
 * shares of the best one; cosines, which models spread over a narrow range of their own, count from the last of the list
 * to the first. With one list only, its scores stay as they are. Both lists come best first.
 */
export function fusedScores(hits: readonly Listed[], near: readonly Listed[]): Map<string, FusedScore> {
  if (near.length === 0)
    return new Map(hits.map(({ chunkId, docId, score }) => [chunkId, { docId, score, words: score }]));
  const fused = new Map<string, FusedScore>();
  const add = ({ chunkId, docId }: Listed, share: number, words: number) => {
    const known = fused.get(chunkId);
    fused.set(chunkId, { docId, score: (known?.score ?? 0) + share, words: (known?.words ?? 0) + words });
  };
  const top = hits[0]?.score ?? 0;
  for (const hit of hits) {
    const share = (1 - MEANING_WEIGHT) * (top > 0 ? hit.score / top : 1);
    add(hit, share, share);
  }
  const [nearest, farthest] = [near[0]!.score, near.at(-1)!.score];
  const range = nearest - farthest;
  for (const hit of near) add(hit, MEANING_WEIGHT * (range > 0 ? (hit.score - farthest) / range : 1), 0);
  const best = Math.max(...[...fused.values()].map(({ score }) => score));
  const scale = (top > 0 ? top : 1) / best;
  for (const one of fused.values()) {
    one.score *= scale;
    one.words *= scale;
  }
  return fused;
}
