/** Relevance of documents to one question, by document id. */
type Judgements = ReadonlyMap<string, number>;

export interface Scores {
  ndcg10: number;
  recall5: number;
  recall10: number;
  recall100: number;
  mrr: number;
}

/** nDCG with linear gain and log2 discount (as trec_eval's ndcg_cut), recall, and reciprocal rank, for one ranking. */
export function scoreRanking(ranking: readonly string[], judgements: Judgements): Scores {
  const gains = ranking.map((id) => Math.max(0, judgements.get(id) ?? 0));
  const ideal = [...judgements.values()].sort((a, b) => b - a);
  const first = gains.findIndex((gain) => gain > 0);
  const found = (depth: number) => gains.slice(0, depth).filter((gain) => gain > 0).length;
  return {
    ndcg10: discounted(gains) / (discounted(ideal) || 1),
    recall5: found(5) / judgements.size,
    recall10: found(10) / judgements.size,
    recall100: found(100) / judgements.size,
    mrr: first === -1 ? 0 : 1 / (first + 1),
  };
}

const CUT = 10;

function discounted(gains: readonly number[]): number {
  return gains.slice(0, CUT).reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

export function meanScores(scores: readonly Scores[]): Scores {
  const mean = (pick: (score: Scores) => number) =>
    scores.reduce((sum, score) => sum + pick(score), 0) / Math.max(1, scores.length);
  return {
    ndcg10: mean((score) => score.ndcg10),
    recall5: mean((score) => score.recall5),
    recall10: mean((score) => score.recall10),
    recall100: mean((score) => score.recall100),
    mrr: mean((score) => score.mrr),
  };
}

/** A difference as tables show it. */
export function signed(difference: number): string {
  return `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(3)}`;
}
