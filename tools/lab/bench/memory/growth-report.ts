import { type ChartSeries, lineChart } from '../../measurement/line-chart.ts';
import { table } from '../../measurement/page.ts';
import { quantile } from '../../measurement/quantile.ts';
import type { MeasuredCell, SizeResult } from './growth.ts';
import { PEER_NAMES, SEARCH_LIMIT } from './peers.ts';
import { megabytes, ms, seconds, whole } from './report-format.ts';

/** Goals at a size, warm, one caller: p95 in milliseconds. */
const P95_GOALS_MS = new Map([
  [100_000, 20],
  [1_000_000, 60],
]);
const INDEX_BYTES_GOAL = 1_200;

/** Growth as the page tells it; `plot` is the picture's file name. */
export function growthSection(sizes: readonly SizeResult[], head: string, plot: string): string {
  return [
    '## Growth: one memory, beside GIN and `ts_rank`',
    '',
    head,
    '',
    `Chunks of 100 words with title path and context, of three languages (70 % English, 20 % German, 10 % Spanish): 42 % real stop words, the rest invented words by Zipf and Mandelbrot's law over 400,000 words a language. Queries have 3 to 12 words joined by OR: a quarter stop words, one rare word of a random chunk, the others drawn as the text is. Both peers answer the same queries in the same order, with ${SEARCH_LIMIT} hits, in one snapshot under the tenant, read the hits' chunks, and share pool size (10), server and settings (\`shared_buffers\` 2 GB, durable commits). \`ts_rank\` has a \`tsvector\` column, each row and each query under the configuration of its own language, and a GIN index built after the rows; its table has no row-level security, which would keep PostgreSQL from using GIN.`,
    '',
    ...conclusions(sizes),
    '',
    `![p50 and p95 by size](${plot})`,
    '',
    table(
      [
        'chunks',
        'callers',
        'peer',
        'warm p50 / p95 / p99 ms',
        'of',
        'cold p50 / p95 / p99 ms',
        'of',
        'searches/s warm',
      ],
      sizes.flatMap(cellRows),
    ),
    '',
    'Warm: a process of its own, 300 other queries first (for `ts_rank` as many as the time allows). Cold: PostgreSQL restarted with empty buffers and a new process, up to 100 queries, the first included; the file cache of the operating system is not emptied. With 8 and 32 callers the first round, which waits for connections, statements to be planned and code that was never run, is 8 and 32 of those 100 queries, so the p95 is the first round’s. A cell ends with its number of queries or its time, so slow cells rest on few queries; with less than 100 the p99 is the slowest. One process scores on one thread: more callers than one wait for each other, and searches/s say what a process can do.',
    '',
    '### Size, memory and freshness',
    '',
    table(
      [
        'chunks',
        'segments',
        'index bytes a chunk',
        'tables on disk a chunk',
        '`ts_rank` table and GIN a chunk',
        'process / page cache, 1 caller',
        'commit to visible p50 / p95 ms',
        'written, chunks/s',
        'merges',
        '`ts_rank` built in',
      ],
      sizes.map(sizeRow),
    ),
    '',
    'Index bytes are those of all live segments, positions included; tables on disk are the index tables with their own indexes after merging, sweep and VACUUM, free space included. Commit to visible is the time from the commit’s answer to the end of the first search by another replica that finds the chunk. Written: transactions of 512 chunks, one after the other, with documents, chunks and index, the merger running in the same process.',
  ].join('\n');
}

/** The line chart of p50 and p95 by size, one caller, warm. */
export function growthPlot(sizes: readonly SizeResult[]): string {
  const series: ChartSeries[] = PEER_NAMES.flatMap((peer, color) =>
    [0.95, 0.5].map((q) => ({
      name: `${peer}, p${q * 100}`,
      color,
      dashed: q === 0.5,
      points: sizes.map((size) => [size.chunks, quantileOf(cellOf(size, peer, 'warm', 1), q)] as const),
    })),
  );
  return lineChart({
    title: 'Search, warm, one caller: 3 to 12 words by OR, 10 hits',
    x: { label: 'chunks in the memory', log: true },
    y: { label: 'milliseconds', log: true },
    series,
  });
}

