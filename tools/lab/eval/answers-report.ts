import { environment, table } from '../measurement/page.ts';
import type { AnswerFigures } from './answers.ts';

/** The section of the page. */
export function answersReport(answers: readonly AnswerFigures[]): string {
  const share = (of: number, all: number) => (all === 0 ? '—' : (of / all).toFixed(3));
  const rows = answers.map((one) => [
    one.name,
    `${one.questions}`,
    share(one.answered, one.questions),
    `${share(one.supported, one.sentences)} (${one.sentences})`,
    `${share(one.evidence.found, one.evidence.of)} (${one.evidence.of})`,
    one.abstention === null
      ? '—'
      : `${one.abstention.confidence.toFixed(3)} / ${one.abstention.topScore.toFixed(3)} (${one.abstention.answerable} / ${one.abstention.others})`,
  ]);
  return [
    '## Answers, through the API, without a model',
    '',
    `${environment()}. Command: \`npm run eval -- --data <folder>\`.`,
    '',
    table(
      [
        'set',
        'questions',
        'answered',
        'sentences that stand in what they cite',
        'answers with all gold evidence',
        'AUROC of confidence / of the best score (answerable / not)',
      ],
      rows,
    ),
    '',
    'Each sentence of an answer is looked for, word for word, in the text of the passages it cites, by a checker that knows nothing but the body of the answer. Gold evidence: for the handbook every phrase that its manifest asks for, in the answer or a passage it cites; for the sets every judged document among the cited ones. The AUROC says how well a figure tells answerable questions from the others: LoCoMo’s adversarial questions, and those of the handbook that nothing in it answers.',
  ].join('\n');
}
