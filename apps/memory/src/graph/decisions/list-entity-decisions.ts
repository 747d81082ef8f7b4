import type * as operations from '@cairn/contracts';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { listDecisions } from '../store/decision-store.ts';
import { assertWholeMemory } from './assert-whole-memory.ts';
import { presentDecision } from './present-decision.ts';
import type { GraphDeps } from '../query/graph-deps.ts';

/** Merges, splits and refused merges, the oldest first. */
export async function listEntityDecisions(
  deps: GraphDeps,
  context: RequestContext<typeof operations.listEntityDecisions>,
): Promise<JsonResponse<typeof operations.listEntityDecisions>> {
  const { memory_id, ...paging } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id });
  assertWholeMemory(memory);
  const page = pageOf(paging);
  const rows = await deps.engines.read(memory, ({ tx }) => listDecisions(tx, memory, page.after, page.fetch));
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.decision_id);
  return { body: { decisions: shown.map(presentDecision), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
