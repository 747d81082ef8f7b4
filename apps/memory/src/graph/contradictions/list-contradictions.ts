import type * as operations from '@cairn/contracts';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import { listContradictionRows } from '../store/contradiction-store.ts';
import { visibilityOf } from '../../memories/visibility.ts';
import { presentContradictions } from './present-contradictions.ts';
import type { GraphDeps } from '../query/graph-deps.ts';

/** What documents disagree about, the oldest first. A page may show fewer than `limit`: what is out of sight is left out. */
export async function listContradictions(
  deps: GraphDeps,
  context: RequestContext<typeof operations.listContradictions>,
): Promise<JsonResponse<typeof operations.listContradictions>> {
  const { memory_id, status, entity_id, ...paging } = context.query;
  const memory = await deps.memories.resolve(context, { memory_id });
  const page = pageOf(paging);
  return deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const rows = await listContradictionRows(tx, memory, { status, entityId: entity_id, ...page });
    const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.contradiction_id);
    const contradictions = await presentContradictions(tx, memory, shown, visibilityOf(memory, closedVaults));
    return { body: { contradictions, ...(next_cursor === undefined ? {} : { next_cursor }) } };
  });
}
