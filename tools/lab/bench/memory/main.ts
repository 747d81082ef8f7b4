import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { measureGrowth } from './growth.ts';
import { measureMergeDebt } from './merge-debt.ts';
import { PEER_NAMES } from './peers.ts';
import type { RareWords } from './corpus.ts';
import { measurePipeline } from './pipeline.ts';
import { type BenchResults, environmentNow, writeReports } from './report.ts';
import { measureSessions } from './sessions.ts';
import { measureSingleIngests } from './single-ingests.ts';

const USAGE = `Usage: npm run bench -- search [options]

  --parts growth,pipeline,debt,singles    what to measure; also sessions
  --data <folder>                long documents and questions about them, corpus.jsonl and queries.jsonl (sessions)
  --sizes 10000,100000,1000000   chunks in the memory, ascending (growth)
  --rare-words natural           how frequent they are, natural and long (pipeline)
  --documents 1913               the first so many (sessions)
  --seconds 30                   longest that one warm cell is measured (growth), length of the run (debt)
  --queries 1000                 most queries of a warm cell (growth)
  --singles 100000               documents, one transaction each (singles)
  --base 100000                  chunks there before (debt, pipeline)
  --rate 100                     documents a second (debt)
  --seed 1                       of the corpus
  --folder <folder>              keeps the memory there, and goes on with what an earlier run left (pipeline)
  --note <text>                  what a reader must know of this run
  --save <file>                  keeps what was measured as JSON
  --from <file>                  writes the pages from such a file and measures nothing
  --no-report                    leaves the pages as they are
`;

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'growth,pipeline,debt,singles' },
    data: { type: 'string' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    seconds: { type: 'string' },
    queries: { type: 'string', default: '1000' },
    singles: { type: 'string', default: '100000' },
    'rare-words': { type: 'string', default: 'natural' },
    documents: { type: 'string', default: 'Infinity' },
    base: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
    note: { type: 'string' },
    save: { type: 'string' },
    from: { type: 'string' },
    'no-report': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const GROWTH_SECONDS = 30;
const DEBT_SECONDS = 60;

if (values.help) say(USAGE);
else await bench();

async function bench(): Promise<void> {
  const results =
    values.from === undefined ? await measure() : (JSON.parse(await readFile(values.from, 'utf8')) as BenchResults);
  if (values.note !== undefined) results.note = values.note;
  if (values.save !== undefined) await writeFile(values.save, JSON.stringify(results));
  if (!values['no-report']) await writeReports(results);
}

/** Each part on a server of its own, so that none inherits the other's tables. */
async function measure(): Promise<BenchResults> {
  const parts = new Set(values.parts.split(','));
  const seed = Number(values.seed);
  const results: BenchResults = { environment: '', command: commandOf(process.argv.slice(2)) };
  const onServer = async <T>(work: (server: BenchServer) => Promise<T>, kept?: string) => {
    const server = await startBenchServer(undefined, kept);
    results.environment = environmentNow(server.version);
    try {
      return await work(server);
    } finally {
      await server.remove();
    }
  };
  if (parts.has('growth')) {
    results.growth = await onServer((server) =>
      measureGrowth(server, {
        peers: PEER_NAMES,
        concurrencies: [1, 8, 32],
        seed,
        say,
        sizes: values.sizes.split(',').map(Number),
        secondsMax: Number(values.seconds ?? GROWTH_SECONDS),
        queriesMax: Number(values.queries),
      }),
    );
  }
  if (parts.has('pipeline')) {
    const [chunks, queries] = [Number(values.base), Number(values.queries)];
    results.pipeline = {};
    for (const rareWords of values['rare-words'].split(',') as RareWords[])
      results.pipeline[rareWords] = await onServer(
        (server) => measurePipeline(server, { seed, say, chunks, queries, rareWords }),
        values.folder && join(values.folder, rareWords),
      );
  }
  if (parts.has('sessions')) {
    const folder = values.data;
    if (folder === undefined) throw new Error('The part sessions wants --data <folder>.');
    results.sessions = await onServer((server) =>
      measureSessions(server, { folder, say, documentsMax: Number(values.documents) }),
    );
  }
  if (parts.has('debt')) {
    results.debt = await onServer((server) =>
      measureMergeDebt(server, {
        seed,
        say,
        baseChunks: Number(values.base),
        seconds: Number(values.seconds ?? DEBT_SECONDS),
        ratePerSecond: Number(values.rate),
      }),
    );
  }
  if (parts.has('singles')) {
    results.singles = await onServer((server) =>
      measureSingleIngests(server, { seed, say, documents: Number(values.singles) }),
    );
  }
  return results;
}

/** The command without what only says where results are kept. */
function commandOf(args: readonly string[]): string {
  const aside = ['--save', '--note', '--no-report'];
  const kept = args.filter((arg, i) => !aside.includes(arg) && !['--save', '--note'].includes(args[i - 1] ?? ''));
  // A folder's place on this machine is nobody's business.
  const named = kept.map((arg, i) => (['--data', '--folder'].includes(kept[i - 1] ?? '') ? '<folder>' : arg));
  return ['npm run bench -- search', ...named].join(' ');
}
