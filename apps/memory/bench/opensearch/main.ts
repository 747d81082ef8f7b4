import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { createOutbound } from '@cairn/outbound';
import { quantile, startOpenSearchCluster } from '@cairn/testing';
import type { SearchIndex } from '../../src/memories/search-index.ts';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';
import { createOpenSearchIndex } from '../../src/opensearch/open-search-index.ts';
import { parseSearchAddress } from '../../src/opensearch/search-address.ts';
import { createSearchCluster } from '../../src/opensearch/search-cluster.ts';
import { createSearchIndexer } from '../../src/opensearch/search-indexer.ts';
import { BENCH_MEMORY, type BenchDeps, fillMemory, openBenchDeps, settleMerges } from '../bench-memory.ts';
import { startBenchServer } from '../bench-server.ts';
import { createCorpus } from '../corpus.ts';
import { readSet, storeSet } from './evaluation-set.ts';
import { ndcgAt10 } from './ndcg.ts';

/** Our index and OpenSearch on three nodes, over the same rows, asked the same in one run. */
const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: '' },
    chunks: { type: 'string', default: '0' },
    queries: { type: 'string', default: '200' },
    'class-path': { type: 'string', default: '' },
    shards: { type: 'string', default: '3' },
  },
});

const LIMIT = 10;
/** As deep as a search of the service asks. */
const DEPTH = 100;
const SEED = 1;
const say = (line: string) => process.stdout.write(`${line}\n`);

const server = await startBenchServer();
const nodes = await startOpenSearchCluster(values['class-path']);
const deps = await openBenchDeps(server.urls);
const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'bench' });
const url = `opensearch+http://${nodes.hosts.join(',')}/bench?shards=${values.shards}&spread=${values.shards === '3' ? 2 : 1}`;
const cluster = createSearchCluster(parseSearchAddress(url)!, outbound);
const onError = (error: unknown) => say(`indexer: ${String(error)}`);
const indexer = createSearchIndexer({ database: deps.app, workerDatabase: deps.worker, cluster, onError });
indexer.start();
const openSearch = createOpenSearchIndex(cluster, indexer);
const both: SearchIndex = {
  ...openSearch,
  async add(tx, memory, chunks) {
    await deps.index.add(tx, memory, chunks);
    await openSearch.add(tx, memory, chunks);
  },
};
try {
  for (const folder of values.sets.split(',').filter((name) => name !== '')) await compareQuality(folder);
  if (Number(values.chunks) > 0) await compareSpeed(Number(values.chunks), Number(values.queries));
} finally {
  await indexer.close();
  await cluster.close();
  await outbound.close();
  await deps.close();
  await nodes.close();
  await server.remove();
}

function find(index: SearchIndex, memory: MemoryScope, text: string, limit: number) {
  return deps.app.withTenant(memory.tenantId, (tx) => index.search(tx, memory, { text, limit }), { mode: 'snapshot' });
}

async function compareQuality(folder: string): Promise<void> {
  const set = await readSet((name) => readFile(join(folder, name), 'utf8'));
  const memory: MemoryScope = { tenantId: 'ten_bench', memoryId: `mem_${basename(folder)}` };
  await storeSet(deps.app, both, memory, set.chunks);
  await indexer.publish(memory);
  const scores = { segments: 0, openSearch: 0 };
  let sameFirst = 0;
  for (const { text, judgements } of set.queries) {
    const ours = (await find(deps.index, memory, text, LIMIT)).map((hit) => hit.docId);
    const theirs = (await find(openSearch, memory, text, LIMIT)).map((hit) => hit.docId);
    scores.segments += ndcgAt10(ours, judgements) / set.queries.length;
    scores.openSearch += ndcgAt10(theirs, judgements) / set.queries.length;
    if (ours.join() === theirs.join()) sameFirst += 1;
  }
  const share = ((100 * sameFirst) / set.queries.length).toFixed(1);
  say(
    `${basename(folder)}: ${set.chunks.length} chunks, ${set.queries.length} questions, nDCG@10 segments ${scores.segments.toFixed(4)}, OpenSearch ${scores.openSearch.toFixed(4)}, same ten in ${share} %`,
  );
}

async function compareSpeed(chunks: number, queries: number): Promise<void> {
  const corpus = createCorpus(SEED);
  const startedMs = performance.now();
  const writing: BenchDeps = { ...deps, index: Object.assign(Object.create(deps.index) as typeof deps.index, both) };
  await fillMemory(writing, corpus, 0, chunks);
  say(`${chunks} chunks written in ${seconds(startedMs)} s`);
  await settleMerges(deps);
  await indexer.publish(BENCH_MEMORY);
  say(`in OpenSearch after ${seconds(startedMs)} s`);
  const asked = Array.from({ length: queries }, (_none, n) => corpus.query(n, chunks).words.join(' '));
  const times = { segments: [] as number[], openSearch: [] as number[] };
  // Once each to warm up, then in turns, so that both meet the same machine.
  for (const round of ['warm', 'measured'])
    for (const text of asked)
      for (const [name, index] of [
        ['segments', deps.index],
        ['openSearch', openSearch],
      ] as const) {
        const askedMs = performance.now();
        await find(index, BENCH_MEMORY, text, DEPTH);
        if (round === 'measured') times[name].push(performance.now() - askedMs);
      }
  for (const [name, taken] of Object.entries(times))
    say(`${name}: p50 ${quantile(taken, 0.5).toFixed(1)} ms, p95 ${quantile(taken, 0.95).toFixed(1)} ms`);
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1_000).toFixed(1);
}
