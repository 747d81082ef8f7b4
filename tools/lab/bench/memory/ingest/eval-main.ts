import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCairn } from '@cairn/testing';
import { environment, table, writeSection } from '../../../measurement/page.ts';
import { MEASUREMENTS } from '../report.ts';
import { type ArticleScores, evaluateArticles } from './eval-articles.ts';
import { evaluateFiles, type FileResult } from './eval-files.ts';
import { evaluateRouting, type RoutingResult, type RoutingScores } from './eval-routing.ts';
import { evaluateScreening, type ScreeningScores } from './eval-screening.ts';

const { values } = parseArgs({
  options: { data: { type: 'string' }, parts: { type: 'string' }, 'no-report': { type: 'boolean', default: false } },
});
if (values.data === undefined) throw new Error('--data names the folder of measuring data');
const folder = values.data;
const PAGE = join(MEASUREMENTS, 'ingestion.md');
const COMMAND = '`npm run eval -- --data <folder> --sets ingestion`';
const say = (line: string) => process.stdout.write(`${line}\n`);
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const parts = values.parts?.split(',') ?? ['routing', 'screening', 'articles', 'files'];
if (parts.includes('routing')) await report('routing', routingSection(await evaluateRouting()));
if (parts.includes('screening'))
  await report('screening', screeningSection(await evaluateScreening(join(folder, 'pii_synth'))));
if (parts.includes('articles'))
  await report('articles', articlesSection(await evaluateArticles(join(folder, 'article_extraction'))));
if (parts.includes('files')) await evaluateAllFiles();

async function evaluateAllFiles(): Promise<void> {
  const cairn = await startCairn();
  try {
    const { results, peakMb } = await evaluateFiles(join(folder, 'file_fixtures'), cairn);
    await report('files', filesSection(results, peakMb));
  } finally {
    await cairn.remove();
  }
}

async function report(name: string, text: string): Promise<void> {
  say(text);
  if (!values['no-report']) await writeSection(PAGE, 'Ingestion', name, text);
}

function head(title: string): string[] {
  return [`## ${title}`, '', `${environment()}. Command: ${COMMAND}.`, ''];
}

function routingSection(result: RoutingResult): string {
  const row = (name: string, scores: RoutingScores) => [
    name,
    String(scores.documents),
    percent(scores.accuracy),
    percent(scores.review),
    percent(scores.accuracyWithout),
  ];
  return [
    ...head('Routing'),
    `${result.documents} short documents (one or two sentences) written for this, of ${result.spaces} spaces that are known by name and description only. The largest class alone would give ${percent(result.majority)}.`,
    '',
    table(
      ['', 'documents', 'accuracy', 'left to a review', 'accuracy of the others'],
      [
        row('all, nothing learned', result.all),
        row('a third that was not looked at while constants were chosen', result.heldOut),
        ...result.learning.map((scores) =>
          row(`the other two thirds, ${scores.learned} documents of each space learned`, scores),
        ),
      ],
    ),
    '',
    'The set is by the hand that wrote the classifier, so these figures say how its parts compare more than what a stranger will see. The documents were written to be unlike each other; where documents repeat themselves, learning gives more than here.',
  ].join('\n');
}

function screeningSection(scores: ScreeningScores): string {
  return [
    ...head('Screening'),
    `${scores.texts} synthetic texts with labelled spans, policy \`pii\`; a finding of the right kind that overlaps a span counts. F1 **${scores.f1.toFixed(3)}** (goal ≥ .96), precision ${scores.precision.toFixed(3)}, recall ${scores.recall.toFixed(3)}; ${Math.round(scores.microsecondsPerText)} µs of processor time a text. Names of persons and IP addresses are labelled in the set and are not what a policy masks.`,
    '',
    table(
      ['type', 'spans', 'recall'],
      scores.byType.map(({ type, spans, recall }) => [type, String(spans), recall.toFixed(3)]),
    ),
    '',
    'This is the development part of the set, which was looked at while detectors were written.',
  ].join('\n');
}

function articlesSection(scores: ArticleScores): string {
  return [
    ...head('Main content of pages'),
    `${scores.pages} pages: F1 **${scores.f1.toFixed(3)}** (goal ≥ .953, what Readability alone reaches), precision ${scores.precision.toFixed(3)}, recall ${scores.recall.toFixed(3)}; ${scores.msPerPage.toFixed(0)} ms a page in a worker thread. Shingles of four tokens as multisets, averaged over pages. Rows of tables, which the service tells with the names of their columns, are compared as they stand in the page.`,
  ].join('\n');
}

function filesSection(results: readonly FileResult[], peakMb: number): string {
  const withReference = results.filter((result) => result.recall !== null);
  const mean = (pick: (result: FileResult) => number) =>
    withReference.reduce((sum, result) => sum + pick(result), 0) / withReference.length;
  const slowest = [...results].sort((a, b) => b.ms - a.ms)[0]!;
  return [
    ...head('Files'),
    `${results.length} files uploaded one after the other: ${results.filter(({ isAsExpected }) => isAsExpected).length} ended as the manifest expects. Token recall over the ${withReference.length} with a reference text: **${mean((result) => result.recall!).toFixed(3)}**, each token as often as the reference has it; ${mean((result) => result.distinctRecall!).toFixed(3)} over distinct tokens (goal ≥ .95). A search right after found ${results.filter(({ isFound }) => isFound === true).length} of ${results.filter(({ isFound }) => isFound !== null).length} that were completed. The slowest took ${slowest.ms.toFixed(0)} ms (${slowest.file}); the memory service's highest resident memory over the whole run was ${peakMb} MiB.`,
    '',
    table(
      ['file', 'expected', 'ended', 'recall', 'distinct', 'not contained', 'ms'],
      results.map((result) => [
        `\`${result.file.replaceAll(/[^\x20-\x7e]/g, '?')}\``,
        result.expect,
        result.outcome,
        result.recall?.toFixed(3) ?? '—',
        result.distinctRecall?.toFixed(3) ?? '—',
        result.missing.length === 0 ? '' : String(result.missing.length),
        result.ms.toFixed(0),
      ]),
    ),
    '',
    'Two recalls differ: the workbook’s dates are numbers of days in the reference and dates here; a drawing in a Word document stands in its file twice, for newer and older programs, so that the reference counts its words twice.',
  ].join('\n');
}
