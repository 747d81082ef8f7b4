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
import { openLite, openServer } from './vector-store.ts';

const USAGE = `Usage: npm run bench -- vectors [options]

  --chunks 100000      vectors of the large memory; a second one has 1 %, and on a server a third one 25 %
  --server postgres:// URL of a superuser of a PostgreSQL with pgvector, where a database is made and deleted again;
                       without it pgvector runs inside this process, with 20,000 vectors at most
  --seed 1             of the corpus
  --no-report          leaves the page as it is
`;

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '100000' },
    server: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const DIMENSIONS = 384;
const LITE_MAX = 20_000;
const MIDDLE_SHARE = 0.25;
const QUESTIONS = { lite: 20, server: 100 };
const PAGE = join(MEASUREMENTS, 'search.md');
const say = (line: string) => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else await bench(Number(values.chunks));

async function bench(chunks: number): Promise<void> {
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
  const pgvector = values.server === undefined ? await onLite(chunks) : await onServer(values.server, chunks);
  say(JSON.stringify(pgvector));
  if (values['no-report']) return;
  // The address of a server is nobody's business.
  const given = values.server === undefined ? '' : ' --server <url>';
  const head = `${environmentNow(server.version)}; the index by PostgreSQL ${pgvector.version}. Command: \`npm run bench -- vectors --chunks ${chunks}${given}\`. The machine is shared with other work.`;
  await writeSection(PAGE, 'Search', 'vectors', section(chunks, scans, pgvector, head));
}

async function onLite(chunks: number): Promise<PgvectorMeasured> {
  const store = await openLite();
  const size = Math.min(chunks, LITE_MAX);
  // Below the number of vectors, so that the index is asked.
  const exactScanMax = Math.min(EXACT_SCAN_MAX, size / 2);
  const questions = QUESTIONS.lite;
  const measured = await measurePgvector(store, {
    chunks: size,
    middle: 0,
    dimensions: DIMENSIONS,
    exactScanMax,
    questions,
  });
  await store.close();
  return measured;
}

async function onServer(url: string, chunks: number): Promise<PgvectorMeasured> {
  const store = await openServer(url);
  try {
    const middle = Math.round(chunks * MIDDLE_SHARE);
    const exactScanMax = Math.min(EXACT_SCAN_MAX, middle / 2);
    const questions = QUESTIONS.server;
    return await measurePgvector(store, { chunks, middle, dimensions: DIMENSIONS, exactScanMax, questions });
  } finally {
    await store.close();
  }
}

function section(
  chunks: number,
  scans: readonly ScanCell[],
  { size, byIndex, builtMs, indexBytes, cells }: PgvectorMeasured,
  head: string,
): string {
  const shown = (ms: number) => ms.toFixed(1);
  const whole = (count: number) => count.toLocaleString('en');
  const by = byIndex ? 'HNSW' : 'exact';
  const few = Math.round(size.chunks / 100);
  const all = size.chunks + size.middle + few;
  const pgvector = [
    [`pgvector, ${by}: a large tenant`, size.chunks, cells.large],
    [`pgvector, ${by}: the same, filtered to 1 % of it`, size.chunks, cells.largeFiltered],
    [`pgvector, ${by}: a tenant with 25 % as many`, size.middle, cells.middle],
    [`pgvector, ${by}: a tenant with 1 %, were it asked by the index`, few, cells.smallByIndex],
    ['pgvector, exact: a tenant with 1 %', few, cells.small],
    ['pgvector, exact: the same, filtered to 2 % of it', few, cells.smallFiltered],
  ] as const;
  return [
    '## Vectors',
    '',
    head,
    '',
    `${whole(chunks)} vectors of ${DIMENSIONS} numbers, made of the text by the deterministic provider that the specs use; other tenants have some in the same table. Recall is that of the ten nearest of an exact scan, over ${size.questions} questions that no chunk equals; goal ≥ .98. The last column is that exact scan, in the same PostgreSQL. Without pgvector every vector that the filter lets through is read and compared, so its recall is 1 by construction; it fetches the 50 nearest, as a search does.`,
    '',
    table(
      ['asked', 'vectors', 'recall@10', 'p50 / p95 ms', 'exact p50 / p95 ms'],
      [
        ...scans.map(({ asked, vectors, p50, p95 }) => [
          asked,
          whole(vectors),
          '1',
          `${shown(p50)} / ${shown(p95)}`,
          '',
        ]),
        ...pgvector.flatMap(([asked, vectors, cell]) =>
          cell === undefined
            ? []
            : [
                [
                  asked,
                  whole(vectors),
                  cell.recall.toFixed(3),
                  `${shown(cell.p50)} / ${shown(cell.p95)}`,
                  `${shown(cell.exactP50)} / ${shown(cell.exactP95)}`,
                ],
              ],
        ),
      ],
    ),
    '',
    `The HNSW index over all ${whole(all)} vectors was built in ${(builtMs / 1_000).toFixed(0)} s and takes ${whole(Math.round(indexBytes / all))} bytes a vector.`,
  ].join('\n');
}
