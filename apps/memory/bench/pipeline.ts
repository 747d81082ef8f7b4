import { quantile, testIdentity, wordVector } from '@cairn/testing';
import { OFFLINE_MODELS } from '@cairn/llm';
import type { Asking, TargetMemory } from '../src/memory-lookup.ts';
import { createChunkReader } from '../src/ranking/chunk-terms.ts';
import { RANKING } from '../src/ranking/weights.ts';
import { NO_GRAPH } from '../src/search/graph-signal.ts';
import { NOTHING_NEAR } from '../src/search/near-chunks.ts';
import { runSearch } from '../src/search/run-search.ts';
import type { SearchParts } from '../src/search/search-parts.ts';
import { keepVectors } from '../src/vectors/embedding-store.ts';
import { nearestChunks } from '../src/vectors/nearest-chunks.ts';
import { BENCH_MEMORY, type BenchParts, fillMemory, openBenchParts, rowOf, settleMerges } from './bench-memory.ts';
import { insertChunks } from '../src/chunk-store.ts';
import type { BenchServer } from './bench-server.ts';
import { createCorpus } from './corpus.ts';
import { peerSearch } from './peers.ts';

/** Times of one way of asking, in milliseconds. */
export interface AskedTimes {
  p50: number;
  p95: number;
}

export interface PipelineResult {
  chunks: number;
  queries: number;
  /** Index and chunks alone, ten hits. */
  index: AskedTimes;
  /** Everything behind the HTTP server: look-up, index, signals, answer. */
  pipeline: AskedTimes;
  /** Until the sources are known, which is when the first event is sent. */
  sources: AskedTimes;
  /** Comparing a question with each vector of a memory that has 1 % of all vectors, without pgvector. */
  exactScan: AskedTimes & { vectors: number; of: number };
}

export interface PipelineOptions {
  chunks: number;
  queries: number;
  seed: number;
  say: (line: string) => void;
}

const WARM_UP_FIRST = 1_000_000;
const WARM_UP_QUERIES = 200;
const MODEL = { name: 'bench/vectors', dimensions: 384 };
const SMALL_SHARE = 0.01;
const SCANS = 100;

/** One caller asks a memory: the index alone and the whole pipeline take turns, so that both see the same machine. */
export async function measurePipeline(server: BenchServer, options: PipelineOptions): Promise<PipelineResult> {
  const parts = await openBenchParts(server.urls);
  const corpus = createCorpus(options.seed);
  try {
    await fillMemory(parts, corpus, 0, options.chunks);
    await settleMerges(parts);
    options.say(`filled with ${options.chunks} chunks`);
    const plain = peerSearch('cairn', parts.index);
    const search = pipelineOver(parts);
    const times = { index: [] as number[], pipeline: [] as number[], sources: [] as number[] };
    const ask = async (n: number, keep: boolean) => {
      const query = corpus.query(n, options.chunks);
      const startedMs = performance.now();
      await plain(parts.app, query);
      const betweenMs = performance.now();
      const sourcesMs = await search(query.words.join(' '));
      if (!keep) return;
      times.index.push(betweenMs - startedMs);
      times.pipeline.push(performance.now() - betweenMs);
      times.sources.push(sourcesMs - betweenMs);
    };
    for (let n = 0; n < WARM_UP_QUERIES; n++) await ask(WARM_UP_FIRST + n, false);
    for (let n = 0; n < options.queries; n++) await ask(n, true);
    const exactScan = await measureExactScan(parts, options.chunks);
    const shown = (of: readonly number[]) => ({ p50: quantile(of, 0.5), p95: quantile(of, 0.95) });
    return {
      chunks: options.chunks,
      queries: options.queries,
      index: shown(times.index),
      pipeline: shown(times.pipeline),
      sources: shown(times.sources),
      exactScan,
    };
  } finally {
    await parts.close();
  }
}

/** Asks the pipeline as the HTTP server does; gives the moment at which the sources were known. */
function pipelineOver(parts: BenchParts): (query: string) => Promise<number> {
  const target: TargetMemory = {
    ...BENCH_MEMORY,
    workspaceId: 'ws_bench',
    rootVaultId: 'vlt_bench',
    engineId: 'default',
    spaceId: null,
    vaultId: 'vlt_bench',
  };
  const identity = testIdentity({ tenantId: BENCH_MEMORY.tenantId });
  const search: SearchParts = {
    engines: {
      read: (memory, work) =>
        parts.app.withTenant(
          memory.tenantId,
          (tx) => work({ tx, index: parts.index, closedVaults: new Set() as never }),
          { mode: 'snapshot' },
        ),
      write: () => Promise.reject(new Error('nothing is written')),
      readTenant: () => Promise.reject(new Error('no other engine')),
    },
    lookup: { find: () => Promise.resolve(target), enginesOf: () => Promise.resolve(['default']) },
    models: OFFLINE_MODELS,
    passages: { reader: createChunkReader(), ranking: RANKING, graph: NO_GRAPH },
    near: NOTHING_NEAR,
    now: Date.now,
  };
  return async (query) => {
    const call: Asking = { identity, identityToken: '', signal: new AbortController().signal };
    const run = runSearch(search, call, { query, top_k: 10, explain: false });
    let sourcesMs = 0;
    for (let step = await run.next(); step.done !== true; step = await run.next())
      if (step.value.kind === 'sources') sourcesMs = performance.now();
    return sourcesMs;
  };
}

/** Vectors for the whole table, of which a second memory has 1 %. */
async function measureExactScan(parts: BenchParts, chunks: number): Promise<PipelineResult['exactScan']> {
  const small = { ...BENCH_MEMORY, memoryId: 'mem_small' };
  const count = Math.max(10, Math.round(chunks * SMALL_SHARE));
  const corpus = createCorpus(7);
  await parts.app.withTenant(small.tenantId, async (tx) => {
    await tx.execute(
      `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
       SELECT tenant_id, $2, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, 0, 'completed'
         FROM documents WHERE tenant_id = $1 AND memory_id = $3`,
      [small.tenantId, small.memoryId, BENCH_MEMORY.memoryId],
    );
    await insertChunks(
      tx,
      small,
      Array.from({ length: count }, (_, n) => rowOf(corpus, n)),
    );
  });
  const vectorOf = (n: number) => Float32Array.from(wordVector(corpus.chunk(n).body, MODEL.dimensions));
  for (const [scope, of] of [
    [small, count],
    [BENCH_MEMORY, chunks],
  ] as const)
    for (let first = 0; first < of; first += 1_000)
      await parts.app.withTenant(scope.tenantId, (tx) =>
        keepVectors(
          tx,
          scope,
          MODEL.name,
          Array.from({ length: Math.min(1_000, of - first) }, (_, i) => ({
            chunkId: rowOf(corpus, first + i).chunk_id,
            textSha256: Buffer.from([0]),
            // Most vectors only have to be there.
            vector: scope === small ? vectorOf(first + i) : vectorOf(i % 100),
          })),
        ),
      );
  const times: number[] = [];
  for (let n = 0; n < SCANS; n++) {
    const query = { model: MODEL.name, vector: vectorOf(count + n), limit: 10, filter: undefined };
    const startedMs = performance.now();
    await parts.app.withTenant(small.tenantId, (tx) => nearestChunks(tx, small, query), { mode: 'snapshot' });
    times.push(performance.now() - startedMs);
  }
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), vectors: count, of: chunks + count };
}
