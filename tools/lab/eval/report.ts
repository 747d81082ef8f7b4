import { environment, table } from '../measurement/page.ts';
import { quantile } from '../measurement/quantile.ts';
import { pairedBootstrap } from './bootstrap.ts';
import { signed } from './metrics.ts';
import type { RetrievalSet } from './retrieval-set.ts';
import { crossValidated, lexicalOnly, ndcgOf, type Scaling, scoresOf, signalsOf } from './signal-ablation.ts';
import type { RunResult } from './through-http.ts';

/** Plain BM25 with stop words, measured once on the same files: what the service may not fall below. */
const PLAIN_BM25: Record<string, number> = { locomo: 0.502, scifact: 0.697, cranfield: 0.351, hotpotqa100: 0.8 };

export interface SetMeasurement {
  name: string;
  row: string[];
  ablation: { signal: string; without: string; alone: string }[];
  /** nDCG@10 with weights chosen on other scopes; null for a set of one scope. */
  crossValidated: string | null;
}

export function measure(set: RetrievalSet, ours: RunResult, theirs: RunResult): SetMeasurement {
  const scopes = new Set(set.questions.map(({ scope }) => scope));
  return {
    name: set.name,
    row: rowOf(set, ours, theirs),
    ablation: ablationOf(set, ours),
    crossValidated: scopes.size > 1 ? mean(crossValidated(set, ours.shares, conversationGrid())).toFixed(3) : null,
  };
}

function rowOf(set: RetrievalSet, ours: RunResult, theirs: RunResult): string[] {
  const [scores, baseline] = [scoresOf(set, ours.rankings), scoresOf(set, theirs.rankings)];
  const ranked = ndcgOf(set, ours.shares, {});
  const plain = ndcgOf(set, ours.shares, lexicalOnly(signalsOf(ours.shares)));
  return [
    set.name,
    `${set.documents.length} / ${set.questions.length}`,
    scores.ndcg10.toFixed(3),
    mean(plain).toFixed(3),
    `${signed(mean(ranked) - mean(plain))} (${pairedBootstrap(ranked, plain).toFixed(4)})`,
    PLAIN_BM25[set.name]?.toFixed(3) ?? '—',
    baseline.ndcg10.toFixed(3),
    scores.recall10.toFixed(3),
    scores.recall100.toFixed(3),
    scores.mrr.toFixed(3),
    `${quantile(ours.latenciesMs, 0.5).toFixed(1)} / ${quantile(ours.latenciesMs, 0.95).toFixed(1)}`,
  ];
}

/** What each signal is worth: all of them without it, and it alone over the index's order. */
function ablationOf(set: RetrievalSet, { shares }: RunResult): { signal: string; without: string; alone: string }[] {
  const signals = signalsOf(shares);
  const all = mean(ndcgOf(set, shares, {}));
  const none = mean(ndcgOf(set, shares, lexicalOnly(signals)));
  return signals.map((signal) => ({
    signal,
    without: signed(mean(ndcgOf(set, shares, { [signal]: 0 })) - all),
    alone: signed(mean(ndcgOf(set, shares, { ...lexicalOnly(signals), [signal]: 1 })) - none),
  }));
}

const GRID_STEPS = [0, 0.5, 1, 1.5];

/** Scalings of the signals of conversations, to choose from on some conversations for another. */
function conversationGrid(): Scaling[] {
  const grid: Scaling[] = [];
  for (const named_speaker of GRID_STEPS)
    for (const turns of GRID_STEPS)
      for (const similarity_to_best of GRID_STEPS)
        for (const asked_date of GRID_STEPS)
          grid.push({ named_speaker, adjacent_turns: turns, nearby_turns: turns, similarity_to_best, asked_date });
  return grid;
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / Math.max(1, figures.length);
}

/** The section of the page. */
export function report(measured: readonly SetMeasurement[]): string {
  const head = [
    'set',
    'documents / questions',
    'nDCG@10',
    'index alone',
    'gain (p)',
    'plain BM25',
    '`ts_rank`',
    'recall@10',
    'recall@100',
    'MRR',
    'ms p50 / p95',
  ];
  const signals = [...new Set(measured.flatMap(({ ablation }) => ablation.map(({ signal }) => signal)))];
  const cell = (of: SetMeasurement, signal: string) => {
    const found = of.ablation.find((one) => one.signal === signal);
    return found === undefined ? '—' : `${found.without} / ${found.alone}`;
  };
  const validated = measured.filter((one) => one.crossValidated !== null);
  return [
    '## Quality, through the API, without a model',
    '',
    `${environment()}. Command: \`npm run eval -- --data <folder>\`.`,
    '',
    table(
      head,
      measured.map(({ row }) => row),
    ),
    '',
    'One memory a scope; every document through `POST /memory/documents`, with its time where the set has one, every question through `POST /memory/search` with `top_k` 100, one after the other. “Index alone” is the order of the index’s BM25 with fields on the same hits of the same run; p is that of a one-sided paired bootstrap of 10,000 resamples over the questions. `ts_rank` ran in the same run on the same documents with the words joined by OR. Plain BM25 (k1 .9, b .4, stop words) is the reference the sets came with. Times are those of the whole call, answer included.',
    '',
    ...validated.map(
      ({ name, crossValidated }) =>
        `${name}, with the weights of the conversation’s signals chosen on the other conversations alone: nDCG@10 ${crossValidated}.`,
    ),
    '',
    '### What each signal is worth',
    '',
    'nDCG@10 of all signals without this one, against all / of this one alone, against none. Computed from the shares that `explain` gives.',
    '',
    table(
      ['signal', ...measured.map(({ name }) => name)],
      signals.map((signal) => [signal, ...measured.map((one) => cell(one, signal))]),
    ),
  ].join('\n');
}
