import { newId } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { validationFailed } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { insertDecision } from '../store/decision-store.ts';
import { keyText } from '../names/name-similarity.ts';
import { namesByNumber } from '../store/name-store.ts';
import { writeIdempotently } from '../../memories/idempotent-write.ts';
import { applyDecision } from './apply-decision.ts';
import { assertWholeMemory } from './assert-whole-memory.ts';
import type { GraphDeps } from '../query/graph-deps.ts';
import { idempotencyOf, lockEntities } from './locked-entities.ts';
import { presentDecision } from './present-decision.ts';

/** Makes entities one. Undone by deleting the decision. */
export async function mergeEntities(
  deps: GraphDeps,
  context: RequestContext<typeof operations.mergeEntities>,
): Promise<JsonResponse<typeof operations.mergeEntities>> {
  const target = await deps.memories.resolve(context, context.query);
  assertWholeMemory(target);
  const entityIds = [...new Set(context.body.entity_ids)];
  if (entityIds.length < 2) throw validationFailed([{ path: 'entity_ids', message: 'names fewer than two entities' }]);
  return writeIdempotently(
    deps.engines,
    target,
    idempotencyOf('mergeEntities', context),
    async ({ tx, closedVaults }) => {
      const { memory, names } = await lockEntities(tx, target, closedVaults, entityIds);
      const decision = await insertDecision(tx, memory, {
        decision_id: newId('decision'),
        kind: 'merge' as const,
        names: names.map(keyText),
        doc_ids: [],
        decided_by: context.identity.keyId,
      });
      await applyDecision(tx, memory, names, decision);
      const [after] = await namesByNumber(tx, memory, [names[0]!.name_no]);
      return { ...presentDecision(decision), entity_id: after!.entity_id };
    },
  );
}
