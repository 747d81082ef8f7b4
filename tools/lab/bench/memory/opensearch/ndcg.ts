const CUT = 10;

/** nDCG with linear gain and log2 discount, as trec_eval's ndcg_cut. */
export function ndcgAt10(ranking: readonly string[], judgements: ReadonlyMap<string, number>): number {
  const gains = ranking.map((id) => Math.max(0, judgements.get(id) ?? 0));
  const ideal = [...judgements.values()].sort((a, b) => b - a);
  return discounted(gains) / (discounted(ideal) || 1);
}

function discounted(gains: readonly number[]): number {
  return gains.slice(0, CUT).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}
