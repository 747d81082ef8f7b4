import type { openSession, RequestOf } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf } from '@cairn/identity';
import type { Database, Tx } from '@cairn/postgres';
import { type Attempt, takeAttempt } from '../credentials/attempt-store.ts';
import { findInvitationByDigest, findOpenInvitations, type InvitationRow } from '../credentials/invitation-store.ts';
import { findKey, type KeyRow } from '../credentials/key-store.ts';
import { findMembersByAccount, findUnlinkedMembers, linkAccount, type Member } from '../credentials/member-store.ts';
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
 * The row that the person's session stands for: the member who has the account; else who is invited, or was made a
 * member before there was a provider, by the e-mail address that the provider has verified. From then on the account
 * counts, whatever becomes of the address. Needs the worker role.
 */
export async function memberOf(tx: Tx, { person, attempt }: SignedIn, now: Date): Promise<KeyRow> {
  const wanted = ({ member }: Member) => attempt.wanted_member === null || member.member_id === attempt.wanted_member;
  const known = await findMembersByAccount(tx, person);
  if (attempt.invitation_sha256 !== null) {
    const invitation = await findInvitationByDigest(tx, attempt.invitation_sha256);
    if (invitation === null) throw invitationEnded();
    const already = known.find(({ member }) => member.tenant_id === invitation.tenant_id);
    if (already !== undefined) return already.key;
    if (invitation.email !== verifiedEmail(person))
      throw new CairnError('permission_denied', 'The invitation is for another e-mail address.');
    return accept(tx, invitation, person, now);
  }
  const linked = known.find(wanted);
  if (linked !== undefined) return linked.key;
  const email = verifiedEmail(person);
  // One account is one member of a tenant.
  const elsewhere = ({ member }: Member) => known.every((other) => other.member.tenant_id !== member.tenant_id);
  const unlinked = (await findUnlinkedMembers(tx, email)).find((one) => wanted(one) && elsewhere(one));
  if (unlinked !== undefined) {
    await linkAccount(tx, unlinked.member.member_id, person);
    return (await findKey(tx, unlinked.member.member_id))!;
  }
  const invited = attempt.wanted_member === null ? await findOpenInvitations(tx, email, now) : [];
  if (invited[0] === undefined) throw new CairnError('permission_denied', 'Nobody has invited this e-mail address.');
  // Anybody may invite an address: which invitation a person means is not to be guessed.
  if (invited.some(({ tenant_id }) => tenant_id !== invited[0]!.tenant_id))
    throw new CairnError('conflict', 'Several tenants have invited this e-mail address; open the link of one of them.');
  return accept(tx, invited[0], person, now);
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
