import { type Scores, meanScores, scoreRanking } from './metrics.ts';
import type { RetrievalSet } from './retrieval-set.ts';
import type { Shares } from './through-http.ts';

/** What each signal's share of a score is multiplied with; what is not named stays as it is. */
export type Scaling = Readonly<Record<string, number>>;

/** The order that the results of a question would have with the shares of signals scaled; 0 takes a signal out. */
export function reordered(shares: readonly Shares[], scaling: Scaling): string[] {
  const scored = shares.map(({ id, signals }, rank) => {
    let score = 0;
    for (const [signal, share] of Object.entries(signals)) score += share * (scaling[signal] ?? 1);
    return { id, score, rank };
  });
  scored.sort((a, b) => b.score - a.score || a.rank - b.rank);
  return [...new Set(scored.map(({ id }) => id))];
}

/** One figure a question. */
export function ndcgOf(set: RetrievalSet, shares: ReadonlyMap<string, Shares[]>, scaling: Scaling): number[] {
  return set.questions.map(
    ({ id }) => scoreRanking(reordered(shares.get(id) ?? [], scaling), set.judgements.get(id)!).ndcg10,
  );
}

/** Every signal that any result names. */
export function signalsOf(shares: ReadonlyMap<string, Shares[]>): string[] {
  const names = new Set([...shares.values()].flat().flatMap(({ signals }) => Object.keys(signals)));
  names.delete('words');
  return [...names];
}

/** The index's order alone: its own BM25 with fields. */
export function lexicalOnly(signals: readonly string[]): Scaling {
  return Object.fromEntries(signals.map((signal) => [signal, 0]));
}

/**
 * Cross-validated by scope (conversation): for each, the scaling of the signals is chosen on the other scopes alone.
 * Gives one figure a question.
 */
export function crossValidated(
  set: RetrievalSet,
  shares: ReadonlyMap<string, Shares[]>,
  grid: readonly Scaling[],
): number[] {
  const figures = grid.map((scaling) => ndcgOf(set, shares, scaling));
  const scopes = [...new Set(set.questions.map(({ scope }) => scope ?? ''))];
  return set.questions.map(({ scope = '' }, question) => {
    if (scopes.length < 2) return figures[0]![question]!;
    const meanElsewhere = (of: readonly number[]) =>
      set.questions.reduce((sum, other, index) => ((other.scope ?? '') === scope ? sum : sum + of[index]!), 0);
    const best = figures.reduce((a, b) => (meanElsewhere(b) > meanElsewhere(a) ? b : a));
    return best[question]!;
  });
}

export function scoresOf(set: RetrievalSet, rankings: ReadonlyMap<string, readonly string[]>): Scores {
  return meanScores(set.questions.map(({ id }) => scoreRanking(rankings.get(id) ?? [], set.judgements.get(id)!)));
}
