import type * as operations from '@cairn/contracts';
import { nextCursorOf, pageOf, type Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import type { ThreadDeps } from './locate-thread.ts';
import { presentThread } from './present-thread.ts';
import { listThreadRows, type ThreadRow } from './thread-store.ts';

/** The threads of the tenant over all its engines, or of one memory or space; a bound key sees what it is bound to. */
export async function listThreads(
  deps: ThreadDeps,
  context: RequestContext<typeof operations.listThreads>,
): Promise<JsonResponse<typeof operations.listThreads>> {
  const { memory_id, space_id, ...paging } = context.query;
  const { identity } = context;
  const page = pageOf(paging);
  const bound = [memory_id, space_id, identity.memoryId, identity.hostMemoryId].some(
    (id) => id !== undefined && id !== null,
  );
  const place = bound ? await deps.memories.resolve(context, { memory_id, space_id }) : null;
  const view = { memoryId: place?.memoryId ?? null, spaceId: place?.spaceId ?? null };
  const listRows = (tx: Tx) => listThreadRows(tx, { ...view, ...page });
  const lists =
    place === null
      ? await Promise.all(
          (await deps.memories.listEngines(context)).map((engineId) =>
            deps.engines.readTenant(engineId, identity.tenantId, listRows),
          ),
        )
      : [await deps.engines.read(place, ({ tx }) => listRows(tx))];
  const rows = inOrder(lists.flat()).slice(0, page.fetch ?? undefined);
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.thread_id);
  return { body: { threads: shown.map(presentThread), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

/** Identifiers sort by their time of making, whichever engine they are on. */
function inOrder(rows: ThreadRow[]): ThreadRow[] {
  return rows.sort((a, b) => (a.thread_id < b.thread_id ? -1 : 1));
}
