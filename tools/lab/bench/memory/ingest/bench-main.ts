import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@cairn/embedded';
import { operatorCommand, type RunningCairn, startCairn } from '@cairn/testing';
import { environment, table, writeSection } from '../../../measurement/page.ts';
import { processMemory } from '../../../measurement/process-memory.ts';
import pg from 'pg';
import { createCorpus } from '../corpus.ts';
import { nameDocument } from '../named-text.ts';
import { MEASUREMENTS } from '../report.ts';
import { call, DOCUMENTS, type Target } from './client.ts';
import { measureFairness, type Fairness } from './measure-fairness.ts';
import { memoryProcess } from './memory-process.ts';
import { allOf, processorTimes, takenEach } from './processor-times.ts';
import { waitingDocuments } from './waiting-documents.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000' },
    large: { type: 'string', default: '1000' },
    nameless: { type: 'string', default: '1000,10000,50000,200000' },
    waiting: { type: 'string', default: '20000' },
    clients: { type: 'string', default: '8,32' },
    minutes: { type: 'string', default: '20' },
    'no-report': { type: 'boolean', default: false },
  },
});
const BATCH = 100;
/** Documents that several clients send together. */
const BY_SEVERAL = 2_000;
const LARGE_BATCH = 20;
const SEED = 7;
const POLL_MS = 100;
const SHOWN_MS = 0.05;
const MS_PER_MINUTE = 60_000;
const corpus = createCorpus(SEED);
/** About 20 KB. */
const LARGE_PARTS = 27;
/** What is sent: 1 KB that names people, firms and places; as much that names nobody; 20 KB that name nobody. */
const TEXTS = {
  named: (n: number) => nameDocument(n),
  nameless: (n: number) => `Document ${n}. ${corpus.chunk(n).body}`,
  large: (n: number) =>
    `Long document ${n}. ${Array.from({ length: LARGE_PARTS }, (_, part) => corpus.chunk(n * LARGE_PARTS + part).body).join('\n\n')}`,
};
const say = (line: string) => process.stdout.write(`${line}\n`);

interface Step {
  kind: keyof typeof TEXTS;
  documents: number;
  /** Clients that send at a time. */
  clients: number;
  kilobytes: number;
  perSecond: number;
  acceptedPerSecond: number;
  chunksPerSecond: number;
  residentMb: number;
  peerPerSecond: number;
  /** Processor time for one document, by what took it. */
  processorMs: Record<string, number>;
}

const startedAtMs = performance.now();
const isTimeLeft = () => performance.now() - startedAtMs < Number(values.minutes) * MS_PER_MINUTE;
const cairn = await startCairn();
try {
  const target = await largestPlan(cairn);
  const steps: Step[] = [];
  const add = async (kind: Step['kind'], from: number, to: number, clients = 1) => {
    if (to <= from || !isTimeLeft()) return;
    steps.push(await measure(cairn, target, { kind, from, to, clients }));
    say(JSON.stringify(steps.at(-1)));
  };
  await add('large', 0, Number(values.large));
  for (const [kind, sizes] of [
    ['named', values.sizes],
    ['nameless', values.nameless],
  ] as const) {
    let from = 0;
    for (const size of sizes.split(',').map(Number)) {
      await add(kind, from, size);
      from = size;
    }
    for (const clients of values.clients
      .split(',')
      .map(Number)
      .filter((count) => from > 0 && count > 0)) {
      await add(kind, from, from + BY_SEVERAL, clients);
      from += BY_SEVERAL;
    }
  }
  const fairness =
    Number(values.waiting) > 0 ? await measureFairness(cairn, await largestPlan(cairn), Number(values.waiting)) : null;
  say(JSON.stringify(fairness));
  if (!values['no-report'])
    await writeSection(join(MEASUREMENTS, 'ingestion.md'), 'Ingestion', 'throughput', section(steps, fairness));
} finally {
  await cairn.remove();
}

/** Measuring is not a customer: it gets the largest plan, and a tenant of its own. */
async function largestPlan(installation: RunningCairn): Promise<Target> {
  const args = ['operator', 'tenant', 'create', '--name', 'Bench', '--plan', 'enterprise'];
  const tenant = await operatorCommand<{ api_key: string }>(installation.dataDir, ...args);
  return { baseUrl: installation.baseUrl, apiKey: tenant.api_key };
}

