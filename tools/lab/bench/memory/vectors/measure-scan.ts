import type { IndexFilter } from '@cairn/search-index';
import { wordVector } from '@cairn/testing';
import { quantile } from '../../../measurement/quantile.ts';
import { insertChunks } from '../../../../../apps/memory/src/documents/chunk-store.ts';
import { storeVectors } from '../../../../../apps/memory/src/vectors/embedding-store.ts';
import { nearestChunks } from '../../../../../apps/memory/src/vectors/nearest-chunks.ts';
import { type BenchDeps, BENCH_MEMORY, insertDocuments, rowOf } from '../bench-memory.ts';
import type { Corpus } from '../corpus.ts';
import type { MemoryScope } from '../../../../../apps/memory/src/memories/memory-scope.ts';

/** Milliseconds of a search for the ten nearest by comparing every vector. */
export interface ScanCell {
  asked: string;
  vectors: number;
  p50: number;
  p95: number;
}

const MODEL = { name: 'bench/vectors', dimensions: 384 };
const SMALL: MemoryScope = { ...BENCH_MEMORY, memoryId: 'mem_small' };
const SMALL_SHARE = 0.01;
const BATCH = 1_000;
const SMALL_SCANS = 200;
const LARGE_SCANS = 40;
const WORDS = 14;
const TITLE = 'the exact scan, without pgvector';

/** A large memory and one with 1 % of its chunks in the embedded PostgreSQL, which has no pgvector. */
export async function measureScan(deps: BenchDeps, corpus: Corpus, chunks: number): Promise<ScanCell[]> {
  const few = Math.max(10, Math.round(chunks * SMALL_SHARE));
  const vectorOf = (n: number) =>
    Float32Array.from(wordVector(corpus.chunk(n).body.split(' ').slice(0, WORDS).join(' '), MODEL.dimensions));
  await fill(deps, BENCH_MEMORY, corpus, chunks, vectorOf);
  await fill(deps, SMALL, corpus, few, vectorOf);
  await deps.worker.transaction((tx) => tx.execute('ANALYZE chunk_embeddings')).catch(() => undefined);
  const scan = async (scope: MemoryScope, times: number, filter?: IndexFilter) => {
    const taken: number[] = [];
    for (let n = 0; n < times; n++) {
      const query = { model: MODEL.name, vector: vectorOf(chunks + n), limit: 50, filter };
      const startedMs = performance.now();
      await deps.app.withTenant(scope.tenantId, (tx) => nearestChunks(tx, scope, query), { mode: 'snapshot' });
      taken.push(performance.now() - startedMs);
    }
    return { p50: quantile(taken, 0.5), p95: quantile(taken, 0.95) };
  };
  const oneOfTen = { docIds: new Set(Array.from({ length: few / 10 }, (_, n) => rowOf(corpus, n * 10).doc_id)) };
  return [
    { asked: `${TITLE}: a tenant with 1 %`, vectors: few, ...(await scan(SMALL, SMALL_SCANS)) },
    { asked: `${TITLE}: the same under a filter`, vectors: few, ...(await scan(SMALL, SMALL_SCANS, oneOfTen)) },
    { asked: `${TITLE}: the tenant with the rest`, vectors: chunks, ...(await scan(BENCH_MEMORY, LARGE_SCANS)) },
  ];
}

async function fill(
  deps: BenchDeps,
  scope: MemoryScope,
  corpus: Corpus,
  count: number,
  vectorOf: (n: number) => Float32Array,
): Promise<void> {
  for (let first = 0; first < count; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - first) }, (_, at) => rowOf(corpus, first + at));
    await deps.app.withTenant(scope.tenantId, async (tx) => {
      await insertDocuments(tx, [...new Set(rows.map((row) => row.doc_id))], scope.memoryId);
      await insertChunks(tx, scope, rows);
      const vectors = rows.map(({ chunk_id }, at) => ({
        chunkId: chunk_id,
        textSha256: Buffer.from([0]),
        vector: vectorOf(first + at),
      }));
      await storeVectors(tx, scope, MODEL.name, vectors);
    });
  }
}
