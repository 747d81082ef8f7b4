import { newId, SESSION_PREFIX } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf, generateSecret, hasKeyForm } from '@cairn/identity';
import type { Database, Tx } from '@cairn/postgres';
import type { PublicRequestContext, PublicResponse } from '@cairn/service-kit';
import { assertValid } from '../credentials/calling-key.ts';
import { findInvitationByDigest } from '../credentials/invitation-store.ts';
import { findKey, findKeysByDigests, type KeyRow } from '../credentials/key-store.ts';
import { updateLastSignIn } from '../credentials/member-store.ts';
import { countOpenSessions, insertSession, type SessionOfKey } from '../credentials/session-store.ts';
import { redeemTicket } from '../credentials/ticket-store.ts';
import { acceptInvitation, invitationEnded } from '../members/accept-invitation.ts';
import { finishSignIn, memberOf, type SignedIn } from '../sign-in/finish-sign-in.ts';
import type { IdentityProvider } from '../sign-in/identity-provider.ts';
import { findTenant } from '../tenants/tenant-store.ts';
import { presentSession } from './present-session.ts';
import { recordSignIn } from './record-sign-in.ts';
import { sessionCookie } from './session-cookie.ts';

export interface SessionDeps {
  /** Whoever signs in has proved nothing yet, so no tenant is known. */
  workerDatabase: Database;
  now: () => Date;
  baseUrl: string;
  /** How long a session may be unused, and how long it may live at all. */
  sessionIdleHours: number;
  sessionDays: number;
  /** Null: none is configured. */
  provider: IdentityProvider | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of one key or member. */
const SESSIONS_OPEN_MAX = 200;
const USER_AGENT_MAX_CHARS = 300;

type Request = PublicRequestContext<typeof operations.openSession>;

/**
 * Opens a session for the key that is sent or that made the ticket, or for the member who is invited or has signed in.
 * The secret is in the cookie and nowhere else, and is always a new one: a cookie that the browser had before becomes no
 * session.
 */
export async function openSession(
  deps: SessionDeps,
  request: Request,
): Promise<PublicResponse<typeof operations.openSession>> {
  const { body } = request;
  const signedIn = body.sign_in === undefined ? null : await finishSignIn(deps, body.sign_in);
  const secret = generateSecret(SESSION_PREFIX);
  const opened = await deps.workerDatabase.transaction(async (tx) => {
    const key = await assertUsable(tx, await provenBy(tx, deps, { body, signedIn }), deps.now());
    return insertFor(tx, deps, { key, request, sha256: secret.sha256 });
  });
  const presented = presentSession(opened, opened.session.session_id);
  return {
    body: presented,
    headers: sessionCookie(
      { baseUrl: deps.baseUrl, livemode: presented.livemode },
      secret.plaintext,
      new Date(presented.ends_at),
    ),
  };
}

async function insertFor(
  tx: Tx,
  deps: SessionDeps,
  { key, request, sha256 }: { key: KeyRow; request: Request; sha256: Buffer },
): Promise<SessionOfKey> {
  const now = deps.now();
  if ((await countOpenSessions(tx, key.key_id)) >= SESSIONS_OPEN_MAX)
    throw new CairnError('conflict', `${SESSIONS_OPEN_MAX} sessions are open; end some of them first.`);
  const expiresAt = new Date(now.getTime() + deps.sessionDays * DAY_MS);
  const session = await insertSession(tx, {
    tenant_id: key.tenant_id,
    session_id: newId('session'),
    key_id: key.key_id,
    sha256,
    address: request.clientAddress,
    user_agent: request.userAgent.slice(0, USER_AGENT_MAX_CHARS),
    idle_seconds: Math.round(deps.sessionIdleHours * 3_600),
    idle_expires_at: new Date(Math.min(now.getTime() + deps.sessionIdleHours * HOUR_MS, expiresAt.getTime())),
    expires_at: expiresAt,
  });
  if (key.kind === 'member') await updateLastSignIn(tx, key.key_id, now);
  await recordSignIn(tx, { key, sessionId: session.session_id, request, at: now });
  return { session, key };
}

/** The key or member that the proof stands for; null when it is gone. */
async function provenBy(
  tx: Tx,
  { provider, now }: Pick<SessionDeps, 'provider' | 'now'>,
  { body, signedIn }: { body: Request['body']; signedIn: SignedIn | null },
): Promise<KeyRow | null> {
  if (signedIn !== null) return memberOf(tx, signedIn, now());
  if (body.invitation !== undefined) {
    if (provider !== null)
      throw new CairnError('permission_denied', `Sign in with ${provider.name} to accept the invitation.`);
    return byInvitation(tx, body.invitation, now());
  }
  if (body.ticket !== undefined) return byTicket(tx, body.ticket, now());
  return byKey(tx, body.api_key!);
}

async function byKey(tx: Tx, apiKey: string): Promise<KeyRow> {
  const [found] = hasKeyForm(apiKey) ? await findKeysByDigests(tx, [digestOf(apiKey)]) : [];
  if (found === undefined) throw new CairnError('credential_invalid', 'The key is not valid.');
  return found.key;
}

async function byTicket(tx: Tx, ticket: string, now: Date): Promise<KeyRow | null> {
  const keyId = await redeemTicket(tx, digestOf(ticket), now);
  if (keyId === null) throw new CairnError('credential_invalid', 'The link was used already, or its time is over.');
  return findKey(tx, keyId);
}

async function byInvitation(
  tx: Tx,
  { secret, name }: NonNullable<Request['body']['invitation']>,
  now: Date,
): Promise<KeyRow> {
  const invitation = await findInvitationByDigest(tx, digestOf(secret));
  if (invitation === null) throw invitationEnded();
  return acceptInvitation(tx, invitation, { name, account: null }, now);
}

/** Throws for what is good for nothing any more, or is about to be. */
async function assertUsable(tx: Tx, found: KeyRow | null, now: Date): Promise<KeyRow> {
  const key = assertValid(found, now);
  if (key.closing_since !== null) throw new CairnError('credential_revoked', 'The key is being revoked.');
  const tenant = await findTenant(tx, key.tenant_id);
  if (tenant?.status !== 'active') throw new CairnError('permission_denied', 'The tenant is suspended.');
  return key;
}
