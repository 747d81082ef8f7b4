import type { ResponseOf, revokeInvitation } from '@cairn/contracts';
import type { InvitationRow } from './invitation-store.ts';

type InvitationStatus = ResponseOf<typeof revokeInvitation>['status'];

export function statusOf(row: InvitationRow, now: Date): InvitationStatus {
  if (row.accepted_at !== null) return 'accepted';
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at <= now ? 'expired' : 'open';
}
