import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { deleteDecision, findDecision } from '../store/decision-store.ts';
import { lockKnownGraph } from '../store/graph-lock.ts';
import { namesByKeyText } from '../store/name-store.ts';
import { applyDecision } from './apply-decision.ts';
import { assertWholeMemory } from './assert-whole-memory.ts';
import type { GraphDeps } from '../query/graph-deps.ts';

/** Takes a decision back: entities are again what names and documents make of them. */
export async function undoEntityDecision(
  deps: GraphDeps,
  context: RequestContext<typeof operations.undoEntityDecision>,
): Promise<JsonResponse<typeof operations.undoEntityDecision>> {
  const target = await deps.memories.resolve(context, context.query);
  assertWholeMemory(target);
  const decisionId = context.params.decision_id;
  await deps.engines.write(target, async ({ tx }) => {
    const memory = await lockKnownGraph(tx, target);
    const decision = memory === null ? null : await findDecision(tx, memory, decisionId);
    if (memory === null || decision === null) throw notFound('The decision');
    await deleteDecision(tx, memory, decisionId);
    await tx.execute(
      `UPDATE graph_reviews SET decision = NULL FROM graph_names AS a, graph_names AS b
        WHERE graph_reviews.tenant_id = $1 AND graph_reviews.memory_id = $2 AND decision IS NOT NULL
          AND a.tenant_id = $1 AND a.memory_id = $2 AND a.name_no = name_a AND b.tenant_id = $1 AND b.memory_id = $2 AND b.name_no = name_b
          AND a.class || ' ' || a.sense || ' ' || a.norm = ANY($3) AND b.class || ' ' || b.sense || ' ' || b.norm = ANY($3)`,
      [memory.tenantId, memory.memoryId, decision.names],
    );
    await applyDecision(tx, memory, await namesByKeyText(tx, memory, decision.names), decision);
  });
  return { body: { decision_id: decisionId, undone: true } };
}
