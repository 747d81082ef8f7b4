import { createDatabase } from '@cairn/postgres';
import { createSegmentIndex } from '@cairn/search-index';
import type { BenchUrls } from './bench-server.ts';
import { createCorpus } from './corpus.ts';
import { type PeerName, peerSearch } from './peers.ts';
import { ANALYSER } from '../../../../apps/memory/src/text/analyser.ts';

/** One cell of the table: a peer, asked by so many callers at a time. */
export interface SearchCell {
  peer: PeerName;
  seed: number;
  chunkCount: number;
  concurrency: number;
  /** Queries asked before, to warm caches and code; others than those that are measured. */
  warmUpQueries: number;
  /** Queries measured, unless the time is over before. */
  queriesMax: number;
  secondsMax: number;
  /** Milliseconds after which PostgreSQL ends a statement; the query then counts as failed. */
  statementTimeoutMs: number;
}

export interface SearchMeasurement {
  /** Milliseconds from the call to the ten chunks, by query. */
  latenciesMs: number[];
  /** Queries that the statement time-out ended; not among the latencies. */
  timedOut: number;
  elapsedMs: number;
  /** Bytes this process had at the end: all of it, and the index's cache. */
  residentBytes: number;
  cachedBytes: number;
  hits: number;
}

/** The service's pool; what waits for a connection is part of the latency. */
const POOL_MAX = 10;
/** First of the queries that warm up; far from those that are measured. */
const WARM_UP_FIRST = 1_000_000;

/** Asks a peer in this process. A new process has cold caches and code that was never run. */
export async function measureSearch(urls: BenchUrls, cell: SearchCell): Promise<SearchMeasurement> {
  const database = createDatabase({
    url: urls.url,
    applicationName: 'bench-search',
    poolMax: POOL_MAX,
    statementTimeoutMs: cell.statementTimeoutMs,
    acquireTimeoutMs: cell.statementTimeoutMs * cell.concurrency,
  });
  const index = createSegmentIndex({ analyser: ANALYSER });
  const search = peerSearch(cell.peer, index);
  const corpus = createCorpus(cell.seed);
  const measured: SearchMeasurement = {
    latenciesMs: [],
    timedOut: 0,
    elapsedMs: 0,
    residentBytes: 0,
    cachedBytes: 0,
    hits: 0,
  };
  const ask = async (n: number) => {
    const query = corpus.query(n, cell.chunkCount);
    const askedMs = performance.now();
    try {
      const ids = await search(database, query);
      measured.hits += ids.length;
      measured.latenciesMs.push(performance.now() - askedMs);
    } catch (error) {
      if (!isStatementTimeout(error)) throw error;
      measured.timedOut += 1;
    }
  };
  const bounds = { concurrency: cell.concurrency, untilMs: performance.now() + cell.secondsMax * 1_000 };
  await inParallel({ ...bounds, first: WARM_UP_FIRST, count: cell.warmUpQueries }, ask);
  Object.assign(measured, { latenciesMs: [], timedOut: 0, hits: 0 });
  const startedMs = performance.now();
  await inParallel({ ...bounds, untilMs: startedMs + cell.secondsMax * 1_000, first: 0, count: cell.queriesMax }, ask);
  measured.elapsedMs = performance.now() - startedMs;
  measured.residentBytes = process.memoryUsage.rss();
  measured.cachedBytes = index.cachedBytes;
  await database.close();
  return measured;
}

interface Round {
  concurrency: number;
  first: number;
  count: number;
  untilMs: number;
}

async function inParallel(round: Round, ask: (n: number) => Promise<void>): Promise<void> {
  let next = round.first;
  const caller = async () => {
    while (next < round.first + round.count && performance.now() < round.untilMs) await ask(next++);
  };
  await Promise.all(Array.from({ length: round.concurrency }, caller));
}

function isStatementTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '57014';
}
