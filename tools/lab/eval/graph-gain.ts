import { environment, table } from '../measurement/page.ts';
import { quantile } from '../measurement/quantile.ts';
import { pairedBootstrap } from './bootstrap.ts';
import { scoreRanking } from './metrics.ts';
import type { RetrievalSet } from './retrieval-set.ts';
import { ndcgOf, reordered } from './signal-ablation.ts';
import type { RunResult } from './through-http.ts';

const WITHOUT = { graph: 0 };

/** What the graph's signal changes: one row of the page about the graph. */
export function graphGain(set: RetrievalSet, { shares, latenciesMs }: RunResult): string[] {
  const recall = (scaling: Readonly<Record<string, number>>) =>
    set.questions.map(
      ({ id }) => scoreRanking(reordered(shares.get(id) ?? [], scaling), set.judgements.get(id)!).recall5,
    );
  const [withRecall, withoutRecall] = [recall({}), recall(WITHOUT)];
  const [withNdcg, withoutNdcg] = [ndcgOf(set, shares, {}), ndcgOf(set, shares, WITHOUT)];
  return [
    set.name,
    `${set.documents.length} / ${set.questions.length}`,
    mean(withoutRecall).toFixed(3),
    mean(withRecall).toFixed(3),
    `${pairedBootstrap(withRecall, withoutRecall).toFixed(4)} / ${pairedBootstrap(withoutRecall, withRecall).toFixed(4)}`,
    mean(withoutNdcg).toFixed(3),
    mean(withNdcg).toFixed(3),
    `${quantile(latenciesMs, 0.5).toFixed(1)} / ${quantile(latenciesMs, 0.95).toFixed(1)}`,
  ];
}

const GAIN_HEAD = [
  'set',
  'documents / questions',
  'recall@5 without',
  'recall@5 with',
  'p of no gain / of no loss',
  'nDCG@10 without',
  'nDCG@10 with',
  'ms p50 / p95, with',
];

export function gainReport(rows: readonly (readonly string[])[]): string {
  return [
    '## The graph in retrieval',
    '',
    `${environment()}. Command: \`npm run eval -- --data <folder>\`.`,
    '',
    table(GAIN_HEAD, rows),
    '',
    'Both columns are of one run: without, the share that the graph added is taken out of each score (`explain`), and what only it found goes to the end. The set `handbook` asks for two pages of the example handbook, the second of which the question does not name (`tools/lab/eval/sets/handbook-two-hop.json`). p: paired bootstrap over questions.',
  ].join('\n');
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / Math.max(1, figures.length);
}
