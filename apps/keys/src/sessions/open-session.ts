import { newId, SESSION_PREFIX } from '@cairn/contracts';
import type * as operations from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf, generateSecret, hasKeyForm } from '@cairn/identity';
import type { Database, Tx } from '@cairn/postgres';
import type { PublicRequestContext, PublicResponse } from '@cairn/service-kit';
import { assertValid } from '../credentials/calling-key.ts';
import { findKeysByDigests, findKeyWithTenant, type KeyRow } from '../credentials/key-store.ts';
import { countOpenSessions, insertSession } from '../credentials/session-store.ts';
import { redeemTicket } from '../credentials/ticket-store.ts';
import type { TenantRow } from '../tenants/tenant-store.ts';
import { presentSession } from './present-session.ts';
import { sessionCookie } from './session-cookie.ts';

export interface SessionDeps {
  /** Whoever signs in has proved nothing yet, so no tenant is known. */
  workerDatabase: Database;
  now: () => Date;
  baseUrl: string;
  /** How long a session may be unused, and how long it may live at all. */
  sessionIdleHours: number;
  sessionDays: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of one key. */
const SESSIONS_OPEN_MAX = 200;
const USER_AGENT_MAX_CHARS = 300;

/**
 * Opens a session for the key that is sent, or that made the ticket. The secret is in the cookie and nowhere else, and is
 * always a new one: a cookie that the browser had before becomes no session.
 */
export async function openSession(
  deps: SessionDeps,
  { body, clientAddress, userAgent }: PublicRequestContext<typeof operations.openSession>,
): Promise<PublicResponse<typeof operations.openSession>> {
  const secret = generateSecret(SESSION_PREFIX);
  const now = deps.now();
  const expiresAt = new Date(now.getTime() + deps.sessionDays * DAY_MS);
  const opened = await deps.workerDatabase.transaction(async (tx) => {
    const found = body.ticket === undefined ? await byKey(tx, body.api_key!) : await byTicket(tx, body.ticket, now);
    const key = assertUsable(found, now);
    if ((await countOpenSessions(tx, key.key_id)) >= SESSIONS_OPEN_MAX)
      throw new CairnError('conflict', `The key has ${SESSIONS_OPEN_MAX} open sessions; end some of them first.`);
    const session = await insertSession(tx, {
      tenant_id: key.tenant_id,
      session_id: newId('session'),
      key_id: key.key_id,
      sha256: secret.sha256,
      address: clientAddress,
      user_agent: userAgent.slice(0, USER_AGENT_MAX_CHARS),
      idle_seconds: Math.round(deps.sessionIdleHours * 3_600),
      idle_expires_at: new Date(Math.min(now.getTime() + deps.sessionIdleHours * HOUR_MS, expiresAt.getTime())),
      expires_at: expiresAt,
    });
    return { session, key };
  });
  const presented = presentSession(opened, opened.session.session_id);
  return {
    body: presented,
    headers: sessionCookie(deps.baseUrl, secret.plaintext, new Date(presented.ends_at)),
  };
}

type Found = { key: KeyRow; tenant: TenantRow } | null;

async function byKey(tx: Tx, apiKey: string): Promise<Found> {
  const [found] = hasKeyForm(apiKey) ? await findKeysByDigests(tx, [digestOf(apiKey)]) : [];
  if (found === undefined) throw new CairnError('credential_invalid', 'The key is not valid.');
  return found;
}

async function byTicket(tx: Tx, ticket: string, now: Date): Promise<Found> {
  const keyId = await redeemTicket(tx, digestOf(ticket), now);
  if (keyId === null) throw new CairnError('credential_invalid', 'The link was used already, or its time is over.');
  return findKeyWithTenant(tx, keyId);
}

/** Throws for a key that is good for nothing any more, or is about to be. */
function assertUsable(found: Found, now: Date): KeyRow {
  const key = assertValid(found?.key, now);
  if (key.closing_since !== null) throw new CairnError('credential_revoked', 'The key is being revoked.');
  if (found!.tenant.status !== 'active') throw new CairnError('permission_denied', 'The tenant is suspended.');
  return key;
}
