import type { exploreGraph as exploreOperation } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import { collectGarbage, type RequestContext } from '@cairn/service-kit';
import { processorTime } from '@cairn/testing';
import { callInTurns } from '../../../measurement/callers.ts';
import { quantile } from '../../../measurement/quantile.ts';
import {
  type AdjacencyCache,
  createAdjacencyCache,
} from '../../../../../apps/memory/src/graph/adjacency/adjacency-cache.ts';
import { exploreGraph } from '../../../../../apps/memory/src/graph/query/explore-graph.ts';
import type { WalkDeps } from '../../../../../apps/memory/src/graph/query/graph-deps.ts';
import { recordGraphChange } from '../../../../../apps/memory/src/graph/store/graph-lock.ts';
import { whileReadable } from '../../../../../apps/memory/src/memories/closed-scopes.ts';
import type { MemoryScope, TargetMemory } from '../../../../../apps/memory/src/memories/memory-scope.ts';
import { entityIdOf, type RandomGraphSize } from './random-graph.ts';

export interface ExploreResult {
  cells: ExploreCell[];
  /** Milliseconds until a graph that nobody asked about is kept. */
  readMs: number;
  readCpuMs: number;
  heldMb: number;
  /** Milliseconds of the first request after a change of the hub's links, p50 and p95. */
  afterChange: [number, number];
  callers: CallersCell[];
}

interface ExploreCell {
  start: Start;
  hops: number;
  nodes: number;
  edges: number;
  /** Milliseconds, p50 and p95: with the graph kept in memory, and by SQL. */
  kept: [number, number];
  sql: [number, number];
  /** The nodes alone by one recursive statement; null where it was not asked. */
  recursiveP50: number | null;
}

interface CallersCell {
  callers: number;
  kept: CallersTimes;
  sql: CallersTimes;
}

interface CallersTimes {
  perSecond: number;
  times: [number, number];
  /** Processor time for a request. */
  serviceMs: number;
  postgresMs: number;
}

type Start = 'hub' | 'any';

const LIMIT = 500;
const WARM_UP = 2;
const RECURSIVE_WALKS = 2;
/** From so many hops on the recursive statement takes minutes. */
const RECURSIVE_HOPS_MAX = 2;
const CALLERS = [1, 8, 32];
const CALLERS_HOPS = 3;
const CHANGES = 10;
/** One request in so many begins at the hub. */
const HUB_EVERY = 10;

interface Bench {
  database: Database;
  postgresPid: number;
  memory: TargetMemory;
  size: RandomGraphSize;
  say: (line: string) => void;
}

/** Requests of the whole operation, without HTTP: with the graph kept, and by SQL alone, in the same run. */
export async function measureExplore(
  bench: Bench,
  options: { hops: readonly number[]; walks: number; seconds: number },
): Promise<ExploreResult> {
  const cache = createAdjacencyCache();
  const sqlAlone: AdjacencyCache = {
    at: () => Promise.resolve(null),
    settled: () => Promise.resolve(),
    purgeIdle() {},
  };
  const [kept, sql] = [cache, sqlAlone].map((adjacency) => requestsOf(bench, adjacency)) as [Ask, Ask];
  const beforeBytes = await heldBytes();
  const [readStartedMs, used] = [performance.now(), process.cpuUsage()];
  await kept('any', 1, 1);
  await cache.settled();
  const readMs = performance.now() - readStartedMs;
  const reading = process.cpuUsage(used);
  const readCpuMs = (reading.user + reading.system) / 1_000;
  const heldMb = ((await heldBytes()) - beforeBytes) / 1e6;
  bench.say(`read in ${readMs.toFixed(0)} ms, processor ${readCpuMs.toFixed(0)} ms, ${heldMb.toFixed(0)} MB`);
  const cells: ExploreCell[] = [];
  for (const start of ['any', 'hub'] as const)
    for (const hops of options.hops) {
      const cell = await measureCell(bench, { kept, sql }, start, hops, options.walks);
      cells.push(cell);
      bench.say(
        `${start} ${hops} hops: ${shown(cell.kept)}, by SQL ${shown(cell.sql)}, recursive ${cell.recursiveP50?.toFixed(1) ?? '-'} ms`,
      );
    }
  const afterChange = await measureChanges(bench, kept);
  bench.say(`after a change: ${shown(afterChange)} ms`);
  const callers: CallersCell[] = [];
  for (const count of CALLERS) {
    const cell = {
      callers: count,
      kept: await measureCallers(bench, kept, count, options.seconds),
      sql: await measureCallers(bench, sql, count, options.seconds),
    };
    callers.push(cell);
    bench.say(`${count} callers: ${JSON.stringify(cell)}`);
  }
  return { cells, readMs, readCpuMs, heldMb, afterChange, callers };
}

