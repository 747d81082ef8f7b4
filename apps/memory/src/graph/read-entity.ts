import type { getEntity } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { describeEntities } from './describe-entities.ts';
import type { GraphParts } from './explore-graph.ts';
import { factsAbout } from './fact-store.ts';
import { presentEntity } from './list-entities.ts';
import { presentFacts } from './present-fact.ts';
import { isVisible, visibilityOf } from './visibility.ts';
import { standingOf } from './walk-graph.ts';

/** One entity with its aliases and what is said of it. */
export async function readEntity(
  parts: GraphParts,
  call: Call<typeof getEntity>,
): Promise<JsonAnswer<typeof getEntity>> {
  const memory = await parts.lookup.find(call, call.query);
  const entityId = call.params.entity_id;
  return parts.engines.read(memory, async ({ tx, closedVaults }) => {
    const visible = visibilityOf(memory, closedVaults);
    const entity = (await describeEntities(tx, memory, [entityId], visible)).get(entityId);
    if (entity === undefined) throw notFound('The entity');
    const facts = await factsAbout(tx, memory, [{ entityId, relation: null }]);
    const standing = await standingOf(tx, memory, entityId);
    const shown = facts.filter((fact) => isVisible(visible, fact.vault_id));
    return {
      body: { ...presentEntity(entity, standing, visible), facts: await presentFacts(tx, memory, shown) },
    };
  });
}
