import type { Tx } from '@cairn/postgres';
import { voidInvitationsOf } from './void-invitations.ts';

/**
 * Marks those of the ids as removed that are members and are not yet, and makes void what any of the keys and members
 * invited: an invitation is accepted on the authority of its maker, so it stands and falls with it.
 */
export async function markMembersRemoved(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  await tx.execute('UPDATE members SET removed_at = $2 WHERE member_id = ANY($1) AND removed_at IS NULL', [ids, at]);
  await voidInvitationsOf(tx, ids, at);
}
