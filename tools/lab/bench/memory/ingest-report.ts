import { lineChart } from '../../measurement/line-chart.ts';
import { table } from '../../measurement/page.ts';
import type { MergeDebtResult } from './merge-debt.ts';
import { megabytes, ms, seconds, whole } from './report-format.ts';
import type { IngestWindow, SingleIngestResult } from './single-ingests.ts';
import type { TableSize } from './table-sizes.ts';

/** Most that the worst p95 may be of the best. */
const RATIO_GOAL = 3;
/** Share of the cores that other work may use in a window that counts as quiet. */
const QUIET_OTHERS_MAX = 0.05;

export function singlesSection(result: SingleIngestResult, head: string, plot: string): string {
  const quiet = result.windows.filter((window) => window.others < QUIET_OTHERS_MAX);
  const { best, worst, ratio } = extremes(result.windows);
  return [
    '## Single ingests, one after the other',
    '',
    head,
    '',
    `${whole(result.documents)} documents of one chunk into an empty memory, each indexed in a transaction of its own by the function that the ingest worker calls; merger, events and one searcher (a query every 20 ms after the last) in the same process, as in the service. ${whole(result.documents / (result.elapsedMs / 1_000))} documents/s with commits that survive a crash, ${result.merges} merges.`,
    '',
    `Windows of ${whole(result.documents / result.windows.length)} documents: best p95 ${ms(best.p95Ms)} ms (at ${whole(best.documents)} documents), worst ${ms(worst.p95Ms)} ms (at ${whole(worst.documents)}); ratio ${ratio.toFixed(2)}, goal ≤ ${RATIO_GOAL}: **${ratio <= RATIO_GOAL ? 'met' : 'missed'}**. Never more than ${Math.max(...result.windows.map((window) => window.segments))} segments at a window’s end; ${result.segmentsAfterMerging} when all merges were done. ${quietText(quiet)}`,
    '',
    `![p95 and segments during the ingests](${plot})`,
    '',
    '### Bloat',
    '',
    table(
      ['table', 'right after the last ingest', 'all merged, replaced pages deleted', 'after VACUUM'],
      bloatRows(result),
    ),
    '',
    'Each cell: bytes on disk with indexes and large values (dead rows / free space inside). Autovacuum ran as it is configured. Replaced pages stay a minute for late readers; the middle column deletes them at once.',
  ].join('\n');
}

export function singlesPlot(result: SingleIngestResult): string {
  return lineChart({
    title: 'Search during single ingests into one memory',
    x: { label: 'documents ingested' },
    y: { label: 'milliseconds; segments; % of cores' },
    series: [
      { name: 'p95, ms', points: result.windows.map((window) => [window.documents, window.p95Ms]) },
      {
        name: 'p50, ms',
        color: 0,
        dashed: true,
        points: result.windows.map((window) => [window.documents, window.p50Ms]),
      },
      { name: 'segments', points: result.windows.map((window) => [window.documents, window.segments]) },
      {
        name: 'other work, % of cores',
        dashed: true,
        color: 4,
        points: result.windows.map((window) => [window.documents, window.others * 100]),
      },
    ],
  });
}

function extremes(windows: readonly IngestWindow[]) {
  const byP95 = windows.filter((window) => window.searches > 0).sort((a, b) => a.p95Ms - b.p95Ms);
  const [best, worst] = [byP95[0]!, byP95.at(-1)!];
  return { best, worst, ratio: worst.p95Ms / best.p95Ms };
}

function quietText(quiet: readonly IngestWindow[]): string {
  const share = `other work used less than ${QUIET_OTHERS_MAX * 100} % of the processors`;
  if (quiet.length === 0) return `In no window ${share}.`;
  const { best, worst, ratio } = extremes(quiet);
  return `In ${quiet.length} windows ${share}: among those best ${ms(best.p95Ms)} ms, worst ${ms(worst.p95Ms)} ms, ratio ${ratio.toFixed(2)}.`;
}

function bloatRows({ tables }: SingleIngestResult): string[][] {
  const cell = (size: TableSize | undefined) =>
    size === undefined
      ? '—'
      : `${megabytes(size.totalBytes)} (${megabytes(size.deadBytes)} / ${megabytes(size.freeBytes)})`;
  const rows = tables.before.map(({ table: name }) => [
    `\`${name}\``,
    ...[tables.before, tables.merged, tables.vacuumed].map((sizes) => cell(sizes.find((size) => size.table === name))),
  ]);
  const total = (sizes: readonly TableSize[]) => megabytes(sizes.reduce((sum, size) => sum + size.totalBytes, 0));
  return [...rows, ['all', total(tables.before), total(tables.merged), total(tables.vacuumed)]];
}

export function debtSection(result: MergeDebtResult, head: string, plot: string): string {
  const most = (pick: (sample: MergeDebtResult['samples'][number]) => number) => Math.max(...result.samples.map(pick));
  const last = result.samples.at(-1);
  return [
    '## Merge debt under continuous ingest',
    '',
    head,
    '',
    `${whole(result.baseChunks)} chunks are there; then ${result.ratePerSecond} documents a second are offered for ${seconds((last?.second ?? 0) * 1_000)}, each of one chunk and in a transaction of its own, while 4 callers search with pauses of 50 ms. Written in that time: ${whole(last?.documents ?? 0)} documents, ${result.merges} merges.`,
    '',
    table(
      ['segments, most', 'chunks not merged yet, most', 'search p50 / p95 / p99 ms', 'searches', 'debt gone after'],
      [
        [
          String(most((sample) => sample.segments)),
          String(most((sample) => sample.unmergedChunks)),
          `${ms(result.p50Ms)} / ${ms(result.p95Ms)} / ${ms(result.p99Ms)}`,
          whole(result.searches),
          `${seconds(result.settledMs)}, ${result.segmentsSettled} segments left`,
        ],
      ],
    ),
    '',
    `![Segments over time](${plot})`,
  ].join('\n');
}

export function debtPlot(result: MergeDebtResult): string {
  return lineChart({
    title: `Segments while ${result.ratePerSecond} documents a second are written`,
    x: { label: 'seconds' },
    y: { label: 'number' },
    series: [
      { name: 'segments', points: result.samples.map((sample) => [sample.second, sample.segments]) },
      {
        name: 'chunks not merged yet',
        dashed: true,
        points: result.samples.map((sample) => [sample.second, sample.unmergedChunks]),
      },
    ],
  });
}
