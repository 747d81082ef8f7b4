import { callInTurns } from '../../../measurement/callers.ts';
import { quantile } from '../../../measurement/quantile.ts';
import { BENCH_MEMORY, type BenchDeps, fillMemory, settleMerges } from '../bench-memory.ts';
import type { Corpus } from '../corpus.ts';
import { indexSize } from '../table-sizes.ts';
import { type BenchSetup, INDEX, type IndexName, NAMES } from './bench-setup.ts';

/** As deep as a search of the service asks. */
const DEPTH = 100;
const COMPARED = 10;
const CALLERS = 8;

export interface SpeedCell {
  chunks: number;
  /** Seconds until the rows and our index had the chunks since the last size, and until OpenSearch had them too. */
  writtenS: number;
  publishedS: number;
  latencies: Record<IndexName, { p50: number; p95: number; perSecond: number }>;
  bytesAChunk: Record<IndexName, number>;
  /** Of the first ten of one, how many are among those of the other. */
  shared: number;
}

/** Grows the memory from one size to the next and asks both the same. */
export async function measureSpeed(
  world: BenchSetup,
  corpus: Corpus,
  [before, chunks]: readonly [number, number],
  queries: number,
): Promise<SpeedCell> {
  const { deps, both, indexer } = world;
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1_000;
  const writing: BenchDeps = { ...deps, index: Object.assign(Object.create(deps.index) as typeof deps.index, both) };
  await fillMemory(writing, corpus, before, chunks);
  const writtenS = seconds();
  await indexer.publish(BENCH_MEMORY);
  const publishedS = seconds();
  await settleMerges(deps);
  const texts = Array.from({ length: queries }, (_none, n) => corpus.query(n, chunks).words.join(' '));
  const ask = async (name: IndexName, text: string) => {
    const askedMs = performance.now();
    const hits = await world.find(name, BENCH_MEMORY, text, DEPTH);
    return { ms: performance.now() - askedMs, first: hits.slice(0, COMPARED).map((hit) => hit.chunkId) };
  };
  const taken = { segments: [] as number[], openSearch: [] as number[] };
  let shared = 0;
  let compared = 0;
  // Once each to warm up, then in turns, so that both meet the same machine.
  for (const isMeasured of [false, true])
    for (const text of texts) {
      const [ours, theirs] = [await ask('segments', text), await ask('openSearch', text)];
      if (!isMeasured) continue;
      taken.segments.push(ours.ms);
      taken.openSearch.push(theirs.ms);
      shared += ours.first.filter((chunkId) => theirs.first.includes(chunkId)).length;
      compared += ours.first.length;
    }
  const perSecond = { segments: 0, openSearch: 0 };
  for (const name of NAMES) perSecond[name] = (await callInTurns(texts, CALLERS, (text) => ask(name, text))).perSecond;
  const cellOf = (name: IndexName) => ({
    p50: quantile(taken[name], 0.5),
    p95: quantile(taken[name], 0.95),
    perSecond: perSecond[name],
  });
  // Of all memories there are.
  const { payloadBytes, chunks: indexed } = await indexSize(world.server.urls);
  return {
    chunks,
    writtenS,
    publishedS,
    latencies: { segments: cellOf('segments'), openSearch: cellOf('openSearch') },
    bytesAChunk: { segments: payloadBytes / indexed, openSearch: (await clusterBytes(world)) / indexed },
    shared: shared / compared,
  };
}

/** Of the first copies of all shards. */
async function clusterBytes({ nodes }: BenchSetup): Promise<number> {
  const stats = (await nodes.ask(`/${INDEX}/_stats/store`)) as {
    [all: string]: { primaries: { store: { size_in_bytes: number } } };
  };
  return stats['_all']!.primaries.store.size_in_bytes;
}
