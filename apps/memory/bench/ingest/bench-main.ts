import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { environment, type RunningCairn, startCairn, table, writeSection } from '@cairn/testing';
import pg from 'pg';
import { createCorpus } from '../corpus.ts';
import { MEASUREMENTS } from '../report.ts';
import { call, DOCUMENTS, type Target } from './client.ts';
import { memoryProcess, residentMb, variableOf } from './memory-process.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,50000,200000' },
    large: { type: 'string', default: '1000' },
    'no-report': { type: 'boolean', default: false },
  },
});
const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const BATCH = 100;
const SEED = 7;
const POLL_MS = 100;
/** Words of the corpus's chunks: about 1 KB and 20 KB of text. */
const CHUNKS_OF = { small: 1, large: 27 } as const;
const say = (line: string) => process.stdout.write(`${line}\n`);

interface Step {
  documents: number;
  kilobytes: number;
  perSecond: number;
  chunksPerSecond: number;
  residentMb: number;
  peerPerSecond: number;
}

const cairn = await startCairn();
try {
  const target = await largestPlan(cairn);
  const sizes = values.sizes.split(',').map(Number);
  const steps: Step[] = [];
  let from = 0;
  for (const size of sizes) {
    steps.push(await measure(cairn, target, 'small', from, size));
    from = size;
    say(JSON.stringify(steps.at(-1)));
  }
  const large = await measure(cairn, target, 'large', 0, Number(values.large));
  say(JSON.stringify(large));
  if (!values['no-report'])
    await writeSection(join(MEASUREMENTS, 'ingestion.md'), 'Ingestion', 'throughput', section(steps, large));
} finally {
  await cairn.remove();
}

/** Measuring is not a customer: it gets the largest plan, and a tenant of its own. */
async function largestPlan(installation: RunningCairn): Promise<Target> {
  const command = join(ROOT, 'apps', 'cairn', 'src', 'main.ts');
  const args = [command, 'tenant', 'create', '--name', 'Bench', '--plan', 'enterprise', '--json'];
  const env = { CAIRN_DATA_DIR: installation.dataDir };
  const { stdout } = await run(process.execPath, args, { env });
  return { baseUrl: installation.baseUrl, apiKey: (JSON.parse(stdout) as { api_key: string }).api_key };
}

/** Documents from the first call to the moment when all of them are completed, and a peer with as many. */
async function measure(
  installation: RunningCairn,
  target: Target,
  kind: keyof typeof CHUNKS_OF,
  from: number,
  to: number,
): Promise<Step> {
  const corpus = createCorpus(SEED);
  const textOf = (number: number) => {
    const parts = Array.from(
      { length: CHUNKS_OF[kind] },
      (_, part) => corpus.chunk(number * CHUNKS_OF[kind] + part).body,
    );
    return `Document ${kind} ${number}. ${parts.join('\n\n')}`;
  };
  const before = await chunksOf(installation);
  let bytes = 0;
  const startedMs = performance.now();
  for (let start = from; start < to; start += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, to - start) }, (_, offset) => textOf(start + offset));
    bytes += documents.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    await call(target, 'POST', DOCUMENTS, { documents: documents.map((content) => ({ content })) });
  }
  await untilIdle(installation);
  const seconds = (performance.now() - startedMs) / 1_000;
  const chunks = (await chunksOf(installation)) - before;
  const pid = await memoryProcess(installation);
  return {
    documents: to,
    kilobytes: bytes / (to - from) / 1_024,
    perSecond: (to - from) / seconds,
    chunksPerSecond: chunks / seconds,
    residentMb: pid === null ? 0 : (await residentMb(pid)).now,
    peerPerSecond: await measurePeer(installation, Math.min(to - from, 2_000), textOf),
  };
}

/** The same texts into a table with a GIN index of `to_tsvector`, a transaction for each batch: what one might do instead. */
async function measurePeer(
  installation: RunningCairn,
  documents: number,
  textOf: (number: number) => string,
): Promise<number> {
  return withOwner(installation, async (client) => {
    await client.query('CREATE TABLE bench_peer (id text PRIMARY KEY, body text NOT NULL)');
    await client.query("CREATE INDEX ON bench_peer USING gin (to_tsvector('english', body))");
    const startedMs = performance.now();
    for (let start = 0; start < documents; start += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, documents - start) }, (_, offset) => start + offset);
      await client.query('INSERT INTO bench_peer SELECT * FROM unnest($1::text[], $2::text[])', [
        numbers.map(String),
        numbers.map(textOf),
      ]);
    }
    const perSecond = (1_000 * documents) / (performance.now() - startedMs);
    await client.query('DROP TABLE bench_peer');
    return perSecond;
  });
}

async function withOwner<T>(installation: RunningCairn, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const pid = await memoryProcess(installation);
  if (pid === null) throw new Error('the memory service does not run');
  const client = new pg.Client({ connectionString: await variableOf(pid, 'DATABASE_OWNER_URL') });
  await client.connect();
  try {
    await client.query('SET search_path TO memory');
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Chunks that were stored, of all tenants, as PostgreSQL's statistics count them. */
async function chunksOf(installation: RunningCairn): Promise<number> {
  return withOwner(installation, async (client) => {
    await client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await client.query<{ n: string }>(
      "SELECT n_tup_ins AS n FROM pg_stat_user_tables WHERE schemaname = 'memory' AND relname = 'chunks'",
    );
    return Number(rows[0]?.n ?? 0);
  });
}

async function untilIdle(installation: RunningCairn): Promise<void> {
  const pid = await memoryProcess(installation);
  const worker = new pg.Client({ connectionString: await variableOf(pid!, 'DATABASE_WORKER_URL') });
  await worker.connect();
  try {
    for (;;) {
      const { rows } = await worker.query<{ left: boolean }>('SELECT EXISTS (SELECT 1 FROM ingest_queue) AS left');
      if (rows[0]?.left !== true) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    await worker.end();
  }
}

function section(steps: readonly Step[], large: Step): string {
  const row = (step: Step) => [
    step.documents.toLocaleString('en'),
    step.kilobytes.toFixed(1),
    step.perSecond.toFixed(0),
    step.chunksPerSecond.toFixed(0),
    step.peerPerSecond.toFixed(0),
    (step.perSecond / step.peerPerSecond).toFixed(2),
    String(step.residentMb),
  ];
  return [
    '## Throughput',
    '',
    `${environment()}. Command: \`npm run bench -- ingest --sizes ${values.sizes} --large ${values.large}\`.`,
    '',
    'One memory of a whole installation; one client sends batches of 100 through the gateway, screening on (`secrets`). From the first call to the moment when the last document is completed. The peer gets the first 2,000 of the same texts in one transaction for each batch into a table with a GIN index of `to_tsvector`, on the same server, right after: no HTTP, no screening, no cutting, no queue.',
    '',
    table(
      ['documents then', 'KB each', 'documents/s', 'chunks/s', 'peer, documents/s', 'ratio', 'memory service, MiB'],
      [...steps, large].map(row),
    ),
    '',
    'Linking does nothing in this run.',
  ].join('\n');
}
