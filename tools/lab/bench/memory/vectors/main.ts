import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table, writeSection } from '../../../measurement/page.ts';
import { openBenchDeps } from '../bench-memory.ts';
import { startBenchServer } from '../bench-server.ts';
import { createCorpus } from '../corpus.ts';
import { EXACT_SCAN_MAX } from '../../../../../apps/memory/src/vectors/nearest-chunks.ts';
import { environmentNow, MEASUREMENTS } from '../report.ts';
import { ms, whole } from '../report-format.ts';
import { measurePgvector, type PgvectorMeasurement } from './measure-pgvector.ts';
import { measureScan, type ScanCell } from './measure-scan.ts';
import { openLite, openServer } from './vector-store.ts';

const USAGE = `Usage: npm run bench -- vectors [options]

  --chunks 100000      vectors of the large memory; a second one has 1 %, and on a server a third one 25 %
  --server postgres:// URL of a superuser of a PostgreSQL with pgvector, where a database is made and deleted again.
                       Without it: the exact scan without pgvector, and pgvector inside this process, with 20,000
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
const QUESTIONS = { lite: 20, server: 50 };
const EF_SEARCHES = [100, 600, 1_000];
const PAGE = join(MEASUREMENTS, 'search.md');
const COLUMNS = ['asked', 'vectors', 'recall@10', 'p50 / p95 ms', 'exact p50 / p95 ms'];
const SHARED = 'The machine is shared with other work: compare the rows of one run.';
const say = (line: string) => void process.stdout.write(`${line}\n`);

if (values.help) say(USAGE);
else if (values.server === undefined) await withoutServer(Number(values.chunks));
else await onServer(values.server, Number(values.chunks));

async function withoutServer(chunks: number): Promise<void> {
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
  const size = Math.min(chunks, LITE_MAX);
  // Below the number of vectors, so that the index is asked.
  const exactScanMax = Math.min(EXACT_SCAN_MAX, size / 2);
  const store = await openLite();
  const pgvector = await measurePgvector(store, {
    chunks: size,
    middle: 0,
    dimensions: DIMENSIONS,
    exactScanMax,
    questions: QUESTIONS.lite,
    efSearches: [],
  });
  await store.close();
  say(JSON.stringify(pgvector));
  const head = `${environmentNow(server.version)}. Command: \`npm run bench -- vectors --chunks ${chunks}\`. ${SHARED}`;
  const rows = [
    ...scans.map(({ asked, vectors, p50, p95 }) => [asked, whole(vectors), '1', `${ms(p50)} / ${ms(p95)}`, '']),
    ...rowsOf(pgvector),
  ];
  const body = `${whole(chunks)} vectors of ${DIMENSIONS} numbers; a second tenant has 1 % as many in the same table. Without pgvector every vector that the filter lets through is read and compared, so its recall is 1 by construction; it fetches the 50 nearest, as a search does. pgvector ran inside PGlite, PostgreSQL compiled to WebAssembly, whose milliseconds say little of a server’s.`;
  await report('vectors', ['## Vectors', head, body, table(COLUMNS, rows)]);
}

async function onServer(url: string, chunks: number): Promise<void> {
  const store = await openServer(url);
  const middle = Math.round(chunks * MIDDLE_SHARE);
  const exactScanMax = Math.min(EXACT_SCAN_MAX, Math.floor(middle / 2));
  const size = { chunks, middle, dimensions: DIMENSIONS, exactScanMax, questions: QUESTIONS.server };
  let measured: PgvectorMeasurement;
  try {
    measured = await measurePgvector(store, { ...size, efSearches: EF_SEARCHES });
  } finally {
    await store.close();
  }
  say(JSON.stringify(measured));
  const environment = environmentNow('').replace(', PostgreSQL  on', `, PostgreSQL ${measured.version} on`);
  const all = size.chunks + size.middle + Math.round(chunks / 100);
  await report('pgvector', [
    '## Vectors in a PostgreSQL server with pgvector',
    `${environment}. Command: \`npm run bench -- vectors --chunks ${chunks} --server <url>\`. ${SHARED}`,
    `${whole(all)} vectors of ${DIMENSIONS} numbers of three tenants in one table, made of the text by the deterministic provider that the specs use, which spreads them more evenly than a model’s. Recall is that of the ten nearest of an exact scan, over ${size.questions} questions that no chunk equals; goal ≥ .98. The last column is that exact scan. The HNSW index was built in ${(measured.builtMs / 1_000).toFixed(0)} s and takes ${whole(measured.indexBytes / all)} bytes a vector, the table with all its indexes ${whole(measured.totalBytes / all)}.`,
    table(COLUMNS, rowsOf(measured)),
  ]);
}

function rowsOf({ size, byIndex, cells, byEfSearch }: PgvectorMeasurement): string[][] {
  const by = byIndex ? 'HNSW' : 'exact';
  const few = Math.round(size.chunks / 100);
  const all = [
    [`${by}: a large tenant`, size.chunks, cells.large],
    ...byEfSearch.map(
      ({ efSearch, cell }) => [`${by}: the same with \`hnsw.ef_search\` ${efSearch}`, size.chunks, cell] as const,
    ),
    ['its space with 1 % of it, compared one by one', size.chunks, cells.largeFiltered],
    [`${by}: the same space by a filter without an index`, size.chunks, cells.largeFilteredByIndex],
    [`${by}: a tenant with 25 % as many`, size.middle, cells.middle],
    [`${by}: a tenant with 1 %, were it asked by the index`, few, cells.smallByIndex],
    ['a tenant with 1 %, compared one by one', few, cells.small],
    ['the same, filtered to 2 % of it', few, cells.smallFiltered],
  ] as const;
  return all.flatMap(([asked, vectors, cell]) =>
    cell === undefined
      ? []
      : [
          [
            `pgvector, ${asked}`,
            whole(vectors),
            cell.recall.toFixed(3),
            `${ms(cell.p50)} / ${ms(cell.p95)}`,
            `${ms(cell.exactP50)} / ${ms(cell.exactP95)}`,
          ],
        ],
  );
}

async function report(name: string, parts: readonly string[]): Promise<void> {
  if (!values['no-report']) await writeSection(PAGE, 'Search', name, parts.join('\n\n'));
}
