import type * as operations from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { listSessionRows } from '../credentials/session-store.ts';
import { presentSession } from './present-session.ts';

/** The sessions of the environment that the caller acts in. */
export async function listSessions(
  deps: { database: Database },
  { identity, query }: RequestContext<typeof operations.listSessions>,
): Promise<JsonResponse<typeof operations.listSessions>> {
  const page = pageOf(query);
  const rows = await deps.database.withTenant(identity.tenantId, (tx) =>
    listSessionRows(tx, { afterSessionId: page.after, limit: page.fetch }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, ({ session }) => session.session_id);
  const sessions = shown.map((row) => presentSession(row, identity.credentialId));
  return { body: { sessions, ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
