import { type AnswerOf, type exploreGraph, HOPS_DEFAULT } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { Engines } from '../engines/engines.ts';
import type { MemoryLookup } from '../memory-lookup.ts';
import { describeEntities } from './describe-entities.ts';
import { standInSubgraph } from './subgraph-standing.ts';
import { seesAll, visibilityOf } from './visibility.ts';
import { type Walk, walkGraph } from './walk-graph.ts';

export interface GraphParts {
  engines: Engines;
  lookup: MemoryLookup;
}

/** Walks from an entity; what the caller's key does not reach is as if it were not there. */
export async function explore(
  parts: GraphParts,
  call: Call<typeof exploreGraph>,
): Promise<JsonAnswer<typeof exploreGraph>> {
  const { memory_id, max_hops, relationship_types, limit } = call.query;
  const memory = await parts.lookup.find(call, { memory_id });
  const start = call.params.entity_id;
  return parts.engines.read(memory, async ({ tx, closedVaults }) => {
    const visible = visibilityOf(memory, closedVaults);
    const found = await describeEntities(tx, memory, [start], visible);
    if (!found.has(start)) throw notFound('The entity');
    const walk = await walkGraph(tx, memory, {
      start,
      maxHops: max_hops ?? HOPS_DEFAULT,
      types: relationship_types ?? null,
      limit,
      visible,
    });
    const described = await describeEntities(
      tx,
      memory,
      walk.nodes.map((node) => node.entity_id),
      visible,
    );
    // Standing in the whole memory would tell about documents that the caller cannot see.
    const seen = seesAll(visible) ? walk : standInSubgraph(walk);
    return { body: { nodes: nodesOf(seen, described), edges: seen.edges, truncated: walk.truncated } };
  });
}

function nodesOf(
  walk: Walk,
  described: Awaited<ReturnType<typeof describeEntities>>,
): AnswerOf<typeof exploreGraph>['nodes'] {
  return walk.nodes.flatMap(({ entity_id, hop, centrality, community_id }) => {
    const entity = described.get(entity_id);
    if (entity === undefined) return [];
    const { name, type, attributes, documents } = entity;
    return [{ entity_id, name, type, attributes, community_id, centrality, document_count: documents, hop }];
  });
}
