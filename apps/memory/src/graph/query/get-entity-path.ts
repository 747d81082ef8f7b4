import type * as operations from '@cairn/contracts';
import { HOPS_MAX, PATH_ENTITIES_MAX } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { visibilityOf } from '../../memories/visibility.ts';
import { linkPassages, linksBetween } from '../store/pair-links.ts';
import { presentEntities } from './describe-entities.ts';
import { findPath } from './find-path.ts';
import { adjacencyOf } from './adjacency-of.ts';
import { pathsInAdjacency } from './walk-adjacency.ts';
import type { WalkDeps } from './graph-deps.ts';
import { pairOf, presentPassages } from './present-links.ts';
import { pathGraph } from './walk-graph.ts';

/** How two entities are connected; what the caller's key does not reach is as if it were not there. */
export async function getEntityPath(
  deps: WalkDeps,
  context: RequestContext<typeof operations.getEntityPath>,
): Promise<JsonResponse<typeof operations.getEntityPath>> {
  const { memory_id, max_hops: maxHops = HOPS_MAX, relationship_types, passages: rows } = context.query;
  const { source, target } = context.params;
  const memory = await deps.memories.resolve(context, { memory_id });
  return deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const visible = visibilityOf(memory, closedVaults);
    const ends = await presentEntities(tx, memory, [source, target], visible);
    if (!ends.has(source) || !ends.has(target)) throw notFound('The entity');
    const types = relationship_types ?? null;
    const request = { types, visible };
    const adjacency = await adjacencyOf(deps, tx, memory);
    const graph = adjacency === null ? pathGraph(tx, memory, request) : pathsInAdjacency(adjacency, request);
    const { entities, truncated } = await findPath(graph, {
      source,
      target,
      maxHops,
      entitiesMax: PATH_ENTITIES_MAX,
    });
    const named = await presentEntities(tx, memory, entities, visible);
    const hops: operations.ResponseOf<typeof operations.getEntityPath>['hops'] = [];
    for (const [index, entityId] of entities.slice(1).entries()) {
      const pair = await pairOf(tx, memory, [entities[index]!, entityId], visible);
      const links = (await linksBetween(tx, memory, pair)).filter(({ type }) => types?.includes(type) ?? true);
      const stating = rows === 0 ? [] : await linkPassages(tx, memory, pair, { after: null, rows });
      hops.push({ links, passages: await presentPassages(tx, memory, stating, pair) });
    }
    return {
      body: {
        entities: entities.map((entity_id) => {
          const { name, type } = named.get(entity_id)!;
          return { entity_id, name, type };
        }),
        hops,
        truncated,
      },
    };
  });
}
