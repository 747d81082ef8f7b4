import { othersShare, processorTime } from '@cairn/testing';
import { quantile } from '../../measurement/quantile.ts';
import { BENCH_MEMORY, type BenchDeps, openBenchDeps, settleMerges } from './bench-memory.ts';
import type { BenchServer } from './bench-server.ts';
import { type Corpus, createCorpus } from './corpus.ts';
import { peerSearch } from './peers.ts';
import { indexOne, queueDocuments } from './single-documents.ts';
import { expireGarbage, indexSize, tableSizes, type TableSize, vacuumTables } from './table-sizes.ts';

interface SingleIngestOptions {
  /** Documents, each indexed in a transaction of its own, one after the other. */
  documents: number;
  seed: number;
  say: (line: string) => void;
}

/** Searches and ingests while one block of documents was written. */
export interface IngestWindow {
  /** Documents there at its end. */
  documents: number;
  segments: number;
  ingestsPerSecond: number;
  searches: number;
  /** Milliseconds of a search as its caller sees it. */
  p50Ms: number;
  p95Ms: number;
  /** Share of all cores, 0–1, that work other than the bench used meanwhile. */
  others: number;
}

export interface SingleIngestResult {
  documents: number;
  elapsedMs: number;
  merges: number;
  windows: IngestWindow[];
  /** Sizes right after the last ingest, after all merges and the sweep, and after VACUUM. */
  tables: { before: TableSize[]; merged: TableSize[]; vacuumed: TableSize[] };
  segmentsAfterMerging: number;
}

const WINDOWS = 50;
/** A window needs enough searches to have a p95. */
const WINDOW_DOCUMENTS_MIN = 40;
/** Pause between two searches of the one searcher. */
const SEARCH_PAUSE_MS = 20;
/** Ingests and searches before anything counts: code that was never run is slow. */
const WARM_UP_SEARCHES = 300;

/** Ingests into an empty memory as one process of the service does, merging and being searched all the while. */
export async function measureSingleIngests(
  server: BenchServer,
  options: SingleIngestOptions,
): Promise<SingleIngestResult> {
  const { urls } = server;
  const corpus = createCorpus(options.seed);
  const deps = await openBenchDeps(urls);
  const block = Math.max(WINDOW_DOCUMENTS_MIN, Math.ceil(options.documents / WINDOWS));
  const searcher = new Searcher(deps, corpus);
  await warmUp(deps, corpus, searcher, options.documents);
  const windows: IngestWindow[] = [];
  const startedMs = performance.now();
  const searching = searcher.run();
  for (let first = 0; first < options.documents; first += block) {
    const documents = await queueDocuments(deps, corpus, first, Math.min(block, options.documents - first));
    searcher.take();
    const blockMs = performance.now();
    const before = await processorTime(server.roots());
    for (const document of documents) {
      await indexOne(deps, document);
      searcher.chunkCount += 1;
    }
    const latencies = searcher.take();
    const others = othersShare(before, await processorTime(server.roots()));
    const { segments } = await indexSize(urls);
    windows.push({
      others,
      documents: first + documents.length,
      segments,
      ingestsPerSecond: (documents.length / (performance.now() - blockMs)) * 1_000,
      searches: latencies.length,
      p50Ms: quantile(latencies, 0.5),
      p95Ms: quantile(latencies, 0.95),
    });
    options.say(JSON.stringify(windows.at(-1)));
  }
  const elapsedMs = performance.now() - startedMs;
  await searcher.stop(searching);
  const before = await tableSizes(urls);
  await settleMerges(deps);
  await expireGarbage(urls);
  while ((await deps.merger.sweep()) > 0);
  const merged = await tableSizes(urls);
  await vacuumTables(urls);
  const vacuumed = await tableSizes(urls);
  const { segments } = await indexSize(urls);
  const merges = deps.merges();
  await deps.close();
  return {
    documents: options.documents,
    elapsedMs,
    merges,
    windows,
    tables: { before, merged, vacuumed },
    segmentsAfterMerging: segments,
  };
}

/** Runs the code that is to be measured, on documents that are taken out again. */
async function warmUp(deps: BenchDeps, corpus: Corpus, searcher: Searcher, after: number): Promise<void> {
  const documents = await queueDocuments(deps, corpus, after, Math.min(after, WARM_UP_SEARCHES));
  searcher.chunkCount = documents.length;
  for (const document of documents) {
    await indexOne(deps, document);
    await searcher.once();
  }
  await settleMerges(deps);
  const { tenantId, memoryId } = BENCH_MEMORY;
  await deps.app.withTenant(tenantId, async (tx) => {
    await deps.index.drop(tx, BENCH_MEMORY);
    for (const table of ['chunks', 'documents', 'ingest_queue'])
      await tx.execute(`DELETE FROM ${table} WHERE tenant_id = $1 AND memory_id = $2`, [tenantId, memoryId]);
  });
  searcher.chunkCount = 1;
}

/** Asks one query after the other, with a short pause, and keeps how long each took. */
class Searcher {
  /** Chunks there are, of which queries take their rare word. */
  chunkCount = 1;
  private readonly deps: BenchDeps;
  private readonly corpus: Corpus;
  private readonly search;
  private latencies: number[] = [];
  private asked = 0;
  private stopped = false;

  constructor(deps: BenchDeps, corpus: Corpus) {
    this.deps = deps;
    this.corpus = corpus;
    this.search = peerSearch('cairn', deps.index);
  }

  async once(): Promise<void> {
    const query = this.corpus.query(this.asked++, this.chunkCount);
    const askedMs = performance.now();
    await this.search(this.deps.app, query);
    this.latencies.push(performance.now() - askedMs);
  }

  async run(): Promise<void> {
    while (!this.stopped) {
      await this.once();
      await new Promise((resolve) => setTimeout(resolve, SEARCH_PAUSE_MS));
    }
  }

  /** Milliseconds of the searches since the last call. */
  take(): number[] {
    const taken = this.latencies;
    this.latencies = [];
    return taken;
  }

  async stop(running: Promise<void>): Promise<void> {
    this.stopped = true;
    await running;
  }
}
