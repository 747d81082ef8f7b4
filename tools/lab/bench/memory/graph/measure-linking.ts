import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readWindows } from '../../../../../apps/memory/src/graph/extract/window-reader.ts';
import { readHere } from '../../../../../apps/memory/tests/read-here.ts';
import { createGraphLinker } from '../../../../../apps/memory/src/graph/linking/graph-linker.ts';
import { runIndexStep } from '../../../../../apps/memory/src/ingestion/index-step.ts';
import { runLinkStep } from '../../../../../apps/memory/src/ingestion/link-step.ts';
import { prepareDocument } from '../../../../../apps/memory/src/ingestion/preparing/prepare-document.ts';
import { createLogger } from '@cairn/service-kit';
import { processorTime } from '@cairn/testing';
import type { QueuedDocument } from '../../../../../apps/memory/src/ingestion/queue.ts';
import { type BenchDeps } from '../bench-memory.ts';
import { nameDocument } from '../named-text.ts';
import type { MemoryScope } from '../../../../../apps/memory/src/memories/memory-scope.ts';
import type { RoutedDocument } from '../../../../../apps/memory/src/ingestion/ready-document.ts';

export interface LinkingResult {
  documents: number;
  bytes: number;
  perSecond: number;
  /** Documents a second of reading alone, on one thread. */
  readPerSecond: number;
  steps: StepTimes[];
  /** Documents linked a second over thirds of the run: does it slow down as the graph grows? */
  thirds: number[];
  names: number;
  links: number;
  facts: number;
}

/** Milliseconds for one document. */
interface StepTimes {
  step: string;
  elapsed: number;
  /** Processor time of this process, and of PostgreSQL. */
  service: number;
  postgres: number;
}

const OWNER = 'bench-worker';
const BATCH = 64;
const CLAIM = "now() + interval '1 day'";

interface Batch {
  memory: MemoryScope;
  queued: QueuedDocument[];
  placed: RoutedDocument[];
}

/** Ingests documents of about 1 KB into empty memories, in batches of the worker, two memories at a time, step by step. */
export async function measureLinking(deps: BenchDeps, postgresPid: number, documents: number): Promise<LinkingResult> {
  const memories: MemoryScope[] = [
    { tenantId: 'ten_link', memoryId: 'mem_link_a' },
    { tenantId: 'ten_link', memoryId: 'mem_link_b' },
  ];
  const texts = Array.from({ length: documents }, (_, n) => nameDocument(n));
  const readPerSecond = await readingRate(texts);
  const batches: Batch[] = [];
  for (let first = 0; first < documents; first += BATCH) {
    const memory = memories[(first / BATCH) % memories.length]!;
    batches.push({
      memory,
      queued: await queue(deps, memory, texts.slice(first, first + BATCH), first),
      placed: [],
    });
  }
  const worker = {
    database: deps.app,
    index: deps.index,
    owner: OWNER,
    linker: createGraphLinker(readHere, null),
    logger: createLogger('bench', 'error'),
  };
  const linked: number[] = [];
  const run = async (step: string, work: (batch: Batch) => Promise<void>): Promise<StepTimes> => {
    const [used, before] = [process.cpuUsage(), await processorTime([postgresPid])];
    const startedMs = performance.now();
    await Promise.all(
      memories.map(async (memory) => {
        for (const batch of batches.filter((each) => each.memory === memory)) {
          await work(batch);
          if (step === LINKING) linked.push(performance.now() - startedMs);
        }
      }),
    );
    const { user, system } = process.cpuUsage(used);
    return {
      step,
      elapsed: (performance.now() - startedMs) / documents,
      service: (user + system) / 1_000 / documents,
      postgres: ((await processorTime([postgresPid])).own - before.own) / documents,
    };
  };
  const steps = [
    await run('reading the file, screening, chunking', prepare),
    await run('chunks and index', async ({ memory, placed }) => void (await runIndexStep(worker, memory, placed))),
    await run(LINKING, ({ memory, queued }) => runLinkStep(worker, memory, queued)),
  ];
  const counts = await deps.app.withTenant('ten_link', (tx) =>
    tx.query<{ names: number; links: number; facts: number }>(
      'SELECT (SELECT count(*)::int FROM graph_names) AS names, (SELECT count(*)::int FROM graph_links) AS links, (SELECT count(*)::int FROM graph_facts) AS facts',
    ),
  );
  return {
    documents,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / documents,
    perSecond: 1_000 / steps.reduce((sum, step) => sum + step.elapsed, 0),
    readPerSecond,
    steps,
    thirds: [0, 1, 2].map((third) => rateOfThird(linked, third)),
    ...counts[0]!,
  };
}