/** Bytes of the heap and of arrays outside of it, after a collection. */
async function heldBytes(): Promise<number> {
  collectGarbage();
  await new Promise((resolve) => setImmediate(resolve));
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

type Ask = (start: Start, hops: number, n: number) => Promise<{ nodes: number; edges: number }>;

function requestsOf({ database, memory, size }: Bench, adjacency: AdjacencyCache): Ask {
  const refused = () => Promise.reject(new Error('is not used'));
  const deps: WalkDeps = {
    adjacency,
    memories: { resolve: () => Promise.resolve(memory), listEngines: refused },
    engines: {
      async read(scope, work) {
        const done = await whileReadable(database, scope, async (tx, closedVaults) => ({
          value: await work({ tx, closedVaults } as Parameters<typeof work>[0]),
        }));
        return done!.value;
      },
      write: refused,
      readTenant: refused,
    },
  };
  return async (start, hops, n) => {
    const context = {
      params: { entity_id: startOf(start, n, size) },
      query: { max_hops: hops, limit: LIMIT },
    } as RequestContext<typeof exploreOperation>;
    const { body } = await exploreGraph(deps, context);
    return { nodes: body.nodes.length, edges: body.edges.length };
  };
}

function startOf(start: Start, n: number, size: RandomGraphSize): string {
  return entityIdOf(start === 'hub' ? 0 : 1 + (((n + 7) * 7_919) % (size.entities - 1)));
}

async function measureCell(
  bench: Bench,
  ways: { kept: Ask; sql: Ask },
  start: Start,
  hops: number,
  walks: number,
): Promise<ExploreCell> {
  const times = { kept: [] as number[], sql: [] as number[] };
  let [nodes, edges] = [0, 0];
  for (let n = -WARM_UP; n < walks; n += 1)
    for (const way of ['kept', 'sql'] as const) {
      // By SQL half of them, as each takes many times longer.
      if (way === 'sql' && n % 2 !== 0) continue;
      const startedMs = performance.now();
      const found = await ways[way](start, hops, n);
      if (n >= 0) times[way].push(performance.now() - startedMs);
      nodes = Math.max(nodes, found.nodes);
      edges = Math.max(edges, found.edges);
    }
  const recursiveP50 = hops <= RECURSIVE_HOPS_MAX ? await recursiveTimes(bench, start, hops) : null;
  return { start, hops, nodes, edges, kept: quantiles(times.kept), sql: quantiles(times.sql), recursiveP50 };
}

/** Each time one link of the hub has another weight, as after a document that names it. */
async function measureChanges({ database, memory }: Bench, ask: Ask): Promise<[number, number]> {
  const times: number[] = [];
  for (let n = 0; n < CHANGES; n += 1) {
    await database.withTenant(memory.tenantId, async (tx) => {
      await tx.execute(
        `UPDATE graph_links SET weight = weight + 1 WHERE tenant_id = $1 AND memory_id = $2 AND source = 1 AND target = $3`,
        [memory.tenantId, memory.memoryId, n + 2],
      );
      await recordGraphChange(tx, memory, new Set([1, n + 2]));
    });
    const startedMs = performance.now();
    await ask('hub', CALLERS_HOPS, n);
    times.push(performance.now() - startedMs);
  }
  return quantiles(times);
}

async function measureCallers(bench: Bench, ask: Ask, callers: number, seconds: number): Promise<CallersTimes> {
  const [used, postgres] = [process.cpuUsage(), await processorTime([bench.postgresPid])];
  const { times, perSecond } = await callInTurns(numbersFor(seconds), callers, (n) =>
    ask(n % HUB_EVERY === 0 ? 'hub' : 'any', CALLERS_HOPS, n),
  );
  const [own, after] = [process.cpuUsage(used), await processorTime([bench.postgresPid])];
  return {
    perSecond,
    times: quantiles(times),
    serviceMs: (own.user + own.system) / 1_000 / times.length,
    postgresMs: (after.own - postgres.own) / times.length,
  };
}

function* numbersFor(seconds: number): Iterable<number> {
  const endMs = performance.now() + seconds * 1_000;
  for (let n = 0; performance.now() < endMs; n += 1) yield n;
}

function quantiles(times: readonly number[]): [number, number] {
  return [quantile(times, 0.5), quantile(times, 0.95)];
}

function shown([p50, p95]: [number, number]): string {
  return `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
}

/** The peer: one WITH RECURSIVE that finds the hop of every node, ordered and cut as the walk is. */
async function recursiveTimes({ database, memory, size }: Bench, start: Start, hops: number): Promise<number> {
  const times: number[] = [];
  for (let walk = 0; walk < RECURSIVE_WALKS; walk += 1) {
    const startedMs = performance.now();
    await inSnapshot(database, memory, (tx) =>
      tx.query(
        `WITH RECURSIVE reached AS (
           SELECT name_no, 0 AS hop FROM graph_names WHERE tenant_id = $1 AND memory_id = $2 AND entity_id = $3
           UNION
           SELECT link.other, reached.hop + 1 FROM reached CROSS JOIN LATERAL (
             SELECT target AS other FROM graph_links WHERE tenant_id = $1 AND memory_id = $2 AND source = reached.name_no
             UNION ALL
             SELECT source FROM graph_links WHERE tenant_id = $1 AND memory_id = $2 AND target = reached.name_no) AS link
            WHERE reached.hop < $4)
         SELECT entity_id, min(hop) AS hop FROM reached JOIN graph_names USING (name_no)
          WHERE tenant_id = $1 AND memory_id = $2 GROUP BY entity_id ORDER BY min(hop), max(centrality) DESC, entity_id LIMIT $5`,
        [memory.tenantId, memory.memoryId, startOf(start, walk, size), hops, LIMIT],
      ),
    );
    times.push(performance.now() - startedMs);
  }
  return quantile(times, 0.5);
}

function inSnapshot<T>(database: Database, scope: MemoryScope, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.withTenant(scope.tenantId, work, { mode: 'snapshot' });
}
