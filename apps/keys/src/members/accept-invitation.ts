import { CairnError } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { lockCreator } from '../credentials/calling-key.ts';
import { type InvitationRow, lockInvitation, markAccepted } from '../credentials/invitation-store.ts';
import { insertKey, type KeyRow } from '../credentials/key-store.ts';
import { type Account, findMemberByEmail, insertMember } from '../credentials/member-store.ts';
import { assertMayGrant, memberKey } from './member-key.ts';
import { statusOf } from '../credentials/invitation-status.ts';

/**
 * Makes the invited person a member and returns the row that sessions stand for. The inviter must still be valid and
 * hold what it grants. Of several at once one succeeds. Needs the worker role.
 */
export async function acceptInvitation(
  tx: Tx,
  invitation: Pick<InvitationRow, 'invitation_id' | 'invited_by' | 'role' | 'email' | 'tenant_id'>,
  person: { name: string; account: Account | null },
  now: Date,
): Promise<KeyRow> {
  // The inviter before the invitation, as whoever revokes it does.
  const inviter = await lockInviter(tx, invitation, now);
  const locked = await lockInvitation(tx, invitation.invitation_id);
  if (locked === null || statusOf(locked, now) !== 'open') throw invitationEnded();
  if ((await findMemberByEmail(tx, invitation.tenant_id, invitation.email)) !== null)
    throw new CairnError('conflict', 'A member has this e-mail address already.');
  const key = await insertKey(tx, memberKey(inviter, { name: person.name, role: invitation.role }));
  await insertMember(tx, {
    tenant_id: key.tenant_id,
    member_id: key.key_id,
    email: invitation.email,
    role: invitation.role,
    invited_by: inviter.key_id,
    account: person.account,
  });
  await markAccepted(tx, invitation.invitation_id, key.key_id, now);
  return key;
}

export function invitationEnded(): CairnError {
  return new CairnError('credential_invalid', 'The invitation was used already, was withdrawn, or its time is over.');
}

async function lockInviter(
  tx: Tx,
  { invited_by, role }: Pick<InvitationRow, 'invited_by' | 'role'>,
  now: Date,
): Promise<KeyRow> {
  try {
    const { caller } = await lockCreator(tx, invited_by, now);
    assertMayGrant(caller, role);
    return caller;
  } catch (cause) {
    if (!(cause instanceof CairnError)) throw cause;
    throw new CairnError('credential_invalid', 'Whoever sent the invitation may not do so any more.', { cause });
  }
}