const LINKING = 'names, links, facts, identity, contradictions, events';

/** What a worker thread does in the service, on this thread. */
async function prepare(batch: Batch): Promise<void> {
  const about = { title: null, metadata: {}, fileName: '', mediaType: '', url: null, withTerms: false };
  for (const document of batch.queued) {
    const prepared = await prepareDocument({ content: document.content!, ...about, policy: 'secrets' });
    if (!prepared.ok) throw new Error(`${document.doc_id}: ${prepared.message}`);
    batch.placed.push({ document, prepared, isToBeRouted: false, original: null, route: null });
  }
  await nextTurn();
}

function rateOfThird(finished: readonly number[], third: number): number {
  const size = Math.floor(finished.length / 3);
  const [from, to] = [third === 0 ? 0 : finished[third * size - 1]!, finished[(third + 1) * size - 1]!];
  return (size * BATCH) / ((to - from) / 1_000);
}

async function readingRate(texts: readonly string[]): Promise<number> {
  for (const body of texts.slice(0, 200)) readWindows([[{ titlePath: '', body, said: [] }]]);
  let readingMs = 0;
  for (let first = 0; first < texts.length; first += BATCH) {
    const startedMs = performance.now();
    for (const body of texts.slice(first, first + BATCH)) readWindows([[{ titlePath: '', body, said: [] }]]);
    readingMs += performance.now() - startedMs;
    // Connections of the relay and of the merger are opened meanwhile.
    await nextTurn();
  }
  return texts.length / (readingMs / 1_000);
}

async function queue(
  deps: BenchDeps,
  memory: MemoryScope,
  texts: readonly string[],
  first: number,
): Promise<QueuedDocument[]> {
  const rows = texts.map((content, at) => ({ docId: `doc_link_${first + at}`, content }));
  await deps.app.withTenant(memory.tenantId, async (tx) => {
    await tx.execute(
      `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
       SELECT $1, $2, doc_id, 'ws_bench', true, 'vlt_bench', doc_id, 'text/plain', sha, 0, 'indexing' FROM unnest($3::text[], $4::bytea[]) AS queued (doc_id, sha)`,
      [
        memory.tenantId,
        memory.memoryId,
        rows.map((row) => row.docId),
        rows.map((row) => createHash('sha256').update(row.content).digest()),
      ],
    );
    await tx.execute(
      `INSERT INTO ingest_queue (tenant_id, memory_id, doc_id, content, attempts, owner, lease_until)
       SELECT $1, $2, doc_id, content, 1, $3, ${CLAIM} FROM unnest($4::text[], $5::text[]) AS queued (doc_id, content)`,
      [memory.tenantId, memory.memoryId, OWNER, rows.map((row) => row.docId), rows.map((row) => row.content)],
    );
  });
  return rows.map(({ docId, content }) => ({
    tenant_id: memory.tenantId,
    memory_id: memory.memoryId,
    doc_id: docId,
    content,
    payload: null,
    queued_at: new Date(),
    traceparent: null,
    bytes: content.length,
    attempts: 1,
    owner: OWNER,
  }));
}
