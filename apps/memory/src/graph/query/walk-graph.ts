import type { Tx } from '@cairn/postgres';
import { CO_OCCURS } from '../extract/extraction.ts';
import { inVaults, type Visibility } from '../../memories/visibility.ts';
import type { PathGraph, WeightedPair } from './find-path.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

export interface WalkRequest {
  start: string;
  maxHops: number;
  /** Relationships that are followed; null for all. */
  types: readonly string[] | null;
  /** Nodes at most, the start included. */
  limit: number;
  visible: Visibility;
}

export interface Walk {
  /** Entities with the hop they were reached at: by hop, then by centrality, the most central first. */
  nodes: { entity_id: string; hop: number; centrality: number; community_id: number }[];
  edges: WalkedEdge[];
  /** More could be reached, or more links lie between the nodes, than the answer holds. */
  truncated: boolean;
}

interface WalkedEdge {
  source: string;
  target: string;
  type: string;
  weight: number;
}

/** Links between the nodes of an answer, at most; the weightiest are kept. */
export const EDGES_MAX = 20_000;

/**
 * One breadth-first walk in both directions of the links, a statement a hop. The answer is the beginning of the whole
 * walk in the order hop, centrality, id, so that a limit cuts off only the end.
 */
export async function walkGraph(tx: Tx, scope: MemoryScope, request: WalkRequest): Promise<Walk> {
  const nodes: Walk['nodes'] = [];
  const seen: string[] = [];
  let frontier = [request.start];
  let truncated = false;
  const first = await metricsOf(tx, scope, request.start);
  nodes.push({ entity_id: request.start, hop: 0, ...first });
  seen.push(request.start);
  for (let hop = 1; hop <= request.maxHops && frontier.length > 0; hop += 1) {
    const room = request.limit - nodes.length;
    const reached = await neighboursOf(tx, scope, { frontier, seen, room: room + 1, request });
    if (reached.length > room) truncated = true;
    const kept = reached.slice(0, room);
    for (const node of kept) nodes.push({ ...node, hop });
    if (truncated) break;
    frontier = kept.map((node) => node.entity_id);
    seen.push(...frontier);
  }
  const edges = await edgesBetween(
    tx,
    scope,
    nodes.map((node) => node.entity_id),
    request,
  );
  return { nodes, edges: edges.slice(0, EDGES_MAX), truncated: truncated || edges.length > EDGES_MAX };
}

/** Centrality and community of an entity in the whole memory. */
export async function metricsOf(
  tx: Tx,
  scope: MemoryScope,
  entityId: string,
): Promise<{ centrality: number; community_id: number }> {
  const rows = await tx.query<{ centrality: number; community_id: number }>({
    name: 'graph_standing',
    text: `SELECT max(centrality)::float8 AS centrality, max(community_id) AS community_id FROM graph_names
            WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = $3`,
    values: [scope.tenantId, scope.memoryId, entityId],
  });
  return { centrality: rows[0]?.centrality ?? 0, community_id: rows[0]?.community_id ?? 0 };
}

/** The conditions on links that are followed. */
export type LinkConditions = Pick<WalkRequest, 'types' | 'visible'>;

interface Step {
  frontier: readonly string[];
  seen: readonly string[];
  room: number;
  request: LinkConditions;
}

/** The condition on a link that is followed; parameters from `first` on: types, vaults, hidden vaults. */
const followed = (first: number) =>
  `($${first}::text[] IS NULL OR type = ANY($${first})) AND ${inVaults('vault_id', first + 1, first + 2)}`;

/** Names of the entities in a parameter, by number; tenant and memory are the first two parameters. */
const numbered = (parameter: number, column: 'entity_id' | 'one' | 'other') =>
  `SELECT own.name_no, w AS ${column} FROM unnest($${parameter}::text[]) AS wanted (w)
    CROSS JOIN LATERAL (SELECT name_no FROM graph_names WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = w OFFSET 0) AS own`;

