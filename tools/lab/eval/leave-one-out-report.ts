import { environment, table } from '../measurement/page.ts';
import type { HeldOutScores } from './leave-one-out.ts';
import { signed } from './metrics.ts';

/** The section of the page. */
export function leaveOneOutReport(results: readonly HeldOutScores[]): string {
  const rows = results.map((one) => [
    one.name,
    String(one.questions),
    one.indexAlone.toFixed(3),
    one.asShipped.toFixed(3),
    `${one.leftOut.toFixed(3)} (${signed(one.leftOut - one.indexAlone)}, p ${one.p.toFixed(4)})`,
    one.fitted.toFixed(3),
    changesOf(one),
  ]);
  return [
    '## Signals on collections they were not fitted on',
    '',
    `${environment()}. Command: \`npm run eval -- --data <folder>\`.`,
    '',
    table(
      ['set', 'questions', 'index alone', 'as shipped', 'fitted without it (gain, p)', 'fitted to all', 'weights then'],
      rows,
    ),
    '',
    'nDCG@10. For each set the weights of all signals were fitted on the other sets alone, every set counting the same: coordinate ascent from the shipped weights over multiples from 0 to 2, taken for gains above .0005. “Weights then” names what that changed, as multiples of the shipped weights. Computed from the shares that `explain` gives; the likeness to the best hit keeps the best hit of the shipped weights. p: one-sided paired bootstrap against the index alone.',
  ].join('\n');
}

function changesOf({ scaling }: HeldOutScores): string {
  const changed = Object.entries(scaling).filter(([, multiple]) => multiple !== 1);
  return changed.length === 0
    ? 'as shipped'
    : changed.map(([signal, multiple]) => `${signal} × ${multiple}`).join(', ');
}
