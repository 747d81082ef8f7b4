import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table, writeSection } from '@cairn/testing';
import { openBenchDeps } from '../bench-memory.ts';
import { startBenchServer } from '../bench-server.ts';
import { createCorpus } from '../corpus.ts';
import { EXACT_SCAN_MAX } from '../../src/vectors/nearest-chunks.ts';
import { environmentNow, MEASUREMENTS } from '../report.ts';
import { measurePgvector, type PgvectorMeasured } from './measure-pgvector.ts';
import { measureScan, type ScanCell } from './measure-scan.ts';

const USAGE = `Usage: npm run bench -- vectors [options]

  --chunks 100000      vectors of the large memory; a second one has 1 %
  --pgvector 20000     the same for pgvector, which runs inside this process
  --seed 1             of the corpus
  --no-report          leaves the page as it is
`;

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '100000' },
    pgvector: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const DIMENSIONS = 384;
const say = (line: string) => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else await bench(Number(values.chunks), Number(values.pgvector));

async function bench(chunks: number, pgvectorChunks: number): Promise<void> {
  const server = await startBenchServer();
  let scans: ScanCell[];
  try {
    const parts = await openBenchDeps(server.urls);
    scans = await measureScan(parts, createCorpus(Number(values.seed)), chunks);
    await parts.close();
  } finally {
    await server.remove();
  }
  for (const scan of scans) say(JSON.stringify(scan));
  // Below the number of vectors, so that the index is asked.
  const exactScanMax = Math.min(EXACT_SCAN_MAX, pgvectorChunks / 2);
  const size = { chunks: pgvectorChunks, dimensions: DIMENSIONS, exactScanMax };
  const pgvector = await measurePgvector(size);
  say(JSON.stringify(pgvector));
  if (values['no-report']) return;
  const head = `${environmentNow(server.version)}. Command: \`${['npm run bench -- vectors', ...process.argv.slice(2)].join(' ')}\`. The machine is shared with other work.`;
  await writeSection(join(MEASUREMENTS, 'search.md'), 'Search', 'vectors', section(chunks, scans, pgvector, head));
}

function section(
  chunks: number,
  scans: readonly ScanCell[],
  { size, byIndex, cells }: PgvectorMeasured,
  head: string,
): string {
  const shown = (ms: number) => ms.toFixed(1);
  const by = byIndex ? 'HNSW' : 'exact';
  const few = Math.round(size.chunks / 100);
  const pgvector = [
    [`pgvector, ${by}: a large tenant`, size.chunks, cells.large],
    [`pgvector, ${by}: the same, filtered to 1 % of it`, size.chunks, cells.largeFiltered],
    ['pgvector, exact: a tenant with 1 %', few, cells.small],
    ['pgvector, exact: the same, filtered to 2 % of it', few, cells.smallFiltered],
  ] as const;
  return [
    '## Vectors',
    '',
    head,
    '',
    `${chunks.toLocaleString('en')} vectors of ${DIMENSIONS} numbers, made of the text by the deterministic provider that the specs use; a second tenant has 1 % as many in the same table. Recall is that of the ten nearest of an exact scan, over questions that no chunk equals; goal ≥ .98. The exact scan compares every vector that the filter lets through, so its recall is 1 by construction; it fetches the 50 nearest, as a search does. pgvector ran inside PGlite, PostgreSQL compiled to WebAssembly, whose milliseconds say little of a server’s.`,
    '',
    table(
      ['asked', 'vectors', 'recall@10', 'p50 ms', 'p95 ms'],
      [
        ...scans.map(({ asked, vectors, p50, p95 }) => [
          asked,
          vectors.toLocaleString('en'),
          '1',
          shown(p50),
          shown(p95),
        ]),
        ...pgvector.map(([asked, vectors, cell]) => [
          asked,
          vectors.toLocaleString('en'),
          cell.recall.toFixed(3),
          shown(cell.p50),
          shown(cell.p95),
        ]),
      ],
    ),
  ].join('\n');
}
