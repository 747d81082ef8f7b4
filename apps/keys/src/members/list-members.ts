import type * as operations from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { listMemberRows } from '../credentials/member-store.ts';
import { presentMember } from './present-member.ts';

/** The people of the tenant. */
export async function listMembers(
  deps: { database: Database },
  { identity, query }: RequestContext<typeof operations.listMembers>,
): Promise<JsonResponse<typeof operations.listMembers>> {
  const page = pageOf(query);
  const rows = await deps.database.withTenant(identity.tenantId, (tx) =>
    listMemberRows(tx, { afterMemberId: page.after, limit: page.fetch }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, ({ member }) => member.member_id);
  return { body: { members: shown.map(presentMember), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
