import type { Database, Tx } from '@cairn/postgres';
import { analyseInThread, type ThreadLimits } from './analyse-in-thread.ts';
import type { EdgeList } from './page-rank.ts';
import type { Positions } from './place-entities.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

/** Rises when the same graph would give other metrics or positions. */
export const ANALYSIS_VERSION = 1;

/** Most that one analysis reads; what lies beyond keeps the metrics it has. */
const NAMES_MAX = 500_000;
const LINKS_MAX = 2_000_000;
const PAGE_ROWS = 20_000;
const WRITE_ROWS = 2_000;
/** A change of centrality that is not worth a row. */
const CENTRALITY_STEP = 0.001;
/** A change of place that is not worth a row, of a picture two wide. */
const POSITION_STEP = 0.005;

interface ReadGraph {
  entityIds: string[];
  /** Node of each name, by number. */
  nodeOf: Map<number, number>;
  edges: EdgeList;
  /** Community, centrality and position as they stand. */
  communities: Int32Array;
  centrality: Float64Array;
  positions: Positions;
  revision: number;
}

/** Recomputes communities, centrality and positions of a memory, off the event loop, and writes what changed. */
export async function recomputeGraphMetrics(
  database: Database,
  scope: MemoryScope,
  limits: ThreadLimits,
  signal: AbortSignal,
): Promise<void> {
  const graph = await database.withTenant(scope.tenantId, (tx) => readGraph(tx, scope), { mode: 'snapshot' });
  if (graph.entityIds.length > 0) {
    const before = { communities: graph.communities, positions: graph.positions };
    const analysed = await analyseInThread({ edges: graph.edges, before }, limits, signal);
    const changed = graph.entityIds.flatMap((entityId, node) => {
      const [community, centrality] = [analysed.communities[node]!, analysed.centrality[node]!];
      const same =
        community === graph.communities[node] &&
        Math.abs(centrality - graph.centrality[node]!) < CENTRALITY_STEP &&
        isSamePlace(graph.positions, analysed.positions, node);
      const [x, y] = [analysed.positions.x[node]!, analysed.positions.y[node]!];
      return same ? [] : [{ entityId, community, centrality, x: orNull(x), y: orNull(y) }];
    });
    for (let from = 0; from < changed.length && !signal.aborted; from += WRITE_ROWS)
      await writeMetrics(database, scope, changed.slice(from, from + WRITE_ROWS));
  }
  await database.withTenant(scope.tenantId, (tx) =>
    tx.execute(
      'UPDATE graph_memories SET analysed_revision = $3, analysis_version = $4, analysed_at = now() WHERE tenant_id = $1 AND memory_id = $2',
      [scope.tenantId, scope.memoryId, graph.revision, ANALYSIS_VERSION],
    ),
  );
}

function orNull(place: number): number | null {
  return Number.isNaN(place) ? null : place;
}

function isSamePlace(before: Positions, now: Positions, node: number): boolean {
  const moved = (a: number, b: number) =>
    Number.isNaN(a) || Number.isNaN(b) ? Number.isNaN(a) !== Number.isNaN(b) : Math.abs(a - b) >= POSITION_STEP;
  return !moved(before.x[node]!, now.x[node]!) && !moved(before.y[node]!, now.y[node]!);
}

interface ChangedMetrics {
  entityId: string;
  community: number;
  centrality: number;
  x: number | null;
  y: number | null;
}

async function writeMetrics(database: Database, scope: MemoryScope, rows: readonly ChangedMetrics[]): Promise<void> {
  await database.withTenant(scope.tenantId, async (tx) => {
    // Under the lock of those who count names, so that neither waits for the other in a circle.
    await tx.query('SELECT 1 FROM graph_memories WHERE tenant_id = $1 AND memory_id = $2 FOR UPDATE', [
      scope.tenantId,
      scope.memoryId,
    ]);
    await tx.execute(
      `UPDATE graph_names SET community_id = stand.community, centrality = stand.centrality, x = stand.x, y = stand.y
         FROM unnest($3::text[], $4::int[], $5::float8[], $6::real[], $7::real[]) AS stand (entity, community, centrality, x, y)
        WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = stand.entity`,
      [
        scope.tenantId,
        scope.memoryId,
        rows.map((row) => row.entityId),
        rows.map((row) => row.community),
        rows.map((row) => row.centrality),
        rows.map((row) => row.x),
        rows.map((row) => row.y),
      ],
    );
  });
}

