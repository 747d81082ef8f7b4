import { testIdentity } from '@cairn/testing';
import { quantile } from '../../measurement/quantile.ts';
import type { Caller } from '../../../../apps/memory/src/memories/resolve-memory.ts';
import { runSearch } from '../../../../apps/memory/src/search/run-search.ts';
import { BENCH_MEMORY, type BenchDeps, fillMemory, openBenchDeps, rowOf, settleMerges } from './bench-memory.ts';
import { type CallerTimes, measureCallers } from './callers.ts';
import { asSuperuser, type BenchServer } from './bench-server.ts';
import { type Corpus, createCorpus, type RareWords } from './corpus.ts';
import { linkBatches } from './link-documents.ts';
import { namedCorpus, namingPart } from './named-corpus.ts';
import { peerSearch } from './peers.ts';
import { startPipelineProcesses } from './pipeline-processes.ts';
import { type PipelineServer, startPipelineServer } from './pipeline-server.ts';

/** Times of one way of asking, in milliseconds. */
export interface QueryTimes {
  p50: number;
  p95: number;
}

export interface PipelineResult {
  chunks: number;
  queries: number;
  /** Rows of the graph beside them. */
  graph: { names: number; links: number; facts: number };
  /** Index and chunks alone, ten hits. */
  index: QueryTimes;
  /** Everything behind the HTTP server: look-up, index, graph, signals, answer. */
  pipeline: QueryTimes;
  /** The same through the HTTP server, until the answer has been read. */
  http: QueryTimes;
  /** Through the HTTP server, until the first event of a stream is there. */
  firstEvent: QueryTimes;
  /** Several callers at a time, through the HTTP servers of one process and of two. */
  callers: CallerTimes[];
  /** Steps of the pipeline as `timing_ms` says them. */
  steps: Record<string, QueryTimes>;
}

interface PipelineOptions {
  chunks: number;
  queries: number;
  seed: number;
  /** How frequent rare words are. */
  rareWords: RareWords;
  say: (line: string) => void;
}

const WARM_UP_FIRST = 1_000_000;
const WARM_UP_QUERIES = 200;
const TOP_K = 10;
const CHUNKS_A_LINKING = 512;
const PROCESSES: readonly number[] = [1, 2];

/** One caller asks a memory in all ways by turns, so that they see the same machine; then several, of processes of their own. */
export async function measurePipeline(server: BenchServer, options: PipelineOptions): Promise<PipelineResult> {
  const deps = await openBenchDeps(server.urls);
  const corpus = namedCorpus(createCorpus(options.seed, options.rareWords));
  let asked: PipelineServer | null = null;
  try {
    await fillMemory(deps, corpus, await storedChunks(deps), options.chunks);
    await settleMerges(deps);
    options.say(`filled with ${options.chunks} chunks`);
    await linkMemory(deps, corpus, options);
    await asSuperuser(server.urls, (admin) => admin.query('VACUUM ANALYZE'));
    // Only now: a gateway's admission ends, and a large memory takes longer to fill.
    asked = await startPipelineServer(deps);
    const measured = await measure(deps, asked, corpus, options);
    options.say(JSON.stringify(measured));
    const callers = await askedBySeveral(server, corpus, options);
    return { chunks: options.chunks, queries: options.queries, callers, ...measured };
  } finally {
    await asked?.close();
    await deps.close();
  }
}

/** Each number of processes is new, and warm by other questions. */
async function askedBySeveral(
  server: BenchServer,
  corpus: Corpus,
  { chunks, queries, say }: PipelineOptions,
): Promise<CallerTimes[]> {
  const questions = (first: number, count: number) =>
    Array.from({ length: count }, (_none, n) => corpus.query(first + n, chunks).words.join(' '));
  const times: CallerTimes[] = [];
  for (const count of PROCESSES) {
    const processes = await startPipelineProcesses(server, count);
    try {
      const warmUp = count * WARM_UP_QUERIES;
      await measureCallers(processes, questions(WARM_UP_FIRST, warmUp), { callers: [count], requests: warmUp });
      times.push(...(await measureCallers(processes, questions(0, queries))));
    } finally {
      await processes.close();
    }
    say(JSON.stringify(times));
  }
  return times;
}

