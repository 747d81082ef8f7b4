import { timingSafeEqual } from 'node:crypto';
import type { CredentialKind } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import type { RightsColumn } from '../credentials/coverage.ts';
import { type AppOfKey, findAppsByDigests, findAppWithTenant } from '../credentials/app-store.ts';
import { stateOf } from '../credentials/credential-state.ts';
import { findKeysByDigests, findKeyWithTenant, type KeyRow } from '../credentials/key-store.ts';
import { type ClientRow, findTokenById, findTokensByDigests, type TokenRow } from '../credentials/oauth-store.ts';
import { findSessionsByDigests, findSessionWithTenant, type SessionOfKey } from '../credentials/session-store.ts';
import type { TenantRow } from '../tenants/tenant-store.ts';

/** What a gateway must know about a credential, be it a key, an OAuth token, a connected app or a session. */
export type ResolvedCredential = Pick<KeyRow, RightsColumn | 'revokes_at' | 'revoked_at'> & {
  kind: CredentialKind;
  /** Whose usage it counts as: the key's, also of a session or a connected app, or that of the token's client. */
  key_id: string;
  /** The key, or the single token, session or connected app. */
  credential_id: string;
};

export type Resolution =
  | { ok: true; credential: ResolvedCredential; tenant: TenantRow }
  | { ok: false; denial: 'unknown' | 'expired' | 'revoked' | 'tenant_suspended' };

export interface FoundCredential {
  sha256: Buffer;
  credential: ResolvedCredential;
  tenant: TenantRow;
}

/** The credentials that have these digests, by digest in base64. Needs the worker role: no tenant is known yet. */
export async function findByDigests(tx: Tx, digests: readonly Uint8Array[]): Promise<Map<string, FoundCredential>> {
  const found = new Map<string, FoundCredential>();
  for (const { key, tenant } of await findKeysByDigests(tx, digests))
    found.set(nameOf(key.sha256), { sha256: key.sha256, credential: credentialOfKey(key), tenant });
  const others = digests.filter((sha256) => !found.has(nameOf(sha256)));
  if (others.length === 0) return found;
  for (const { token, client, tenant } of await findTokensByDigests(tx, others))
    found.set(nameOf(token.sha256), { sha256: token.sha256, credential: credentialOfToken(token, client), tenant });
  const ofPeople = others.filter((sha256) => !found.has(nameOf(sha256)));
  if (ofPeople.length === 0) return found;
  for (const { token, app, key, tenant } of await findAppsByDigests(tx, ofPeople))
    found.set(nameOf(token.sha256), {
      sha256: token.sha256,
      credential: credentialOfApp({ app, key }, token.expires_at),
      tenant,
    });
  const sessions = ofPeople.filter((sha256) => !found.has(nameOf(sha256)));
  if (sessions.length === 0) return found;
  for (const { session, key, tenant } of await findSessionsByDigests(tx, sessions))
    found.set(nameOf(session.sha256), {
      sha256: session.sha256,
      credential: credentialOfSession({ session, key }),
      tenant,
    });
  return found;
}

/** The credential with this digest, if it is valid now. */
export function resolutionOf(found: ReadonlyMap<string, FoundCredential>, sha256: Uint8Array, now: Date): Resolution {
  const known = found.get(nameOf(sha256));
  if (known === undefined || !timingSafeEqual(known.sha256, sha256)) return { ok: false, denial: 'unknown' };
  return validated(known, now);
}

function nameOf(sha256: Uint8Array): string {
  return Buffer.from(sha256).toString('base64');
}

/** The same for a credential by its id, which a ticket names that a service issued to the credential's holder. */
export async function resolveById(
  deps: { workerDatabase: Database; now: () => Date },
  credentialId: string,
): Promise<Resolution> {
  const found = await deps.workerDatabase.transaction(async (tx) => {
    const key = await findKeyWithTenant(tx, credentialId);
    if (key !== null) return { credential: credentialOfKey(key.key), tenant: key.tenant };
    const token = await findTokenById(tx, credentialId);
    if (token !== null) return { credential: credentialOfToken(token.token, token.client), tenant: token.tenant };
    const app = await findAppWithTenant(tx, credentialId);
    if (app !== null) return { credential: credentialOfApp(app, app.app.expires_at), tenant: app.tenant };
    const session = await findSessionWithTenant(tx, credentialId);
    return session === null ? null : { credential: credentialOfSession(session), tenant: session.tenant };
  });
  return found === null ? { ok: false, denial: 'unknown' } : validated(found, deps.now());
}

function validated({ credential, tenant }: Omit<FoundCredential, 'sha256'>, now: Date): Resolution {
  const state = stateOf(credential, now);
  if (state !== 'valid') return { ok: false, denial: state };
  if (tenant.status !== 'active') return { ok: false, denial: 'tenant_suspended' };
  return { ok: true, credential, tenant };
}

export function credentialOfKey(key: KeyRow): ResolvedCredential {
  return { ...key, credential_id: key.key_id };
}

/** A session has the rights of its key and its own lifetime, and is valid only while both are. */
function credentialOfSession({ session, key }: SessionOfKey): ResolvedCredential {
  const ends = [session.idle_expires_at, session.expires_at, key.expires_at ?? session.expires_at];
  return {
    ...key,
    credential_id: session.session_id,
    expires_at: new Date(Math.min(...ends.map((end) => end.getTime()))),
    revoked_at: session.revoked_at ?? key.revoked_at,
  };
}

/**
 * A connected app is like a memory key: it reaches one space, with what was granted to it of that which its key still
 * holds, and is valid only while both are. All its access tokens are one credential, which ends with the app.
 */
export function credentialOfApp({ app, key }: AppOfKey, tokenExpiresAt: Date): ResolvedCredential {
  const ends = [tokenExpiresAt, app.ends_at, key.expires_at ?? app.ends_at];
  return {
    ...key,
    kind: 'memory',
    credential_id: app.app_id,
    scopes: app.scopes.filter((scope) => key.scopes.includes(scope)),
    memory_id: app.memory_id,
    space_id: app.space_id,
    expires_at: new Date(Math.min(...ends.map((end) => end.getTime()))),
    revoked_at: app.revoked_at ?? key.revoked_at,
  };
}

/** A token has the rights of its client, within its own scopes and lifetime, and only while both are valid. */
export function credentialOfToken(token: TokenRow, client: ClientRow): ResolvedCredential {
  const clientExpiry = client.expires_at?.getTime() ?? Infinity;
  return {
    ...client,
    kind: 'oauth',
    key_id: client.client_id,
    credential_id: token.token_id,
    scopes: token.scopes.filter((scope) => client.scopes.includes(scope)),
    memory_id: null,
    space_id: null,
    expires_at: new Date(Math.min(token.expires_at.getTime(), clientExpiry)),
    revokes_at: null,
    revoked_at: token.revoked_at ?? client.revoked_at,
  };
}