function conclusions(sizes: readonly SizeResult[]): string[] {
  return sizes.flatMap((size) => {
    const own = quantileOf(cellOf(size, 'cairn', 'warm', 1), 0.95);
    const other = quantileOf(cellOf(size, 'ts_rank', 'warm', 1), 0.95);
    const goal = P95_GOALS_MS.get(size.chunks);
    const goalText = goal === undefined ? '' : `, goal < ${goal} ms: **${own < goal ? 'met' : 'missed'}**`;
    const ratio = Number.isFinite(other) ? `; \`ts_rank\` ${ms(other)} ms, ${(other / own).toFixed(1)} times that` : '';
    return [
      `- ${whole(size.chunks)} chunks, one caller, warm: p95 ${ms(own)} ms${goalText}${ratio}.`,
      `- ${whole(size.chunks)} chunks: the index takes ${bytesConclusion(size.index.payloadBytes / size.index.chunks)} bytes a chunk, positions included; its tables as merging and VACUUM left them, free space included, ${bytesConclusion(size.index.tableBytes / size.index.chunks)}.`,
    ];
  });
}

function bytesConclusion(bytes: number): string {
  return `${whole(bytes)} (goal ≤ ${whole(INDEX_BYTES_GOAL)}: **${bytes <= INDEX_BYTES_GOAL ? 'met' : 'missed'}**)`;
}

function cellRows(size: SizeResult): string[][] {
  const concurrencies = [...new Set(size.cells.map((cell) => cell.concurrency))];
  return concurrencies.flatMap((concurrency) =>
    PEER_NAMES.flatMap((peer) => {
      const warm = cellOf(size, peer, 'warm', concurrency);
      const cold = cellOf(size, peer, 'cold', concurrency);
      if (warm === undefined && cold === undefined) return [];
      const rate =
        warm === undefined ? '—' : ((warm.measured.latenciesMs.length / warm.measured.elapsedMs) * 1_000).toFixed(1);
      return [
        [
          whole(size.chunks),
          String(concurrency),
          peer === 'ts_rank' ? '`ts_rank`' : peer,
          ...quantilesOf(warm),
          ...quantilesOf(cold),
          rate,
        ],
      ];
    }),
  );
}

function quantilesOf(cell: MeasuredCell | undefined): [string, string] {
  if (cell === undefined) return ['—', '—'];
  const { timedOut, latenciesMs } = cell.measured;
  const shown = [0.5, 0.95, 0.99].map((q) => ms(quantileOf(cell, q))).join(' / ');
  return [shown, `${latenciesMs.length}${timedOut > 0 ? `, ${timedOut} over 60 s` : ''}`];
}

function sizeRow(size: SizeResult): string[] {
  const own = cellOf(size, 'cairn', 'warm', 1);
  return [
    whole(size.chunks),
    String(size.index.segments),
    whole(size.index.payloadBytes / size.index.chunks),
    whole(size.index.tableBytes / size.index.chunks),
    size.vectors === null ? '—' : whole(size.vectors.bytes / size.vectors.chunks),
    own === undefined ? '—' : `${megabytes(own.measured.residentBytes)} / ${megabytes(own.measured.cachedBytes)}`,
    `${ms(quantile(size.visibleMs, 0.5))} / ${ms(quantile(size.visibleMs, 0.95))}`,
    whole((size.added / size.writingMs) * 1_000),
    String(size.merges),
    size.vectors === null ? '—' : seconds(size.vectors.buildMs),
  ];
}

function cellOf(size: SizeResult, peer: string, temperature: string, concurrency: number): MeasuredCell | undefined {
  return size.cells.find(
    (cell) => cell.peer === peer && cell.temperature === temperature && cell.concurrency === concurrency,
  );
}

function quantileOf(cell: MeasuredCell | undefined, q: number): number {
  return cell === undefined ? NaN : quantile(cell.measured.latenciesMs, q);
}
