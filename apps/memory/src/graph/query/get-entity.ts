import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { describeEntities } from './describe-entities.ts';
import { factsOfEntity } from '../store/fact-store.ts';
import { presentFacts } from './present-fact.ts';
import { visibilityOf } from '../../memories/visibility.ts';
import { metricsOf } from './walk-graph.ts';
import type { GraphDeps } from './graph-deps.ts';
import { presentEntity } from './present-entity.ts';

/** One entity with its aliases and what is said of it. */
export async function getEntity(
  deps: GraphDeps,
  context: RequestContext<typeof operations.getEntity>,
): Promise<JsonResponse<typeof operations.getEntity>> {
  const memory = await deps.memories.resolve(context, context.query);
  const entityId = context.params.entity_id;
  return deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const visible = visibilityOf(memory, closedVaults);
    const entity = (await describeEntities(tx, memory, [entityId], visible)).get(entityId);
    if (entity === undefined) throw notFound('The entity');
    const facts = await factsOfEntity(tx, memory, entityId, visible);
    const metrics = await metricsOf(tx, memory, entityId);
    return {
      body: { ...presentEntity(entity, metrics, visible), facts: await presentFacts(tx, memory, facts, visible) },
    };
  });
}
