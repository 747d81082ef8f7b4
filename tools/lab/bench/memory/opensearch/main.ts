import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table, writeSection } from '../../../measurement/page.ts';
import { createCorpus } from '../corpus.ts';
import { environmentNow, MEASUREMENTS } from '../report.ts';
import { ms, whole } from '../report-format.ts';
import { type IndexName, NAMES, startBenchSetup } from './bench-setup.ts';
import { measureQuality, type Quality } from './measure-quality.ts';
import { measureSpeed, type SpeedCell } from './measure-speed.ts';

const USAGE = `Usage: npm run test:opensearch -- measure [options]

  --sets a,b           folders of evaluation sets; examples/handbook is one
  --chunks 10000,100000  sizes that a memory grows to, one after the other
  --queries 200        asked at each size
  --no-report          leaves the page as it is
`;

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: '' },
    chunks: { type: 'string', default: '' },
    queries: { type: 'string', default: '200' },
    'class-path': { type: 'string', default: '' },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const SEED = 1;
const PAGE = join(MEASUREMENTS, 'opensearch.md');
const TITLE = 'OpenSearch beside the index in PostgreSQL';
const SHOWN: Record<IndexName, string> = { segments: 'PostgreSQL', openSearch: 'OpenSearch' };
const NDCG_DIFFERENCE_MAX = 0.01;
const say = (line: string) => void process.stdout.write(`${line}\n`);
const listed = (value: string) => value.split(',').filter((one) => one !== '');

if (values.help) say(USAGE);
else await measure();

async function measure(): Promise<void> {
  const world = await startBenchSetup(values['class-path'], say);
  const written = environmentNow(world.server.version);
  // Folders differ from machine to machine.
  const head = (command: string) =>
    `${written}, OpenSearch 2.19 on three nodes with 1 GB of heap each, three shards with a replica, a memory on two of them. Command: \`npm run test:opensearch -- measure ${command}\`. The machine is shared with other work, and everything runs on it: compare the two of one run, not the milliseconds of two.`;
  try {
    const qualities: Quality[] = [];
    for (const folder of listed(values.sets)) {
      qualities.push(await measureQuality(world, folder));
      say(JSON.stringify(qualities.at(-1)));
    }
    if (qualities.some(({ ndcg }) => Math.abs(ndcg.segments - ndcg.openSearch) > NDCG_DIFFERENCE_MAX))
      process.exitCode = 1;
    const report = async (name: string, body: string) => {
      if (!values['no-report']) await writeSection(PAGE, TITLE, name, body);
    };
    if (qualities.length > 0) await report('quality', qualitySection(qualities, head('--sets <folders>')));
    const corpus = createCorpus(SEED);
    const cells: SpeedCell[] = [];
    for (const chunks of listed(values.chunks).map(Number)) {
      const before = cells.at(-1)?.chunks ?? 0;
      cells.push(await measureSpeed(world, corpus, [before, chunks], Number(values.queries)));
      say(JSON.stringify(cells.at(-1)));
      // After each: a larger one may not fit.
      await report('speed', speedSection(cells, head(`--chunks ${values.chunks} --queries ${values.queries}`)));
    }
  } finally {
    await world.close();
  }
}

function qualitySection(qualities: readonly Quality[], head: string): string {
  const rows = qualities.map(({ set, chunks, questions, ndcg, same }) => [
    set,
    `${whole(chunks)} / ${questions}`,
    ...NAMES.map((name) => ndcg[name].toFixed(4)),
    (ndcg.openSearch - ndcg.segments).toFixed(4),
    `${(100 * same).toFixed(1)} %`,
  ]);
  const columns = ['set', 'chunks / questions', ...NAMES.map((name) => `nDCG@10 ${SHOWN[name]}`), 'difference'];
  return [
    '## Quality',
    head,
    'The indexes alone, without the further signals of a search; every document is one chunk, and each scope of a set a memory of its own. Goal: a difference of at most .01. The last column is the share of questions whose ten hits are the same in the same order; scores of OpenSearch are 32-bit numbers, so hits that differ in less change places.',
    table([...columns, 'same ten'], rows),
  ].join('\n\n');
}

function speedSection(cells: readonly SpeedCell[], head: string): string {
  const rows = cells.flatMap(({ chunks, latencies, bytesAChunk }) =>
    NAMES.map((name) => [
      whole(chunks),
      SHOWN[name],
      `${ms(latencies[name].p50)} / ${ms(latencies[name].p95)}`,
      latencies[name].perSecond.toFixed(1),
      whole(bytesAChunk[name]),
    ]),
  );
  const written = cells.map(({ chunks, writtenS, publishedS, shared }) => [
    whole(chunks),
    `${writtenS.toFixed(0)} s`,
    `${publishedS.toFixed(0)} s`,
    `${(100 * shared).toFixed(1)} %`,
  ]);
  return [
    '## Latency and size',
    head,
    'One memory of the corpus that [search](search.md) is measured with, in both indexes; 100 hits each, and for OpenSearch also the check against the rows in PostgreSQL. One caller asks both in turns, after each query was asked once; then eight callers ask one after the other index. Bytes are those of the index without its copies.',
    table(['chunks', 'index', 'p50 / p95 ms', 'searches/s, 8 callers', 'bytes a chunk'], rows),
    'Written to both, from one size to the next, by one process: until the rows and segments are committed, and until OpenSearch has confirmed the last chunk after a refresh. The last column: of the first ten of one index, how many are among the first ten of the other.',
    table(['chunks', 'committed', 'in OpenSearch', 'shared'], written),
  ].join('\n\n');
}
