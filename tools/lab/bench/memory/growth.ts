import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BenchDeps, fillMemory, openBenchDeps, settleMerges } from './bench-memory.ts';
import type { BenchServer, BenchUrls } from './bench-server.ts';
import { type Corpus, createCorpus } from './corpus.ts';
import type { MeasureArguments } from './measure-process.ts';
import type { SearchCell, SearchMeasurement } from './measure-search.ts';
import { buildVectors, type PeerName, type VectorBuild } from './peers.ts';
import { expireGarbage, indexSize, type IndexSize, vacuumTables } from './table-sizes.ts';
import { measureVisibility } from './visibility.ts';

const run = promisify(execFile);

interface GrowthOptions {
  /** Chunks in the memory, ascending; each size adds to the one before. */
  sizes: readonly number[];
  peers: readonly PeerName[];
  concurrencies: readonly number[];
  /** Longest that one warm cell is measured. */
  secondsMax: number;
  queriesMax: number;
  seed: number;
  say: (line: string) => void;
}

export interface MeasuredCell {
  peer: PeerName;
  temperature: 'warm' | 'cold';
  concurrency: number;
  measured: SearchMeasurement;
}

/** All that was measured at one size. Times in milliseconds. */
export interface SizeResult {
  chunks: number;
  /** Chunks added for this size, the time their transactions took, and the time merges went on after the last. */
  added: number;
  writingMs: number;
  mergingMs: number;
  merges: number;
  index: IndexSize;
  vectors: VectorBuild | null;
  /** From the commit to the end of the first search that finds the chunk, from another replica's view. */
  visibleMs: number[];
  /** Searches that had to be repeated because the chunk was not there yet. */
  visibleRetries: number;
  cells: MeasuredCell[];
}

/** Grows one memory and measures both peers at every size. */
export async function measureGrowth(server: BenchServer, options: GrowthOptions): Promise<SizeResult[]> {
  const corpus = createCorpus(options.seed);
  const results: SizeResult[] = [];
  let before = 0;
  for (const size of options.sizes) {
    results.push(await measureSize(server, corpus, before, size, options));
    before = size;
  }
  return results;
}

async function measureSize(
  server: BenchServer,
  corpus: Corpus,
  before: number,
  size: number,
  options: GrowthOptions,
): Promise<SizeResult> {
  const { urls } = server;
  const { say } = options;
  const deps = await openBenchDeps(urls);
  const { writingMs } = await fillMemory(deps, corpus, before, size);
  say(`${size} chunks: ${size - before} written in ${Math.round(writingMs)} ms`);
  const mergingMs = await settleMerges(deps);
  await sweepAll(urls, deps);
  const index = await indexSize(urls);
  const { visibleMs, retries } = await measureVisibility(deps, urls, size);
  const merges = deps.merges();
  await deps.close();
  say(`${size} chunks: ${index.segments} segments, ${Math.round(index.payloadBytes / index.chunks)} bytes a chunk`);
  const vectors = options.peers.includes('ts_rank') ? await buildVectors(urls) : null;
  const cells: MeasuredCell[] = [];
  for (const cell of cellsOf(size, options)) {
    if (cell.temperature === 'cold') await server.restart();
    const measured = await inOwnProcess(urls, cell.cell);
    const { peer, concurrency } = cell.cell;
    cells.push({ peer, temperature: cell.temperature, concurrency, measured });
    say(`${size} chunks, ${peer}, ${cell.temperature}, ${concurrency}: ${quick(measured)}`);
  }
  return {
    chunks: size,
    added: size - before,
    writingMs,
    mergingMs,
    merges,
    index,
    vectors,
    visibleMs,
    visibleRetries: retries,
    cells,
  };
}

async function sweepAll(urls: BenchUrls, deps: BenchDeps): Promise<void> {
  await expireGarbage(urls);
  while ((await deps.merger.sweep()) > 0);
  await vacuumTables(urls);
}

/** A peer that needs seconds for one query is stopped by the time, not by the number of queries. */
const STATEMENT_TIMEOUT_MS = 60_000;
const COLD_QUERIES = 100;
const WARM_UP_QUERIES = 300;

function cellsOf(size: number, options: GrowthOptions): { temperature: 'warm' | 'cold'; cell: SearchCell }[] {
  const { peers, concurrencies, secondsMax, queriesMax, seed } = options;
  return (['warm', 'cold'] as const).flatMap((temperature) =>
    peers.flatMap((peer) =>
      concurrencies.map((concurrency) => ({
        temperature,
        cell: {
          peer,
          seed,
          concurrency,
          secondsMax,
          chunkCount: size,
          warmUpQueries: temperature === 'cold' ? 0 : WARM_UP_QUERIES,
          queriesMax: temperature === 'cold' ? Math.min(COLD_QUERIES, queriesMax) : queriesMax,
          statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        },
      })),
    ),
  );
}

const OUTPUT_MAX_BYTES = 64 * 1024 * 1024;

async function inOwnProcess(urls: BenchUrls, cell: SearchCell): Promise<SearchMeasurement> {
  const given: MeasureArguments = { urls, cell };
  const script = join(import.meta.dirname, 'measure-process.ts');
  const { stdout } = await run(process.execPath, [script, JSON.stringify(given)], { maxBuffer: OUTPUT_MAX_BYTES });
  return JSON.parse(stdout) as SearchMeasurement;
}

function quick({ latenciesMs, timedOut }: SearchMeasurement): string {
  const sorted = [...latenciesMs].sort((a, b) => a - b);
  const at = (q: number) => sorted[Math.ceil(q * sorted.length) - 1]?.toFixed(1) ?? '—';
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)} ms of ${sorted.length}${timedOut > 0 ? `, ${timedOut} timed out` : ''}`;
}
