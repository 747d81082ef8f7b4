import type * as operations from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { listInvitationRows } from '../credentials/invitation-store.ts';
import { presentInvitation } from './present-invitation.ts';

/** The invitations of the tenant. */
export async function listInvitations(
  deps: { database: Database; now: () => Date },
  { identity, query }: RequestContext<typeof operations.listInvitations>,
): Promise<JsonResponse<typeof operations.listInvitations>> {
  const page = pageOf(query);
  const rows = await deps.database.withTenant(identity.tenantId, (tx) =>
    listInvitationRows(tx, { afterInvitationId: page.after, limit: page.fetch }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.invitation_id);
  const invitations = shown.map((row) => presentInvitation(row, deps.now()));
  return { body: { invitations, ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
