import { createHash } from 'node:crypto';
import { CairnError } from '@cairn/errors';
import { type Database, createDatabase, startOutboxRelay, type Tx } from '@cairn/postgres';
import { createMerger, createSegmentIndex, type Merger, type SegmentIndex } from '@cairn/search-index';
import { type ChunkRow, insertChunks } from '../../../../apps/memory/src/documents/chunk-store.ts';
import type { BenchUrls } from './bench-server.ts';
import type { Corpus } from './corpus.ts';
import type { MemoryScope } from '../../../../apps/memory/src/memories/memory-scope.ts';
import { ANALYSER } from '../../../../apps/memory/src/text/analyser.ts';

/** The parts of the memory service that write and merge, put together as its service.ts does. */
export interface BenchDeps {
  app: Database;
  worker: Database;
  index: SegmentIndex;
  merger: Merger;
  /** Merges that ended so far. */
  merges: () => number;
  close(): Promise<void>;
}

/** As config.ts has them. */
const APP_POOL_MAX = 10;
const WORKER_POOL_MAX = 6;

export async function openBenchDeps(urls: BenchUrls): Promise<BenchDeps> {
  const app = createDatabase({ url: urls.url, applicationName: 'bench', poolMax: APP_POOL_MAX });
  const worker = createDatabase({ url: urls.workerUrl, applicationName: 'bench-worker', poolMax: WORKER_POOL_MAX });
  let merges = 0;
  const failures: unknown[] = [];
  const merger = createMerger({
    analyser: ANALYSER,
    database: worker,
    onError: (error) => failures.push(error),
    onMerged: () => merges++,
  });
  const index = createSegmentIndex({ analyser: ANALYSER, onSegmentAdded: (memory) => merger.notice({ ...memory }) });
  // Nobody listens, but events must leave the outbox as they do in the service.
  const relay = await startOutboxRelay({
    database: worker,
    schema: 'memory',
    publish: () => Promise.resolve(),
    // A connection that comes too late is tried again, as in the service: the work measured here shares its thread.
    onError: (error) => void (isUnavailable(error) || failures.push(error)),
  });
  merger.start();
  return {
    app,
    worker,
    index,
    merger,
    merges: () => merges,
    async close() {
      await merger.close();
      await relay.close();
      await app.close();
      await worker.close();
      if (failures.length > 0) throw new AggregateError(failures, 'merging or publishing failed');
    },
  };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof CairnError && error.code === 'unavailable';
}

export const BENCH_MEMORY: MemoryScope = { tenantId: 'ten_bench', memoryId: 'mem_bench' };
export const BENCH_VAULT_ID = 'vlt_bench';
const WORKSPACE_ID = 'wsp_bench';
/** A document of eight chunks; a claim of the ingest worker is 64 documents. */
const CHUNKS_PER_DOCUMENT = 8;
const CHUNKS_PER_TRANSACTION: number = 64 * CHUNKS_PER_DOCUMENT;

/** Milliseconds of one step of filling a memory. */
interface FillTimes {
  chunks: number;
  writingMs: number;
}

/** Writes chunks `from` to `to` of the corpus: documents, chunks and index in one transaction a batch. */
export async function fillMemory(deps: BenchDeps, corpus: Corpus, from: number, to: number): Promise<FillTimes> {
  let writingMs = 0;
  for (let first = from; first < to; first += CHUNKS_PER_TRANSACTION) {
    const rows = Array.from({ length: Math.min(to - first, CHUNKS_PER_TRANSACTION) }, (_, i) =>
      rowOf(corpus, first + i),
    );
    const startedMs = performance.now();
    await deps.app.withTenant(BENCH_MEMORY.tenantId, async (tx) => {
      await insertDocuments(tx, [...new Set(rows.map((row) => row.doc_id))]);
      await insertChunks(tx, BENCH_MEMORY, rows);
      await deps.index.add(tx, BENCH_MEMORY, rows.map(indexChunkOf));
    });
    writingMs += performance.now() - startedMs;
  }
  return { chunks: to - from, writingMs };
}

/** The n-th chunk of the corpus as a row; its ids are made of n, hashed as random ids are spread. */
export function rowOf(corpus: Corpus, n: number): ChunkRow {
  const chunk = corpus.chunk(n);
  return {
    chunk_id: idOf('chk', n),
    doc_id: idOf('doc', Math.floor(n / CHUNKS_PER_DOCUMENT)),
    vault_id: BENCH_VAULT_ID,
    ordinal: n % CHUNKS_PER_DOCUMENT,
    title_path: chunk.titlePath,
    context_prefix: chunk.contextPrefix,
    body: chunk.body,
    body_sha256: createHash('sha256').update(chunk.body).digest(),
    location: { configuration: chunk.language.configuration },
    occurred_at: null,
  };
}

function idOf(prefix: string, n: number): string {
  return `${prefix}_${createHash('sha256').update(`${prefix} ${n}`).digest('hex').slice(0, 26)}`;
}

export function indexChunkOf(row: ChunkRow) {
  return {
    chunkId: row.chunk_id,
    docId: row.doc_id,
    vaultId: row.vault_id,
    titlePath: row.title_path,
    contextPrefix: row.context_prefix,
    body: row.body,
    occurredAtMs: null,
    createdAtMs: CREATED_AT_MS,
  };
}

const CREATED_AT_MS = Date.UTC(2026, 0, 1);

export async function insertDocuments(
  tx: Tx,
  docIds: readonly string[],
  memoryId = BENCH_MEMORY.memoryId,
): Promise<void> {
  await tx.execute(
    `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
     SELECT $1, $2, doc_id, $3, true, $4, doc_id, 'text/plain', sha256(doc_id::bytea), 0, 'completed' FROM unnest($5::text[]) AS doc_id
     ON CONFLICT DO NOTHING`,
    [BENCH_MEMORY.tenantId, memoryId, WORKSPACE_ID, BENCH_VAULT_ID, docIds],
  );
}

/** Waits until no merge is due or running; returns how long that took, in milliseconds. */
export async function settleMerges(deps: BenchDeps): Promise<number> {
  const startedMs = performance.now();
  // Two quiet looks: between two merges of the background a memory looks as if nothing were left to do.
  for (let quiet = 0; quiet < 2;) {
    const held = await isMerging(deps);
    const report = await deps.merger.mergeOnce(BENCH_MEMORY);
    quiet = held || report !== null ? 0 : quiet + 1;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
  return performance.now() - startedMs;
}

const QUIET_MS = 200;

async function isMerging(deps: BenchDeps): Promise<boolean> {
  const rows = await deps.worker.transaction((tx) =>
    tx.query('SELECT 1 FROM index_merge_leases WHERE until > now() LIMIT 1'),
  );
  return rows.length > 0;
}
