import type * as operations from '@cairn/contracts';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import type { ThreadDeps } from './locate-thread.ts';
import { presentTurn } from './present-thread.ts';
import { listTurnRows } from './thread-store.ts';
import { openThread } from './open-thread.ts';

/** The turns of a conversation, oldest first; a page's cursor is the number of its last turn. */
export async function listTurns(
  deps: ThreadDeps,
  context: RequestContext<typeof operations.listTurns>,
): Promise<JsonResponse<typeof operations.listTurns>> {
  const threadId = context.params.thread_id;
  const { cursor } = context.query;
  const page = pageOf(context.query);
  const home = await deps.threads.locate(context, threadId);
  const rows = await deps.engines.read(home, async ({ tx, closedVaults }) => {
    await openThread(tx, threadId, closedVaults);
    return listTurnRows(tx, threadId, { after: Number(cursor ?? 0), fetch: page.fetch });
  });
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => String(row.ordinal));
  return { body: { turns: shown.map(presentTurn), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
