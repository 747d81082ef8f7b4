import { pairedBootstrap } from './bootstrap.ts';
import type { RetrievalSet } from './retrieval-set.ts';
import { lexicalOnly, ndcgOf, type Scaling, signalsOf } from './signal-ablation.ts';
import type { Shares } from './through-http.ts';

/** A collection with what each signal added to each result. */
export interface Collection {
  set: RetrievalSet;
  shares: ReadonlyMap<string, Shares[]>;
}

/** What a collection gets with weights that were fitted without it, beside its own. nDCG@10. */
export interface HeldOutScores {
  name: string;
  questions: number;
  indexAlone: number;
  /** With the weights of the product. */
  asShipped: number;
  /** With weights that were fitted on the other collections alone. */
  leftOut: number;
  /** With weights that were fitted on all collections, this one included. */
  fitted: number;
  /** One-sided, of `leftOut` against the index alone. */
  p: number;
  /** What was chosen without it. */
  scaling: Scaling;
}

/** Multiples of today's weights that are tried. */
const STEPS = [0, 0.25, 0.5, 0.75, 1, 1.5, 2];
const ROUNDS_MAX = 6;
/** A signal leaves today's weight only for more than this mean gain, which is below what the sets can tell apart. */
const GAIN_MIN = 0.000_5;

/**
 * Fits the weights on all collections but one, for each of them, and says what the one gets. Every collection counts the
 * same, whatever its number of questions.
 */
export function leaveOneOut(collections: readonly Collection[]): HeldOutScores[] {
  const fittedToAll = fit(collections);
  return collections.map((one) => {
    const scaling = fit(collections.filter((other) => other !== one));
    const plain = ndcgOf(one.set, one.shares, lexicalOnly(signalsOf(one.shares)));
    const chosen = ndcgOf(one.set, one.shares, scaling);
    return {
      name: one.set.name,
      questions: one.set.questions.length,
      indexAlone: mean(plain),
      asShipped: mean(ndcgOf(one.set, one.shares, {})),
      leftOut: mean(chosen),
      fitted: mean(ndcgOf(one.set, one.shares, fittedToAll)),
      p: pairedBootstrap(chosen, plain),
      scaling,
    };
  });
}

/** Coordinate ascent from today's weights: one signal after the other takes its best multiple, until none changes. */
export function fit(collections: readonly Collection[]): Scaling {
  const signals = [...new Set(collections.flatMap(({ shares }) => signalsOf(shares)))].sort();
  const value = (scaling: Scaling) => mean(collections.map(({ set, shares }) => mean(ndcgOf(set, shares, scaling))));
  let scaling: Scaling = Object.fromEntries(signals.map((signal) => [signal, 1]));
  let best = value(scaling);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = best;
    for (const signal of signals)
      for (const step of STEPS) {
        const tried = { ...scaling, [signal]: step };
        const reached = value(tried);
        if (reached > best + GAIN_MIN) [scaling, best] = [tried, reached];
      }
    if (best === before) break;
  }
  return scaling;
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / Math.max(1, figures.length);
}
