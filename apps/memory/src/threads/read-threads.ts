import type { getThread, listThreads } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { findHome, type ThreadParts } from './find-home.ts';
import { presentThread } from './present-thread.ts';
import { findThread, listThreadRows, type ThreadRow } from './thread-store.ts';

export async function readThread(
  parts: ThreadParts,
  call: Call<typeof getThread>,
): Promise<JsonAnswer<typeof getThread>> {
  const threadId = call.params.thread_id;
  const home = await findHome(parts, call, threadId);
  const row = await parts.engines.read(home, async ({ tx, closedVaults }) => {
    const found = await findThread(tx, threadId);
    return found === null || closedVaults.has(found.vault_id) ? null : found;
  });
  if (row === null) throw notFound('The thread');
  return { body: presentThread(row) };
}

/** The threads of the tenant over all its engines, or of one memory or space; a bound key sees what it is bound to. */
export async function listTenantThreads(
  parts: ThreadParts,
  call: Call<typeof listThreads>,
): Promise<JsonAnswer<typeof listThreads>> {
  const { memory_id, space_id, ...paging } = call.query;
  const { identity } = call;
  const page = pageOf(paging);
  const bound = [memory_id, space_id, identity.memoryId, identity.hostMemoryId].some(
    (id) => id !== undefined && id !== null,
  );
  const place = bound ? await parts.lookup.find(call, { memory_id, space_id }) : null;
  const view = { memoryId: place?.memoryId ?? null, spaceId: place?.spaceId ?? null };
  const engineIds = place === null ? await parts.lookup.enginesOf(call) : [place.engineId];
  const lists = await Promise.all(
    engineIds.map((engineId) =>
      parts.engines.readTenant(engineId, identity.tenantId, (tx) => listThreadRows(tx, { ...view, ...page })),
    ),
  );
  const rows = inOrder(lists.flat()).slice(0, page.fetch ?? undefined);
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.thread_id);
  return { body: { threads: shown.map(presentThread), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}

/** Identifiers sort by their time of making, whichever engine they are on. */
function inOrder(rows: ThreadRow[]): ThreadRow[] {
  return rows.sort((a, b) => (a.thread_id < b.thread_id ? -1 : 1));
}
