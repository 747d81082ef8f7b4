import type * as operations from '@cairn/contracts';
import { RUNS_DEFAULT_LIMIT } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findRun, readEvents } from '../ledger/run-store.ts';
import type { TicketDeps } from '../runs/tickets.ts';
import { eventPresenter } from './present-event.ts';

/** Returns a page of the log of a run, as its stream would send it. */
export async function listRunEvents(
  deps: TicketDeps & { database: Database },
  request: RequestContext<typeof operations.listRunEvents>,
): Promise<JsonResponse<typeof operations.listRunEvents>> {
  const { thread_id: threadId } = request.params;
  const { tenantId, credentialId } = request.identity;
  const { cursor, limit = RUNS_DEFAULT_LIMIT } = request.query;
  const page = pageOf({ cursor, limit });
  const rows = await deps.database.withTenant(
    tenantId,
    async (tx) => {
      if ((await findRun(tx, threadId)) === null) throw notFound('The run');
      return readEvents(tx, threadId, Number(cursor ?? 0), limit + 1);
    },
    { mode: 'snapshot' },
  );
  const present = await eventPresenter(deps, tenantId, { threadId, credentialId });
  const { shown, next_cursor } = nextCursorOf(rows, page, ({ seq }) => `${seq}`);
  return { body: { events: await Promise.all(shown.map(present)), next_cursor } };
}
