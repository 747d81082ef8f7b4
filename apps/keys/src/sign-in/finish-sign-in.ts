import type { openSession, RequestOf } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf } from '@cairn/identity';
import type { Database, Tx } from '@cairn/postgres';
import { type Attempt, takeAttempt } from '../credentials/attempt-store.ts';
import { findInvitationByDigest, findOpenInvitations, type InvitationRow } from '../credentials/invitation-store.ts';
import { type KeyRow, lockKeys } from '../credentials/key-store.ts';
import {
  findMember,
  findMembersByAccount,
  findUnlinkedMembers,
  linkAccount,
  type Member,
} from '../credentials/member-store.ts';
import { acceptInvitation, invitationEnded } from '../members/accept-invitation.ts';
import type { IdentityProvider, Person } from './identity-provider.ts';

type Answer = NonNullable<RequestOf<typeof openSession>['body']['sign_in']>;

const NAME_MAX_CHARS = 200;

/** Somebody whom the provider vouches for, and what the browser asked for when it began. */
export interface SignedIn {
  person: Person;
  attempt: Attempt;
}

/**
 * Uses up the attempt of the browser and asks the provider whom it signed in. Throws `credential_invalid` when the
 * browser did not begin this sign-in, or the provider refuses the code.
 */
export async function finishSignIn(
  deps: { provider: IdentityProvider | null; workerDatabase: Database; now: () => Date },
  { attempt: secret, ...answer }: Answer,
): Promise<SignedIn> {
  const { provider, workerDatabase, now } = deps;
  // Before the provider is asked, so that whatever it answers is used once.
  const attempt = await workerDatabase.transaction((tx) => takeAttempt(tx, digestOf(secret), now()));
  if (provider === null || attempt === null || attempt.state !== answer.state)
    throw new CairnError('credential_invalid', 'This browser did not begin the sign-in, or its time is over.');
  const person = await provider.exchange(attempt, answer);
  assertDomain(provider, person);
  return { person, attempt };
}

function assertDomain({ emailDomains }: Pick<IdentityProvider, 'emailDomains'>, { email }: Person): void {
  if (emailDomains.length === 0) return;
  const domain = email?.slice(email.lastIndexOf('@') + 1);
  if (domain === undefined || !emailDomains.includes(domain))
    throw new CairnError('permission_denied', 'Addresses of this domain may not sign in here.');
}

/**
 * The row that the person's session stands for: the member who has the account; else who is invited with the e-mail
 * address that the provider has verified. A member who joined without a provider has an address that nobody verified, so
 * its account is linked by a sign-in that the member's own session began. From then on the account counts, whatever
 * becomes of the address. Needs the worker role.
 */
export async function memberOf(tx: Tx, { person, attempt }: SignedIn, now: Date): Promise<KeyRow> {
  const known = await findMembersByAccount(tx, person);
  if (attempt.links_member !== null) return link(tx, { memberId: attempt.links_member, person, known });
  if (attempt.invitation_sha256 !== null) {
    const invitation = await findInvitationByDigest(tx, attempt.invitation_sha256);
    if (invitation === null) throw invitationEnded();
    const already = known.find(({ member }) => member.tenant_id === invitation.tenant_id);
    if (already !== undefined) return already.key;
    if (invitation.email !== verifiedEmail(person))
      throw new CairnError('permission_denied', 'The invitation is for another e-mail address.');
    return accept(tx, invitation, person, now);
  }
  const { wanted_member: wanted } = attempt;
  const linked = known.find(({ member }) => wanted === null || member.member_id === wanted);
  if (linked !== undefined) return linked.key;
  if (wanted !== null) throw new CairnError('permission_denied', 'The account is not linked to this member.');
  return accept(tx, await onlyInvitation(tx, verifiedEmail(person), now), person, now);
}

/** Links the account to the member whose session began the sign-in. */
async function link(
  tx: Tx,
  { memberId, person, known }: { memberId: string; person: Person; known: readonly Member[] },
): Promise<KeyRow> {
  await lockKeys(tx, [memberId]);
  const found = await findMember(tx, memberId);
  if (found === null || found.member.removed_at !== null)
    throw new CairnError('credential_revoked', 'The member was removed.');
  const { member, key } = found;
  const owner = known.find((other) => other.member.tenant_id === member.tenant_id);
  if (owner?.member.member_id === memberId) return key;
  if (owner !== undefined || member.issuer !== null)
    throw new CairnError('conflict', 'The account or the member is linked already.');
  if (member.email !== verifiedEmail(person))
    throw new CairnError('permission_denied', 'The account has another e-mail address than the member.');
  await linkAccount(tx, memberId, person);
  return key;
}

/**
 * The one invitation for the address. Anybody may invite an address, or accept an invitation for it where there is no
 * provider: which tenant a person means is not to be guessed.
 */
async function onlyInvitation(tx: Tx, email: string, now: Date): Promise<InvitationRow> {
  const invited = await findOpenInvitations(tx, email, now);
  const unlinked = await findUnlinkedMembers(tx, email);
  const tenants = new Set([...invited.map((row) => row.tenant_id), ...unlinked.map(({ member }) => member.tenant_id)]);
  if (tenants.size > 1)
    throw new CairnError(
      'conflict',
      'Several tenants know this e-mail address; open the link of the invitation, or sign in as the member with a link and link the account.',
    );
  if (invited[0] === undefined && unlinked.length > 0)
    throw new CairnError(
      'conflict',
      'The member with this e-mail address is not linked to an account yet; sign in with a link and link it.',
    );
  if (invited[0] === undefined) throw new CairnError('permission_denied', 'Nobody has invited this e-mail address.');
  return invited[0];
}

function accept(tx: Tx, invitation: InvitationRow, person: Person, now: Date): Promise<KeyRow> {
  const name = (person.name ?? invitation.email).trim().slice(0, NAME_MAX_CHARS);
  return acceptInvitation(tx, invitation, { name, account: person }, now);
}

/** Anybody can claim any address at many providers, so only a verified one makes somebody a member. */
function verifiedEmail({ email, emailVerified }: Person): string {
  if (email === null || !emailVerified)
    throw new CairnError('permission_denied', 'The identity provider has not verified the e-mail address.');
  return email;
}
