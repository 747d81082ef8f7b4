import type * as operations from '@cairn/contracts';
import { userCursorOf, userOfCursor } from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { listMemberRows } from '../stores/space-store.ts';
import { presentMember } from './present-space.ts';
import { findVisibleSpace } from './visible-space.ts';

export async function listSpaceMembers(
  deps: { database: Database },
  context: RequestContext<typeof operations.listSpaceMembers>,
): Promise<JsonResponse<typeof operations.listSpaceMembers>> {
  const { limit, cursor } = context.query;
  const page = pageOf({ limit, cursor: cursor === undefined ? undefined : userOfCursor(cursor) });
  const rows = await deps.database.withTenant(
    context.identity.tenantId,
    async (tx) => {
      const space = await findVisibleSpace(tx, context.identity, context.params.space_id);
      return listMemberRows(tx, space.space_id, page);
    },
    { mode: 'snapshot' },
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => userCursorOf(row.user_name));
  return { body: { members: shown.map(presentMember), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
