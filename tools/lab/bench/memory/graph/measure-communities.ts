import { quantile } from '../../../measurement/quantile.ts';
import { recomputeGraphMetrics } from '../../../../../apps/memory/src/graph/analysis/graph-metrics.ts';
import { readOverview } from '../../../../../apps/memory/src/graph/query/get-graph-overview.ts';
import { BENCH_MEMORY, type BenchDeps, fillMemory } from '../bench-memory.ts';
import { createCorpus } from '../corpus.ts';
import type { MemoryScope } from '../../../../../apps/memory/src/memories/memory-scope.ts';

export interface CommunitiesResult {
  nodes: number;
  elapsedMs: number;
  communities: number;
  /** Milliseconds of a search beside it and without it: p50 and p95. */
  quiet: [number, number];
  beside: [number, number];
  searches: [number, number];
  /** The picture of the whole graph, of so many nodes: bytes of the answer and milliseconds, p50 and p95. */
  overviews: { nodes: number; bytes: number; times: [number, number] }[];
}

const SEARCHED_CHUNKS = 5_000;
const SEARCH_PAUSE_MS = 5;
const QUIET_SEARCHES = 400;
const OVERVIEW_LIMITS = [200, 400, 1_000];
const OVERVIEWS = 20;
const LIMITS = { timeoutMs: 600_000, memoryMaxMb: 4_096 };

/** Analyses the graph while the same process goes on searching another memory. */
export async function measureCommunities(
  deps: BenchDeps,
  scope: MemoryScope,
  seed: number,
): Promise<CommunitiesResult> {
  const corpus = createCorpus(seed);
  await fillMemory(deps, corpus, 0, SEARCHED_CHUNKS);
  const search = async (n: number) => {
    const text = corpus.query(n, SEARCHED_CHUNKS).words.join(' ');
    const startedMs = performance.now();
    await deps.app.withTenant(BENCH_MEMORY.tenantId, (tx) => deps.index.search(tx, BENCH_MEMORY, { text, limit: 10 }), {
      mode: 'snapshot',
    });
    return performance.now() - startedMs;
  };
  for (let n = 0; n < QUIET_SEARCHES; n += 1) await search(n);
  const quiet: number[] = [];
  for (let n = 0; n < QUIET_SEARCHES; n += 1) {
    quiet.push(await search(n));
    await pause();
  }
  let done = false;
  const startedMs = performance.now();
  const analysis = recomputeGraphMetrics(deps.app, scope, LIMITS, new AbortController().signal).finally(
    () => (done = true),
  );
  const beside: number[] = [];
  for (let n = 0; !done; n += 1) {
    beside.push(await search(n));
    await pause();
  }
  await analysis;
  const elapsedMs = performance.now() - startedMs;
  const [counted] = await deps.app.withTenant(scope.tenantId, (tx) =>
    tx.query<{ nodes: number; communities: number }>(
      'SELECT count(DISTINCT entity_id)::int AS nodes, count(DISTINCT community_id)::int AS communities FROM graph_names WHERE memory_id = $1',
      [scope.memoryId],
    ),
  );
  const both = (times: number[]): [number, number] => [quantile(times, 0.5), quantile(times, 0.95)];
  const overviews = [];
  for (const limit of OVERVIEW_LIMITS) {
    const times: number[] = [];
    let bytes = 0;
    let nodes = 0;
    for (let n = 0; n < OVERVIEWS; n += 1) {
      const askedMs = performance.now();
      const overview = await deps.app.withTenant(
        scope.tenantId,
        (tx) => readOverview(tx, scope, { vaults: null, hidden: [] }, limit),
        { mode: 'snapshot' },
      );
      bytes = Buffer.byteLength(JSON.stringify(overview));
      times.push(performance.now() - askedMs);
      nodes = overview.nodes.length;
    }
    overviews.push({ nodes, bytes, times: both(times) });
  }
  return {
    ...counted!,
    elapsedMs,
    quiet: both(quiet),
    beside: both(beside),
    searches: [quiet.length, beside.length],
    overviews,
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SEARCH_PAUSE_MS));
}
