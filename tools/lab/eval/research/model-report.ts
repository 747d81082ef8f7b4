import { environment, table } from '../../measurement/page.ts';
import type { ModelRun } from './measure-model.ts';

const COVERAGE_MIN = 0.85;
const KEPT_MIN = 0.9;

const LIST_RECALL_MIN = 0.7;
const LIST_PRECISION_MIN = 0.9;

/** Whether a run is what runs with a model are to be. */
export function isAcceptable(run: ModelRun): boolean {
  const isComplete = run.status === 'completed' && run.liesPublished.length === 0 && run.unsupported.length === 0;
  return isComplete && (run.list === null ? isGoodReport(run) : isGoodList(run.list));
}

function isGoodReport(run: ModelRun): boolean {
  const isWhole = (run.coverage ?? 0) >= COVERAGE_MIN && run.published >= run.sent * KEPT_MIN;
  return (run.generated || run.announced) && (run.mode !== 'honest' || isWhole);
}

/** Whatever the model says or does not say, the list has those whom the sources name, and nobody else. */
function isGoodList({ found, gold, wrong }: NonNullable<ModelRun['list']>): boolean {
  return found >= LIST_RECALL_MIN * gold && found >= LIST_PRECISION_MIN * (found + wrong);
}

/** Lists do not say whether a model had a part in them, but what of it they left out. */
function usedOf({ kind, generated, announced }: ModelRun): string {
  if (kind !== 'research') return announced ? 'what was not is said' : 'yes';
  return generated ? 'yes' : announced ? 'no, which is said' : 'no';
}

/** The section of the page. */
export function modelSection(runs: readonly ModelRun[]): string {
  const rows = runs.map((run) => [
    run.mode,
    run.kind,
    run.status,
    usedOf(run),
    run.list === null ? `${run.published} of ${run.sent}` : '-',
    `${run.liesPublished.length} of ${run.lies}`,
    String(run.unsupported.length),
    run.list === null
      ? (run.coverage ?? 0).toFixed(2)
      : `${run.list.found} of ${run.list.gold} rows, ${run.list.wrong} wrong`,
    String(run.calls),
    run.tokens.toLocaleString('en'),
  ]);
  return [
    '## With a scripted model',
    '',
    `${environment()}. Command: \`npm run eval -- --data <folder> --sets research-model\`.`,
    '',
    table(
      [
        'model',
        'run',
        'ended',
        'its text used',
        'its sentences published',
        'lies published',
        'unsupported sentences',
        'coverage or rows',
        'calls',
        'tokens',
      ],
      rows,
    ),
    '',
    'The model is a server of the evaluation that reads the numbered sources of each prompt and answers from them: honestly, or with one defect. It shows what the checks do with known faults, not how well a language model writes. A lie is a sentence that the server made of a source’s and that no source says; published means that it stands in the report, a row or an event. The report is that of the data room above, the list “Australian politicians with their date of birth” over the paragraphs.',
  ].join('\n');
}
