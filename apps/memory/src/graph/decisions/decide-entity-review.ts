import { newId } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { insertDecision } from '../store/decision-store.ts';
import { lockKnownGraph } from '../store/graph-lock.ts';
import { keyText } from '../names/name-similarity.ts';
import { namesByNumber } from '../store/name-store.ts';
import { writeIdempotently } from '../../memories/idempotent-write.ts';
import { applyDecision } from './apply-decision.ts';
import { assertWholeMemory } from './assert-whole-memory.ts';
import { presentDecision } from './present-decision.ts';
import type { GraphDeps } from '../query/graph-deps.ts';
import { readReviews } from '../store/review-store.ts';

/** Decides a pair: `same` merges, `different` keeps them apart for good. Undone by deleting the decision. */
export async function decideEntityReview(
  deps: GraphDeps,
  context: RequestContext<typeof operations.decideEntityReview>,
): Promise<JsonResponse<typeof operations.decideEntityReview>> {
  const target = await deps.memories.resolve(context, context.query);
  assertWholeMemory(target);
  const reviewId = context.params.review_id;
  const request = { ...context.query, ...context.body, review_id: reviewId };
  const idempotency = {
    caller: context.identity,
    operation: 'decideEntityReview',
    key: context.idempotencyKey,
    request,
    status: 200,
  };
  return writeIdempotently(deps.engines, target, idempotency, async ({ tx }) => {
    const memory = await lockKnownGraph(tx, target);
    const [row] = memory === null ? [] : await readReviews(tx, target, { status: null, after: '', fetch: 1, reviewId });
    if (memory === null || row === undefined) throw notFound('The review');
    if (row.decision !== null)
      throw new CairnError('conflict', 'The review is decided already; undo its decision first.');
    await tx.execute(
      'UPDATE graph_reviews SET decision = $4 WHERE tenant_id = $1 AND memory_id = $2 AND review_id = $3',
      [memory.tenantId, memory.memoryId, reviewId, context.body.decision],
    );
    const names = await namesByNumber(tx, memory, [row.name_a, row.name_b]);
    const decision = await insertDecision(tx, memory, {
      decision_id: newId('decision'),
      kind: context.body.decision === 'same' ? ('merge' as const) : ('different' as const),
      names: names.map(keyText),
      doc_ids: [],
      decided_by: context.identity.keyId,
    });
    await applyDecision(tx, memory, names, decision);
    return presentDecision(decision);
  });
}