async function measure(deps: BenchDeps, server: PipelineServer, corpus: Corpus, options: PipelineOptions) {
  const plain = peerSearch('cairn', deps.index);
  const identity = testIdentity({ tenantId: BENCH_MEMORY.tenantId });
  const times = new Map<string, number[]>();
  const timed = async (name: string, keep: boolean, work: () => Promise<unknown>) => {
    const startedMs = performance.now();
    await work();
    if (keep) times.set(name, [...(times.get(name) ?? []), performance.now() - startedMs]);
  };
  const ask = async (n: number, keep: boolean) => {
    const query = corpus.query(n, options.chunks);
    const text = query.words.join(' ');
    await timed('index', keep, () => plain(deps.app, query));
    await timed('pipeline', keep, async () => {
      const call: Caller = { identity, identityToken: '', signal: new AbortController().signal };
      const run = runSearch(server.deps, call, { query: text, top_k: TOP_K, explain: false }, { isStreamed: false });
      let step = await run.next();
      while (step.done !== true) step = await run.next();
      if (keep)
        for (const [name, ms] of Object.entries(step.value.timing_ms))
          times.set(`step ${name}`, [...(times.get(`step ${name}`) ?? []), ms]);
    });
    await timed('http', keep, () => askOverHttp(server, '/api/v1/memory/search', text));
    await timed('firstEvent', keep, () => firstEvent(server, text));
  };
  for (let n = 0; n < WARM_UP_QUERIES; n++) await ask(WARM_UP_FIRST + n, false);
  for (let n = 0; n < options.queries; n++) await ask(n, true);
  const shown = (name: string) => ({ p50: quantile(times.get(name)!, 0.5), p95: quantile(times.get(name)!, 0.95) });
  const steps = [...times.keys()].filter((name) => name.startsWith('step '));
  const [graph] = await deps.app.withTenant(BENCH_MEMORY.tenantId, (tx) =>
    tx.query<PipelineResult['graph']>(
      'SELECT (SELECT count(*)::int FROM graph_names) AS names, (SELECT count(*)::int FROM graph_links) AS links, (SELECT count(*)::int FROM graph_facts) AS facts',
    ),
  );
  return {
    graph: graph!,
    index: shown('index'),
    pipeline: shown('pipeline'),
    http: shown('http'),
    firstEvent: shown('firstEvent'),
    steps: Object.fromEntries(steps.map((name) => [name.slice('step '.length), shown(name)])),
  };
}

/** Chunks that an earlier run has left; they are the first of the corpus. */
async function storedChunks({ app }: BenchDeps): Promise<number> {
  const [stored] = await app.withTenant(BENCH_MEMORY.tenantId, (tx) =>
    tx.query<{ chunks: number }>('SELECT count(*)::int AS chunks FROM chunks'),
  );
  return stored!.chunks;
}

async function linkedDocuments({ app }: BenchDeps): Promise<Set<string>> {
  const rows = await app.withTenant(BENCH_MEMORY.tenantId, (tx) =>
    tx.query<{ doc_id: string }>('SELECT DISTINCT doc_id FROM graph_chunks'),
  );
  return new Set(rows.map((row) => row.doc_id));
}

/** What ingestion's last step does, over the sentences of all stored chunks that name somebody. */
async function linkMemory(deps: BenchDeps, corpus: Corpus, { chunks, say }: PipelineOptions): Promise<void> {
  const linked = await linkedDocuments(deps);
  function* batches() {
    // Invented words at the beginning of a sentence are read as names, which real text has far fewer of.
    for (let first = 0; first < chunks; first += CHUNKS_A_LINKING) {
      const rows = Array.from({ length: Math.min(CHUNKS_A_LINKING, chunks - first) }, (_, at) => ({
        ...rowOf(corpus, first + at),
        title_path: '',
        body: namingPart(first + at),
      })).filter((row) => !linked.has(row.doc_id));
      if (rows.length > 0) yield rows;
    }
  }
  await linkBatches(deps, batches(), (documents) => say(`linked ${documents} documents`));
}

async function askOverHttp({ url, headers }: PipelineServer, path: string, query: string): Promise<void> {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify({ query, top_k: TOP_K }) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

async function firstEvent({ url, headers }: PipelineServer, query: string): Promise<void> {
  const gone = new AbortController();
  const response = await fetch(`${url}/api/v1/memory/search/stream`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, top_k: TOP_K }),
    signal: gone.signal,
  });
  const { value } = await response.body!.getReader().read();
  if (!Buffer.from(value ?? []).includes('event: sources')) throw new Error('the first event is another one');
  gone.abort();
}
