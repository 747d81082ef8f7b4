import { quantile } from '../../measurement/quantile.ts';
import { type BenchDeps, fillMemory, openBenchDeps, settleMerges } from './bench-memory.ts';
import { asSuperuser, type BenchServer, rowsOf } from './bench-server.ts';
import { type Corpus, createCorpus } from './corpus.ts';
import { peerSearch } from './peers.ts';
import { indexOne, queueDocuments } from './single-documents.ts';

interface MergeDebtOptions {
  /** Chunks in the memory before, in merged segments. */
  baseChunks: number;
  seconds: number;
  /** Documents a second, one chunk and one transaction each. */
  ratePerSecond: number;
  seed: number;
  say: (line: string) => void;
}

/** The index once a second. */
interface DebtSample {
  second: number;
  segments: number;
  /** Chunks in segments that no merge has touched yet. */
  unmergedChunks: number;
  documents: number;
}

export interface MergeDebtResult {
  baseChunks: number;
  ratePerSecond: number;
  samples: DebtSample[];
  merges: number;
  searches: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  /** Milliseconds after the last document until no merge was due. */
  settledMs: number;
  segmentsSettled: number;
}

const SEARCHERS = 4;
const SEARCH_PAUSE_MS = 50;
/** Documents that may be written at the same time, so that one slow commit does not end the steady rate. */
const WRITERS = 4;

/** Writes at a steady rate with searches going on, and counts segments meanwhile. */
export async function measureMergeDebt(server: BenchServer, options: MergeDebtOptions): Promise<MergeDebtResult> {
  const { baseChunks, seconds, ratePerSecond } = options;
  const corpus = createCorpus(options.seed);
  const deps = await openBenchDeps(server.urls);
  await fillMemory(deps, corpus, 0, baseChunks);
  await settleMerges(deps);
  const mergesBefore = deps.merges();
  options.say(`${baseChunks} chunks are there`);
  const queued = await queueDocuments(deps, corpus, baseChunks, Math.ceil(ratePerSecond * seconds));
  const latencies: number[] = [];
  const samples: DebtSample[] = [];
  const state = { written: 0, over: false, startedMs: performance.now() };
  const sampler = every(
    1_000,
    () => state.over,
    async () => {
      samples.push({ ...(await sample(server, state.startedMs)), documents: state.written });
      options.say(JSON.stringify(samples.at(-1)));
    },
  );
  const searchers = Array.from({ length: SEARCHERS }, (_, i) =>
    searchUntil(deps, corpus, baseChunks, i, latencies, () => state.over),
  );
  const writers = Array.from({ length: WRITERS }, async () => {
    for (let document = queued.shift(); document !== undefined; document = queued.shift()) {
      const dueMs = state.startedMs + (state.written++ / ratePerSecond) * 1_000;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
      await indexOne(deps, document);
    }
  });
  await Promise.all(writers);
  state.over = true;
  await Promise.all([sampler, ...searchers]);
  const settledMs = await settleMerges(deps);
  const { segments } = await sample(server, state.startedMs);
  const merges = deps.merges() - mergesBefore;
  await deps.close();
  return {
    baseChunks,
    ratePerSecond,
    samples,
    merges,
    settledMs,
    segmentsSettled: segments,
    searches: latencies.length,
    p50Ms: quantile(latencies, 0.5),
    p95Ms: quantile(latencies, 0.95),
    p99Ms: quantile(latencies, 0.99),
  };
}

/** Calls `work` every so many milliseconds until `over`. */
async function every(ms: number, over: () => boolean, work: () => Promise<void>): Promise<void> {
  while (!over()) {
    await work();
    await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

async function searchUntil(
  deps: BenchDeps,
  corpus: Corpus,
  chunkCount: number,
  first: number,
  latencies: number[],
  over: () => boolean,
): Promise<void> {
  const search = peerSearch('cairn', deps.index);
  let n = first;
  await every(SEARCH_PAUSE_MS, over, async () => {
    const query = corpus.query(n, chunkCount);
    n += SEARCHERS;
    const askedMs = performance.now();
    await search(deps.app, query);
    latencies.push(performance.now() - askedMs);
  });
}

/** The base was written in large batches: a segment of one chunk is one that no merge has touched. */
async function sample(server: BenchServer, startedMs: number): Promise<Omit<DebtSample, 'documents'>> {
  const rows = await asSuperuser(server.urls, (admin) =>
    rowsOf<{ segments: number; unmerged: number }>(
      admin,
      `SELECT count(*) AS segments, count(*) FILTER (WHERE chunk_count = 1) AS unmerged FROM index_segments`,
    ),
  );
  const second = (performance.now() - startedMs) / 1_000;
  return { second, segments: rows[0]!.segments, unmergedChunks: rows[0]!.unmerged };
}
