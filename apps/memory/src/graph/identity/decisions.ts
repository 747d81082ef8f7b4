import type { listEntityDecisions, undoEntityDecision } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { deleteDecision, findDecision, listDecisions } from '../decision-store.ts';
import type { GraphParts } from '../explore-graph.ts';
import { lockKnownGraph } from '../graph-memory.ts';
import { namesByKeyText } from '../name-store.ts';
import { applyDecision } from './apply-decision.ts';
import { assertWholeMemory } from './assert-whole-memory.ts';
import { presentDecision } from './present-decision.ts';

/** Merges, splits and refused merges, the oldest first. */
export async function listIdentityDecisions(
  parts: GraphParts,
  call: Call<typeof listEntityDecisions>,
): Promise<JsonAnswer<typeof listEntityDecisions>> {
  const { memory_id, ...paging } = call.query;
  const memory = await parts.lookup.find(call, { memory_id });
  assertWholeMemory(memory);
  const page = pageOf(paging);
  const rows = await parts.engines.read(memory, ({ tx }) => listDecisions(tx, memory, page.after, page.fetch));
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.decision_id);
  return { body: { decisions: shown.map(presentDecision), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

/** Takes a decision back: entities are again what names and documents make of them. */
export async function undoDecision(
  parts: GraphParts,
  call: Call<typeof undoEntityDecision>,
): Promise<JsonAnswer<typeof undoEntityDecision>> {
  const target = await parts.lookup.find(call, call.query);
  assertWholeMemory(target);
  const decisionId = call.params.decision_id;
  await parts.engines.write(target, async ({ tx }) => {
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
