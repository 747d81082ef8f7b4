import type { ResponseOf, revokeInvitation } from '@cairn/contracts';
import type { InvitationRow } from '../credentials/invitation-store.ts';
import { statusOf } from '../credentials/invitation-status.ts';

type Presented = ResponseOf<typeof revokeInvitation>;

/** An invitation as the API shows it. */
export function presentInvitation(row: InvitationRow, now: Date): Presented {
  return {
    invitation_id: row.invitation_id,
    email: row.email,
    role: row.role,
    status: statusOf(row, now),
    invited_by: row.invited_by,
    member_id: row.member_id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
