import { pairedBootstrap } from './bootstrap.ts';
import type { Collection } from './leave-one-out.ts';
import { scoreRanking } from './metrics.ts';
import type { RetrievalSet } from './retrieval-set.ts';
import { lexicalOnly, ndcgOf, type Scaling, signalsOf } from './signal-ablation.ts';
import type { Shares } from './through-http.ts';

/** What a collection gets from words and meaning joined in several ways. nDCG@10, no other signal unless said. */
export interface Hybrid {
  name: string;
  questions: number;
  words: number;
  meaning: number;
  reciprocalRanks: number;
  /** With the weight of the product. */
  shipped: number;
  /** With the weight that suits the other collections best. */
  leftOut: number;
  /** That weight. */
  weight: number;
  /** The best that any one weight could do here. */
  best: number;
  /** All signals of the product on top of its weight. */
  withSignals: number;
  /** One-sided, of `leftOut` against the words alone and against reciprocal ranks. */
  pOverWords: number;
  pOverRanks: number;
}

const WEIGHTS = Array.from({ length: 21 }, (_, at) => at / 20);
/** As in Cormack, Clarke and Büttcher 2009. */
const RANK_CONSTANT = 60;
/** Below it a share is a difference of rounding. */
const NOTHING = 1e-9;

/** A result by its two lists, each on the scale from 0 to the list's best, 1. */
interface Joined {
  id: string;
  words: number;
  meaning: number;
}

/**
 * Compares convex combinations (Bruch, Gai, Ingber 2023) whose weight is chosen on the other collections with
 * reciprocal ranks, out of the shares that `explain` gives: each is its list's score times one factor a question.
 */
export function compareHybrids(collections: readonly Collection[]): Hybrid[] {
  const read = collections.map((collection) => ({ collection, questions: joinedLists(collection) }));
  const curves = new Map(
    read.map(({ collection, questions }) => [
      collection,
      WEIGHTS.map((weight) => figuresOf(collection.set, questions, convex(weight))),
    ]),
  );
  return read.map(({ collection, questions }) => {
    const others = collections.filter((other) => other !== collection);
    const worth = WEIGHTS.map((_, at) => mean(others.map((other) => mean(curves.get(other)![at]!))));
    const chosen = worth.indexOf(Math.max(...worth));
    const own = curves.get(collection)!;
    const leftOut = own[chosen]!;
    const words = own[0]!;
    const ranks = figuresOf(collection.set, questions, reciprocalRanks);
    return {
      name: collection.set.name,
      questions: collection.set.questions.length,
      words: mean(words),
      meaning: mean(own.at(-1)!),
      reciprocalRanks: mean(ranks),
      shipped: mean(ndcgOf(collection.set, collection.shares, listsOnly(collection))),
      leftOut: mean(leftOut),
      weight: WEIGHTS[chosen]!,
      best: Math.max(...own.map(mean)),
      withSignals: mean(ndcgOf(collection.set, collection.shares, {})),
      pOverWords: pairedBootstrap(leftOut, words),
      pOverRanks: pairedBootstrap(leftOut, ranks),
    };
  });
}

/** Both lists as the product joins them, without its other signals. */
function listsOnly({ shares }: Collection): Scaling {
  return { ...lexicalOnly(signalsOf(shares)), meaning: 1 };
}

function joinedLists({ set, shares }: Collection): ReadonlyMap<string, Joined[]> {
  return new Map(set.questions.map(({ id }) => [id, joined(shares.get(id) ?? [])]));
}

function joined(shares: readonly Shares[]): Joined[] {
  const words = shares.map(({ signals }) => signals['words'] ?? 0);
  const meaning = shares.map(({ signals }) => signals['meaning'] ?? 0);
  const [bestWords, bestMeaning] = [Math.max(NOTHING, ...words), Math.max(NOTHING, ...meaning)];
  return shares.map(({ id }, at) => ({
    id,
    words: words[at]! < NOTHING ? 0 : words[at]! / bestWords,
    meaning: meaning[at]! < NOTHING ? 0 : meaning[at]! / bestMeaning,
  }));
}

/** A score for each of a question's results. */
type Rule = (results: readonly Joined[]) => number[];

function convex(weight: number): Rule {
  return (results) => results.map(({ words, meaning }) => (1 - weight) * words + weight * meaning);
}

function reciprocalRanks(results: readonly Joined[]): number[] {
  const scores = results.map(() => 0);
  for (const list of ['words', 'meaning'] as const) {
    const listed = [...results.keys()].filter((at) => results[at]![list] > 0);
    listed.sort((a, b) => results[b]![list] - results[a]![list]);
    for (const [rank, at] of listed.entries()) scores[at]! += 1 / (RANK_CONSTANT + 1 + rank);
  }
  return scores;
}

function figuresOf(set: RetrievalSet, questions: ReadonlyMap<string, Joined[]>, rule: Rule): number[] {
  return set.questions.map(({ id }) => {
    const results = questions.get(id)!;
    const scores = rule(results);
    const order = [...results.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b);
    const ranking = [...new Set(order.map((at) => results[at]!.id))];
    return scoreRanking(ranking, set.judgements.get(id)!).ndcg10;
  });
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / Math.max(1, figures.length);
}
