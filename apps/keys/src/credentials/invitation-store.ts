import type { Role } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';

/** An invitation as it is stored, without its secret. */
export interface InvitationRow {
  tenant_id: string;
  invitation_id: string;
  email: string;
  role: Role;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
  accepted_at: Date | null;
  member_id: string | null;
  revoked_at: Date | null;
}

export const INVITATION_COLUMNS = `tenant_id, invitation_id, email, role, invited_by, created_at, expires_at, accepted_at, member_id,
  revoked_at`;

/** SQL: whether an invitation can still be accepted at the time that the parameter says. */
export function isOpenAt(parameter: `$${number}`): string {
  return `accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ${parameter}`;
}

/** So that an administrator can look up what became of one. */
const ENDED_RETENTION_DAYS = 30;

type NewInvitationRow = Pick<
  InvitationRow,
  'tenant_id' | 'invitation_id' | 'email' | 'role' | 'invited_by' | 'expires_at'
> & { sha256: Buffer };

export async function insertInvitation(tx: Tx, row: NewInvitationRow): Promise<InvitationRow> {
  const rows = await tx.query<InvitationRow>(
    `INSERT INTO member_invitations (tenant_id, invitation_id, email, role, invited_by, sha256, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${INVITATION_COLUMNS}`,
    [row.tenant_id, row.invitation_id, row.email, row.role, row.invited_by, row.sha256, row.expires_at],
  );
  return rows[0]!;
}

/** Invitations in the order in which they were made, after `afterInvitationId`. */
export async function listInvitationRows(
  tx: Tx,
  page: { afterInvitationId: string; limit: number | null },
): Promise<InvitationRow[]> {
  return tx.query<InvitationRow>(
    `SELECT ${INVITATION_COLUMNS} FROM member_invitations WHERE invitation_id > $1 ORDER BY invitation_id LIMIT $2`,
    [page.afterInvitationId, page.limit],
  );
}

/** Locks one invitation for this transaction. */
export async function lockInvitation(tx: Tx, invitationId: string): Promise<InvitationRow | null> {
  const rows = await tx.query<InvitationRow>(
    `SELECT ${INVITATION_COLUMNS} FROM member_invitations WHERE invitation_id = $1 FOR UPDATE`,
    [invitationId],
  );
  return rows[0] ?? null;
}

/** The invitation that has this secret, over all tenants: needs the worker role. */
export async function findInvitationByDigest(tx: Tx, sha256: Buffer): Promise<InvitationRow | null> {
  const rows = await tx.query<InvitationRow>(`SELECT ${INVITATION_COLUMNS} FROM member_invitations WHERE sha256 = $1`, [
    sha256,
  ]);
  return rows[0] ?? null;
}

/** Over all tenants the open invitations for an e-mail address, the latest first. Needs the worker role. */
export async function findOpenInvitations(tx: Tx, email: string, now: Date): Promise<InvitationRow[]> {
  return tx.query<InvitationRow>(
    `SELECT ${INVITATION_COLUMNS} FROM member_invitations WHERE email = $1 AND ${isOpenAt('$2')}
      ORDER BY invitation_id DESC`,
    [email, now],
  );
}

/** The open ones of the tenant for an e-mail address, which a new invitation replaces. */
export async function findOpenInvitationsOf(
  tx: Tx,
  tenantId: string,
  email: string,
  now: Date,
): Promise<InvitationRow[]> {
  return tx.query<InvitationRow>(
    `SELECT ${INVITATION_COLUMNS} FROM member_invitations WHERE tenant_id = $1 AND email = $2 AND ${isOpenAt('$3')}`,
    [tenantId, email, now],
  );
}

export async function markAccepted(tx: Tx, invitationId: string, memberId: string, at: Date): Promise<void> {
  await tx.execute('UPDATE member_invitations SET accepted_at = $3, member_id = $2 WHERE invitation_id = $1', [
    invitationId,
    memberId,
    at,
  ]);
}

/** How many of the tenant are open, and how many it made in the last day. */
export async function countInvitations(tx: Tx, tenantId: string, now: Date): Promise<{ open: number; lately: number }> {
  const [row] = await tx.query<{ open: number; lately: number }>(
    `SELECT count(*) FILTER (WHERE ${isOpenAt('$2')})::int AS open,
            count(*) FILTER (WHERE created_at > $2::timestamptz - interval '1 day')::int AS lately
       FROM member_invitations WHERE tenant_id = $1`,
    [tenantId, now],
  );
  return row!;
}

export async function deleteEndedInvitations(tx: Tx): Promise<void> {
  await tx.execute(
    `DELETE FROM member_invitations
      WHERE least(expires_at, coalesce(accepted_at, 'infinity'), coalesce(revoked_at, 'infinity'))
            < now() - make_interval(days => $1)`,
    [ENDED_RETENTION_DAYS],
  );
}