async function readGraph(tx: Tx, scope: MemoryScope): Promise<ReadGraph> {
  const values = [scope.tenantId, scope.memoryId];
  const [memory] = await tx.query<{ revision: number }>(
    'SELECT revision FROM graph_memories WHERE tenant_id = $1 AND memory_id = $2',
    values,
  );
  const read: ReadGraph = {
    entityIds: [],
    nodeOf: new Map(),
    revision: memory?.revision ?? 0,
    edges: { nodes: 0, sources: [], targets: [], weights: [] },
    communities: new Int32Array(0),
    centrality: new Float64Array(0),
    positions: { x: new Float32Array(0), y: new Float32Array(0) },
  };
  await readNames(tx, scope, read);
  await readLinks(tx, scope, read);
  return read;
}

interface NamePage {
  name_no: number;
  entity_id: string;
  community_id: number;
  centrality: number;
  x: number | null;
  y: number | null;
}

async function readNames(tx: Tx, scope: MemoryScope, read: ReadGraph): Promise<void> {
  const nodes = new Map<string, number>();
  const communities: number[] = [];
  const centrality: number[] = [];
  const x: number[] = [];
  const y: number[] = [];
  for (let after = 0; read.nodeOf.size < NAMES_MAX;) {
    const page = await tx.query<NamePage>({
      name: 'graph_names_page',
      text: `SELECT name_no, entity_id, community_id, centrality, x, y FROM graph_names
              WHERE tenant_id = $1 AND memory_id = $2 AND name_no > $3 ORDER BY name_no LIMIT ${PAGE_ROWS}`,
      values: [scope.tenantId, scope.memoryId, after],
    });
    for (const row of page) {
      let node = nodes.get(row.entity_id);
      if (node === undefined) {
        node = read.entityIds.push(row.entity_id) - 1;
        nodes.set(row.entity_id, node);
        communities.push(row.community_id);
        centrality.push(row.centrality);
        x.push(row.x ?? Number.NaN);
        y.push(row.y ?? Number.NaN);
      }
      read.nodeOf.set(row.name_no, node);
    }
    if (page.length < PAGE_ROWS) break;
    after = page.at(-1)!.name_no;
  }
  read.communities = Int32Array.from(communities);
  read.centrality = Float64Array.from(centrality);
  read.positions = { x: Float32Array.from(x), y: Float32Array.from(y) };
}

interface LinkPage {
  source: number;
  target: number;
  weight: number;
}

async function readLinks(tx: Tx, scope: MemoryScope, read: ReadGraph): Promise<void> {
  const sums = new Map<number, number>();
  const nodes = read.entityIds.length;
  let after: [number, number] = [0, 0];
  for (let links = 0; links < LINKS_MAX; links += PAGE_ROWS) {
    const page = await tx.query<LinkPage>({
      name: 'graph_links_page',
      text: `SELECT source, target, sum(weight)::float8 AS weight FROM graph_links
              WHERE tenant_id = $1 AND memory_id = $2 AND (target, source) > ($3, $4)
              GROUP BY target, source ORDER BY target, source LIMIT ${PAGE_ROWS}`,
      values: [scope.tenantId, scope.memoryId, ...after],
    });
    for (const { source, target, weight } of page) {
      const [a, b] = [read.nodeOf.get(source), read.nodeOf.get(target)];
      if (a === undefined || b === undefined || a === b) continue;
      const key = Math.min(a, b) * nodes + Math.max(a, b);
      sums.set(key, (sums.get(key) ?? 0) + weight / 100);
    }
    if (page.length < PAGE_ROWS) break;
    after = [page.at(-1)!.target, page.at(-1)!.source];
  }
  const sources = new Int32Array(sums.size);
  const targets = new Int32Array(sums.size);
  const weights = new Float64Array(sums.size);
  let at = 0;
  for (const [key, weight] of sums) {
    sources[at] = Math.floor(key / nodes);
    targets[at] = key % nodes;
    weights[at] = weight;
    at += 1;
  }
  read.edges = { nodes, sources, targets, weights };
}
