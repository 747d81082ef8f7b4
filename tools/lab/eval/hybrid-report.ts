import { environment, table } from '../measurement/page.ts';
import type { Hybrid } from './hybrid.ts';
import { signed } from './metrics.ts';

/** The section of the page. */
export function hybridReport(results: readonly Hybrid[]): string {
  const rows = results.map((one) => [
    one.name,
    String(one.questions),
    one.words.toFixed(3),
    one.meaning.toFixed(3),
    one.reciprocalRanks.toFixed(3),
    one.shipped.toFixed(3),
    `${one.leftOut.toFixed(3)} (${one.weight.toFixed(2)})`,
    `${signed(one.leftOut - one.words)} (${one.pOverWords.toFixed(4)})`,
    `${signed(one.leftOut - one.reciprocalRanks)} (${one.pOverRanks.toFixed(4)})`,
    one.best.toFixed(3),
    one.withSignals.toFixed(3),
  ]);
  return [
    '## Words and meaning together',
    '',
    `${environment()}. Command: \`npm run eval -- --data <folder> --embedding <base URL>\`.`,
    '',
    table(
      [
        'set',
        'questions',
        'words alone',
        'meaning alone',
        'reciprocal ranks',
        'as shipped',
        'weight chosen without it',
        'over words (p)',
        'over reciprocal ranks (p)',
        'best weight of its own',
        'as shipped, with all signals',
      ],
      rows,
    ),
    '',
    'nDCG@10, with all-MiniLM-L6-v2, a small model of English (`tools/lab/eval/embedding/server.py`). Both lists of a search are joined in several ways, out of the shares that `explain` gives: a convex combination of their scores, each on the scale of its list (Bruch, Gai and Ingber 2023), or reciprocal ranks (Cormack, Clarke and Büttcher 2009; constant 60). “Weight chosen without it” is the weight of the meaning, in steps of .05, that suits the other sets best, each counting the same. p: one-sided paired bootstrap of 10,000 resamples over the questions. Results below the hundredth of a search are not seen.',
  ].join('\n');
}
