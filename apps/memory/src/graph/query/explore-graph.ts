import { type ResponseOf, HOPS_DEFAULT } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { describeEntities } from './describe-entities.ts';
import { metricsInSubgraph } from './subgraph-metrics.ts';
import { seesAll, visibilityOf } from '../../memories/visibility.ts';
import { adjacencyOf } from './adjacency-of.ts';
import { type Walk, walkGraph } from './walk-graph.ts';
import { walkAdjacency } from './walk-adjacency.ts';
import type { WalkDeps } from './graph-deps.ts';

/** Walks from an entity; what the caller's key does not reach is as if it were not there. */
export async function exploreGraph(
  deps: WalkDeps,
  context: RequestContext<typeof operations.exploreGraph>,
): Promise<JsonResponse<typeof operations.exploreGraph>> {
  const { memory_id, max_hops, relationship_types, limit } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id });
  const start = context.params.entity_id;
  return deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const visible = visibilityOf(memory, closedVaults);
    const found = await describeEntities(tx, memory, [start], visible);
    if (!found.has(start)) throw notFound('The entity');
    const adjacency = await adjacencyOf(deps, tx, memory);
    const request = {
      start,
      maxHops: max_hops ?? HOPS_DEFAULT,
      types: relationship_types ?? null,
      limit,
      visible,
    };
    const walk = adjacency === null ? await walkGraph(tx, memory, request) : walkAdjacency(adjacency, request);
    const described = await describeEntities(
      tx,
      memory,
      walk.nodes.map((node) => node.entity_id),
      visible,
    );
    // GraphMetrics in the whole memory would tell about documents that the caller cannot see.
    const seen = seesAll(visible) ? walk : metricsInSubgraph(walk);
    return { body: { nodes: nodesOf(seen, described), edges: seen.edges, truncated: walk.truncated } };
  });
}

function nodesOf(
  walk: Walk,
  described: Awaited<ReturnType<typeof describeEntities>>,
): ResponseOf<typeof operations.exploreGraph>['nodes'] {
  return walk.nodes.flatMap(({ entity_id, hop, centrality, community_id }) => {
    const entity = described.get(entity_id);
    if (entity === undefined) return [];
    const { name, type, attributes, documents } = entity;
    return [{ entity_id, name, type, attributes, community_id, centrality, document_count: documents, hop }];
  });
}