/** Documents from the first call to the moment when all of them are completed, and a peer with as many. */
async function measure(
  installation: RunningCairn,
  target: Target,
  { kind, from, to, clients }: Pick<Step, 'kind' | 'clients'> & { from: number; to: number },
): Promise<Step> {
  const textOf = TEXTS[kind];
  const batch = kind === 'large' ? LARGE_BATCH : BATCH;
  const before = await chunksOf(installation);
  const timesBefore = await processorTimes(installation);
  let bytes = 0;
  const startedMs = performance.now();
  let next = from;
  const send = async () => {
    while (next < to) {
      const start = next;
      next += batch;
      const documents = Array.from({ length: Math.min(batch, to - start) }, (_, offset) => textOf(start + offset));
      bytes += documents.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      await call(target, 'POST', DOCUMENTS, { documents: documents.map((content) => ({ content })) });
    }
  };
  await Promise.all(Array.from({ length: clients }, send));
  const acceptedSeconds = (performance.now() - startedMs) / 1_000;
  await untilIdle(installation);
  const seconds = (performance.now() - startedMs) / 1_000;
  const times = await processorTimes(installation);
  const chunks = (await chunksOf(installation)) - before;
  const pid = await memoryProcess(installation);
  const sent = to - from;
  return {
    kind,
    documents: to,
    clients,
    kilobytes: bytes / sent / 1_024,
    perSecond: sent / seconds,
    acceptedPerSecond: sent / acceptedSeconds,
    chunksPerSecond: chunks / seconds,
    residentMb: pid === null ? 0 : Math.round((await processMemory(pid)).resident),
    peerPerSecond: await measurePeer(installation, Math.min(sent, 2_000), textOf),
    processorMs: Object.fromEntries(takenEach(timesBefore, times, sent)),
  };
}

/** The same texts into a table with a GIN index of `to_tsvector`, a transaction for each batch: what one might do instead. */
async function measurePeer(
  installation: RunningCairn,
  documents: number,
  textOf: (number: number) => string,
): Promise<number> {
  return withSuperuser(installation, async (client) => {
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

async function withSuperuser<T>(installation: RunningCairn, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { superuserUrl } = await startPostgres({ dataDir: join(installation.dataDir, 'postgres') });
  const url = new URL(superuserUrl);
  url.pathname = '/cairn';
  const client = new pg.Client({ connectionString: url.href });
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
  return withSuperuser(installation, async (client) => {
    await client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await client.query<{ n: string }>(
      "SELECT n_tup_ins AS n FROM pg_stat_user_tables WHERE schemaname = 'memory' AND relname = 'chunks'",
    );
    return Number(rows[0]?.n ?? 0);
  });
}

async function untilIdle(installation: RunningCairn): Promise<void> {
  while ((await waitingDocuments(installation)) > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

function section(steps: readonly Step[], fairness: Fairness | null): string {
  const names = {
    named: '1 KB, names in every sentence or two',
    nameless: '1 KB, names nobody',
    large: '20 KB, names nobody',
  };
  const row = (step: Step) => [
    names[step.kind],
    step.documents.toLocaleString('en'),
    String(step.clients),
    step.kilobytes.toFixed(1),
    step.perSecond.toFixed(0),
    step.chunksPerSecond.toFixed(0),
    step.acceptedPerSecond.toFixed(0),
    allOf(new Map(Object.entries(step.processorMs))).toFixed(1),
    step.peerPerSecond.toFixed(0),
    (step.perSecond / step.peerPerSecond).toFixed(2),
    String(step.residentMb),
  ];
  return [
    '## Throughput',
    '',
    `${environment()}. Command: \`npm run bench -- ingest --sizes ${values.sizes} --large ${values.large} --nameless ${values.nameless} --waiting ${values.waiting} --clients ${values.clients}\`.`,
    '',
    'One memory of a whole installation; clients, each with its next when it has its answer, send batches of 100 (of long documents 20) through the gateway, screening (`secrets`) and linking on. From the first call to the moment when the last document is completed, linked and out of the queue; the clients and all services share the two processors. Processor time is that of all processes but the clients’. The peer gets the first 2,000 of the same texts in one transaction for each batch into a table with a GIN index of `to_tsvector`, on the same server, right after: no HTTP, no screening, no cutting, no queue, no graph.',
    '',
    table(
      [
        ...['texts', 'documents then', 'clients', 'KB each', 'documents/s', 'chunks/s', 'accepted/s'],
        ...['processor ms a document', 'peer, documents/s', 'ratio', 'memory service, MiB'],
      ],
      steps.map(row),
    ),
    '',
    'Where the processor time of a document goes, in milliseconds; what takes less than .05 is left out:',
    '',
    table(
      ['texts', 'documents then', 'by'],
      steps.map((step) => [
        names[step.kind],
        step.documents.toLocaleString('en'),
        Object.entries(step.processorMs)
          .filter(([, ms]) => ms >= SHOWN_MS)
          .map(([kind, ms]) => `${kind} ${ms.toFixed(2)}`)
          .join(', '),
      ]),
    ),
    ...(fairness === null
      ? []
      : [
          '',
          '### One tenant’s many beside another’s one',
          '',
          `${fairness.waiting.toLocaleString('en')} documents of one tenant wait (each of 1 KB, with names). Another tenant’s single document, sent then, is completed after ${fairness.singles.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(', ')} (one after the other; goal 10 s). ${fairness.left.toLocaleString('en')} still wait after the last.`,
        ]),
  ].join('\n');
}
