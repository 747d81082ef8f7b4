import type { ResponseOf } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import { inVaults, seesAll, type Visibility, visibilityOf } from '../../memories/visibility.ts';
import { nameEntities } from './describe-entities.ts';
import type { GraphDeps } from './graph-deps.ts';
import { searchNames } from './list-entities.ts';
import { metricsInSubgraph } from './subgraph-metrics.ts';
import { edgesBetween } from './walk-graph.ts';

type Overview = ResponseOf<typeof operations.getGraphOverview>;

/** Links shown for each entity that may be shown: more hide the picture. */
const EDGES_PER_NODE = 3;

/** The most central entities with their places, and what there is besides. */
export async function getGraphOverview(
  deps: GraphDeps,
  context: RequestContext<typeof operations.getGraphOverview>,
): Promise<JsonResponse<typeof operations.getGraphOverview>> {
  const { memory_id, limit } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id });
  return deps.engines.read(memory, async ({ tx, closedVaults }) => ({
    body: await readOverview(tx, memory, visibilityOf(memory, closedVaults), limit),
  }));
}

/** The overview as a caller with this visibility sees it. */
export async function readOverview(tx: Tx, scope: MemoryScope, visible: Visibility, limit: number): Promise<Overview> {
  const found = await mostCentral(tx, scope, { visible, limit });
  const ids = found.map(({ entity_id }) => entity_id);
  const named = await nameEntities(tx, scope, ids, visible);
  const edges = await edgesBetween(tx, scope, ids, { types: null, visible });
  const sizes = await communitySizes(tx, scope, visible);
  const placed = found.filter(({ entity_id }) => named.has(entity_id));
  const seen = seesAll(visible) ? placed : withOwnMetrics(placed, edges);
  const nodes = seen.map(({ entity_id, community_id, centrality, x, y }): Overview['nodes'][number] => {
    const { name, type, documents } = named.get(entity_id)!;
    return { entity_id, name, type, community_id, centrality, document_count: documents, x, y };
  });
  const shown = edges.slice(0, EDGES_PER_NODE * limit);
  return {
    nodes,
    edges: shown,
    communities: communitiesOf(nodes, sizes, visible),
    totals: { entities: sizes.entities, communities: seesAll(visible) ? sizes.of.size : communityCount(nodes) },
    truncated: nodes.length < sizes.entities,
    edges_truncated: shown.length < edges.length,
  };
}

interface Placed {
  entity_id: string;
  community_id: number;
  centrality: number;
  x: number | null;
  y: number | null;
}

/** Those with a place, or before any has one those that documents mention most. */
async function mostCentral(
  tx: Tx,
  scope: MemoryScope,
  { visible, limit }: { visible: Visibility; limit: number },
): Promise<Placed[]> {
  if (seesAll(visible)) {
    const rows = await tx.query<Placed>({
      name: 'graph_placed',
      text: `SELECT entity_id, max(community_id) AS community_id, max(centrality)::float8 AS centrality,
                    max(x)::text::float8 AS x, max(y)::text::float8 AS y
               FROM graph_names WHERE tenant_id = $1 AND memory_id = $2 AND x IS NOT NULL
              GROUP BY entity_id ORDER BY max(centrality) DESC, entity_id LIMIT $3`,
      values: [scope.tenantId, scope.memoryId, limit],
    });
    if (rows.length > 0) return rows;
  }
  const wanted = { norm: '', type: null, visible, sort: 'mentions', after: null, rows: limit } as const;
  return (await searchNames(tx, scope, wanted)).map(({ entity_id, community_id, centrality }) => ({
    entity_id,
    community_id,
    centrality,
    x: null,
    y: null,
  }));
}

/** Metrics of the whole memory would tell about documents that the caller cannot see. */
function withOwnMetrics(placed: readonly Placed[], edges: Overview['edges']): Placed[] {
  const walk = metricsInSubgraph({ nodes: placed.map((one) => ({ ...one, hop: 0 })), edges, truncated: false });
  return walk.nodes.map(({ entity_id, community_id, centrality }) => ({
    entity_id,
    community_id,
    centrality,
    x: null,
    y: null,
  }));
}

interface Sizes {
  entities: number;
  /** Entities of each community; 0, which is none, is left out. */
  of: Map<number, number>;
}

async function communitySizes(tx: Tx, scope: MemoryScope, visible: Visibility): Promise<Sizes> {
  const rows = await tx.query<{ community_id: number; entities: number }>({
    name: 'graph_community_sizes',
    text: `SELECT community_id, count(DISTINCT entity_id)::int AS entities FROM graph_names AS own
            WHERE tenant_id = $1 AND memory_id = $2
              AND (($3::text[] IS NULL AND $4::text[] = '{}') OR EXISTS (
                    SELECT FROM graph_mentions AS m WHERE m.tenant_id = $1 AND m.memory_id = $2 AND m.name_no = own.name_no AND ${inVaults('m.vault_id', 3, 4)}))
            GROUP BY community_id`,
    values: [scope.tenantId, scope.memoryId, visible.vaults, visible.hidden],
  });
  const entities = rows.reduce((sum, row) => sum + row.entities, 0);
  return {
    entities,
    of: new Map(rows.filter((row) => row.community_id > 0).map((row) => [row.community_id, row.entities])),
  };
}

function communityCount(nodes: Overview['nodes']): number {
  return new Set(nodes.map(({ community_id }) => community_id).filter((id) => id > 0)).size;
}

/** The communities of the nodes, called after their most central entity; nodes come most central first. */
function communitiesOf(nodes: Overview['nodes'], sizes: Sizes, visible: Visibility): Overview['communities'] {
  const members = Map.groupBy(
    nodes.filter(({ community_id }) => community_id > 0),
    ({ community_id }) => community_id,
  );
  const communities = [...members].map(([community_id, [first, ...others]]) => ({
    community_id,
    name: first!.name,
    entity_id: first!.entity_id,
    size: seesAll(visible) ? (sizes.of.get(community_id) ?? 1) : 1 + others.length,
  }));
  return communities.sort((a, b) => b.size - a.size || a.community_id - b.community_id);
}
