import type { getContradiction, listContradictions } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { findContradiction, listContradictionRows } from '../contradiction-store.ts';
import type { GraphParts } from '../explore-graph.ts';
import { visibilityOf } from '../visibility.ts';
import { presentContradictions } from './present-contradictions.ts';

/** What documents disagree about, the oldest first. A page may show fewer than `limit`: what is out of sight is left out. */
export async function listDisagreements(
  parts: GraphParts,
  call: Call<typeof listContradictions>,
): Promise<JsonAnswer<typeof listContradictions>> {
  const { memory_id, status, entity_id, ...paging } = call.query;
  const memory = await parts.lookup.find(call, { memory_id });
  const page = pageOf(paging);
  return parts.engines.read(memory, async ({ tx, closedVaults }) => {
    const rows = await listContradictionRows(tx, memory, { status, entityId: entity_id, ...page });
    const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.contradiction_id);
    const contradictions = await presentContradictions(tx, memory, shown, visibilityOf(memory, closedVaults));
    return { body: { contradictions, ...(next_cursor === undefined ? {} : { next_cursor }) } };
  });
}

/** One contradiction with its statements. */
export async function readContradiction(
  parts: GraphParts,
  call: Call<typeof getContradiction>,
): Promise<JsonAnswer<typeof getContradiction>> {
  const memory = await parts.lookup.find(call, call.query);
  return parts.engines.read(memory, async ({ tx, closedVaults }) => {
    const row = await findContradiction(tx, memory, call.params.contradiction_id);
    const [shown] =
      row === null ? [] : await presentContradictions(tx, memory, [row], visibilityOf(memory, closedVaults));
    if (shown === undefined) throw notFound('The contradiction');
    return { body: shown };
  });
}