async function neighboursOf(
  tx: Tx,
  scope: MemoryScope,
  { frontier, seen, room, request }: Step,
): Promise<Omit<Walk['nodes'][number], 'hop'>[]> {
  return tx.query({
    name: 'graph_neighbours',
    text: `WITH begin AS MATERIALIZED (
             SELECT name_no FROM unnest($3::text[]) AS wanted (w)
              CROSS JOIN LATERAL (SELECT name_no FROM graph_names WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = w OFFSET 0) AS own),
           reached AS MATERIALIZED (
             SELECT link.other FROM begin CROSS JOIN LATERAL (
               SELECT target AS other FROM graph_links WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND source = begin.name_no AND ${followed(5)}
               UNION ALL
               SELECT source FROM graph_links WHERE tenant_id = $1 AND memory_id = $2 AND target = begin.name_no AND ${followed(5)}) AS link
             -- Set operations are hashed, however few rows the planner expects.
             EXCEPT SELECT own.name_no FROM unnest($4::text[]) AS seen (s)
              CROSS JOIN LATERAL (SELECT name_no FROM graph_names WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND entity_id = s OFFSET 0) AS own)
           SELECT entity_id, max(centrality)::float8 AS centrality, max(community_id) AS community_id
             FROM reached CROSS JOIN LATERAL (
               SELECT entity_id, centrality, community_id FROM graph_names
                WHERE tenant_id = $1 AND memory_id = $2 AND name_no = reached.other OFFSET 0) AS name
            GROUP BY entity_id ORDER BY max(centrality) DESC, entity_id LIMIT $8`,
    values: [
      scope.tenantId,
      scope.memoryId,
      frontier,
      seen,
      request.types,
      request.visible.vaults,
      request.visible.hidden,
      room,
    ],
  });
}

/** The graph of the followed links, for a search of paths. */
export function pathGraph(tx: Tx, scope: MemoryScope, request: LinkConditions): PathGraph {
  return {
    async neighbours(frontier, seen, room) {
      const found = await neighboursOf(tx, scope, { frontier, seen, room, request });
      return found.map(({ entity_id }) => entity_id);
    },
    weights: (ones, others) => weightsBetween(tx, scope, { ones, others, request }),
  };
}

/** Links that are kept of each entity where the weights between two sets are asked for. */
export const PAIRS_PER_ENTITY = 20;

/** Links between entities of the one and of the other set, summed over directions and types: the weightiest of each one's. */
async function weightsBetween(
  tx: Tx,
  scope: MemoryScope,
  { ones, others, request }: { ones: readonly string[]; others: readonly string[]; request: LinkConditions },
): Promise<WeightedPair[]> {
  return tx.query<WeightedPair>({
    name: 'graph_weights_between',
    text: `WITH begin AS MATERIALIZED (
             ${numbered(3, 'one')}),
           finish AS MATERIALIZED (
             ${numbered(4, 'other')}),
           summed AS (
             SELECT begin.one, finish.other, (sum(link.weight) / 100.0)::float8 AS weight
               FROM begin CROSS JOIN LATERAL (
                 SELECT target AS name_no, weight FROM graph_links WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND source = begin.name_no AND ${followed(5)}
                 UNION ALL
                 SELECT source, weight FROM graph_links WHERE tenant_id = $1 AND memory_id = $2 AND target = begin.name_no AND ${followed(5)}) AS link
               JOIN finish ON finish.name_no = link.name_no
              GROUP BY 1, 2)
           SELECT one, other, weight FROM (
             SELECT *, row_number() OVER (PARTITION BY one ORDER BY weight DESC, other) AS place FROM summed) AS placed
            WHERE place <= ${PAIRS_PER_ENTITY} ORDER BY weight DESC, one, other`,
    values: [
      scope.tenantId,
      scope.memoryId,
      ones,
      others,
      request.types,
      request.visible.vaults,
      request.visible.hidden,
    ],
  });
}

/** Links summed by entities and type. Names that stand together do so in no direction: one link for each pair. */
export async function edgesBetween(
  tx: Tx,
  scope: MemoryScope,
  entityIds: readonly string[],
  request: LinkConditions,
): Promise<WalkedEdge[]> {
  return tx.query<WalkedEdge>({
    name: 'graph_edges_between',
    text: `WITH name AS MATERIALIZED (
             ${numbered(3, 'entity_id')}),
           link AS MATERIALIZED (
             -- By target, whose index begins with all that is known: without statistics, the other way an index is read
             -- from end to end. IS TRUE keeps the filter a hash table, however few rows the planner expects.
             SELECT own.entity_id AS target, come.source, come.type, come.weight FROM name AS own CROSS JOIN LATERAL (
               SELECT source, type, weight FROM graph_links
                WHERE tenant_id = $1 AND memory_id = $2 AND target = own.name_no AND ${followed(4)}
                  AND (source IN (SELECT name_no FROM name)) IS TRUE OFFSET 0) AS come)
           SELECT CASE WHEN link.type = '${CO_OCCURS}' THEN least(name.entity_id, link.target) ELSE name.entity_id END AS source,
                  CASE WHEN link.type = '${CO_OCCURS}' THEN greatest(name.entity_id, link.target) ELSE link.target END AS target,
                  link.type, (sum(link.weight) / 100.0)::float8 AS weight
             FROM link JOIN name ON name.name_no = link.source
            WHERE link.target <> name.entity_id
            GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3 LIMIT ${EDGES_MAX + 1}`,
    values: [scope.tenantId, scope.memoryId, entityIds, request.types, request.visible.vaults, request.visible.hidden],
  });
}
