import type { Tx } from '@cairn/postgres';
import { INVITATION_COLUMNS, type InvitationRow, isOpenAt } from '../credentials/invitation-store.ts';

/** Makes one void. No gateway knows an invitation, so that none has to be informed. */
export async function voidInvitation(tx: Tx, invitationId: string, at: Date): Promise<InvitationRow> {
  const rows = await tx.query<InvitationRow>(
    `UPDATE member_invitations SET revoked_at = coalesce(revoked_at, $2) WHERE invitation_id = $1
     RETURNING ${INVITATION_COLUMNS}`,
    [invitationId, at],
  );
  return rows[0]!;
}

/** Makes void what is open for an e-mail address of the tenant, which a new invitation replaces. */
export async function voidInvitationsFor(tx: Tx, tenantId: string, email: string, at: Date): Promise<void> {
  await tx.execute(
    `UPDATE member_invitations SET revoked_at = $3 WHERE tenant_id = $1 AND email = $2 AND ${isOpenAt('$3')}`,
    [tenantId, email, at],
  );
}

/** Makes void what is open and was made by any of these keys and members. */
export async function voidInvitationsOf(tx: Tx, inviterIds: readonly string[], at: Date): Promise<void> {
  await tx.execute(`UPDATE member_invitations SET revoked_at = $2 WHERE invited_by = ANY($1) AND ${isOpenAt('$2')}`, [
    inviterIds,
    at,
  ]);
}
