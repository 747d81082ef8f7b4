import { createHash } from 'node:crypto';
import { extractByRules } from '../../src/graph/extract/extract.ts';
import { graphLinker } from '../../src/graph/graph-linker.ts';
import { indexPrepared } from '../../src/ingest/index-prepared.ts';
import { linkIndexed } from '../../src/ingest/link-indexed.ts';
import { prepareDocument } from '../../src/prepare/prepare-document.ts';
import { createLogger } from '@cairn/service-kit';
import type { QueuedDocument } from '../../src/ingest-queue.ts';
import type { MemoryScope } from '../../src/document-store.ts';
import { type BenchParts } from '../bench-memory.ts';
import { nameDocument } from './named-text.ts';

export interface LinkingResult {
  documents: number;
  bytes: number;
  perSecond: number;
  /** Documents a second of reading alone, on one thread. */
  readPerSecond: number;
  /** Over thirds of the run: does it slow down as the graph grows? */
  thirds: number[];
  names: number;
  links: number;
  facts: number;
}

const OWNER = 'bench-worker';
const BATCH = 64;
const CLAIM = "now() + interval '1 day'";

/** Ingests documents of about 1 KB into empty memories, one batch of the worker after the other, two memories at a time. */
export async function measureLinking(parts: BenchParts, documents: number): Promise<LinkingResult> {
  const memories: MemoryScope[] = [
    { tenantId: 'ten_link', memoryId: 'mem_link_a' },
    { tenantId: 'ten_link', memoryId: 'mem_link_b' },
  ];
  const texts = Array.from({ length: documents }, (_, n) => nameDocument(n));
  const readPerSecond = readingRate(texts);
  const batches: { memory: MemoryScope; queued: QueuedDocument[] }[] = [];
  for (let first = 0; first < documents; first += BATCH) {
    const memory = memories[(first / BATCH) % memories.length]!;
    batches.push({ memory, queued: await queue(parts, memory, texts.slice(first, first + BATCH), first) });
  }
  const finished: number[] = [];
  const startedMs = performance.now();
  await Promise.all(
    memories.map(async (memory) => {
      for (const batch of batches.filter((each) => each.memory === memory)) {
        await work(parts, memory, batch.queued);
        finished.push(performance.now() - startedMs);
      }
    }),
  );
  const counts = await parts.app.withTenant('ten_link', (tx) =>
    tx.query<{ names: number; links: number; facts: number }>(
      'SELECT (SELECT count(*)::int FROM graph_names) AS names, (SELECT count(*)::int FROM graph_links) AS links, (SELECT count(*)::int FROM graph_facts) AS facts',
    ),
  );
  return {
    documents,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / documents,
    perSecond: documents / (finished.at(-1)! / 1_000),
    readPerSecond,
    thirds: [0, 1, 2].map((third) => rateOfThird(finished, third)),
    ...counts[0]!,
  };
}

/** The steps of the ingest worker, but on this thread: reading and screening, indexing, linking. */
async function work(parts: BenchParts, memory: MemoryScope, queued: readonly QueuedDocument[]): Promise<void> {
  const about = { title: null, metadata: {}, fileName: '', mediaType: '', url: null, withTerms: false };
  const placed = await Promise.all(
    queued.map(async (document) => {
      const prepared = await prepareDocument({ content: document.content!, ...about, policy: 'secrets' });
      if (!prepared.ok) throw new Error(`${document.doc_id}: ${prepared.message}`);
      return { document, prepared, isToBeRouted: false, route: null };
    }),
  );
  const worker = {
    database: parts.app,
    index: parts.index,
    owner: OWNER,
    linker: graphLinker,
    logger: createLogger('bench', 'error'),
  };
  await indexPrepared(worker, memory, placed);
  await linkIndexed(worker, memory, queued);
}

function rateOfThird(finished: readonly number[], third: number): number {
  const size = Math.floor(finished.length / 3);
  const [from, to] = [third === 0 ? 0 : finished[third * size - 1]!, finished[(third + 1) * size - 1]!];
  return (size * BATCH) / ((to - from) / 1_000);
}

function readingRate(texts: readonly string[]): number {
  for (const body of texts.slice(0, 200)) extractByRules({ titlePath: '', body });
  const startedMs = performance.now();
  for (const body of texts) extractByRules({ titlePath: '', body });
  return texts.length / ((performance.now() - startedMs) / 1_000);
}

async function queue(
  parts: BenchParts,
  memory: MemoryScope,
  texts: readonly string[],
  first: number,
): Promise<QueuedDocument[]> {
  const rows = texts.map((content, at) => ({ docId: `doc_link_${first + at}`, content }));
  await parts.app.withTenant(memory.tenantId, async (tx) => {
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
    ...{ tenant_id: memory.tenantId, memory_id: memory.memoryId, doc_id: docId },
    ...{ content, payload: null, bytes: content.length, attempts: 1, owner: OWNER },
  }));
}
