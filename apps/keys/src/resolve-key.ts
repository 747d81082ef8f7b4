import { timingSafeEqual } from 'node:crypto';
import type { CredentialKind } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import { stateOf } from './key-state.ts';
import { findKeysByDigests, findKeyWithTenant, type KeyRow } from './key-store.ts';
import { type ClientRow, findTokenById, findTokensByDigests, type TokenRow } from './oauth-store.ts';
import type { TenantRow } from './tenant-store.ts';

/** What a gateway must know of a credential, be it a key or an OAuth token. */
export type ResolvedCredential = Pick<
  KeyRow,
  | 'tenant_id'
  | 'livemode'
  | 'scopes'
  | 'app_permissions'
  | 'ip_allowlist'
  | 'memory_id'
  | 'space_id'
  | 'requests_per_second'
  | 'burst'
  | 'expires_at'
  | 'revokes_at'
  | 'revoked_at'
> & {
  kind: CredentialKind;
  /** Whom its use counts for: the key, or the token's client. */
  key_id: string;
  /** The key, or the single token. */
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
  return found;
}

/** Whose credential has this digest and whether it is good now. */
export function resolutionOf(found: ReadonlyMap<string, FoundCredential>, sha256: Uint8Array, now: Date): Resolution {
  const known = found.get(nameOf(sha256));
  if (known === undefined || !timingSafeEqual(known.sha256, sha256)) return { ok: false, denial: 'unknown' };
  return judged(known, now);
}

function nameOf(sha256: Uint8Array): string {
  return Buffer.from(sha256).toString('base64');
}

/** The same of a credential by its id, for a ticket that a service gave to its holder, which stands for it. */
export async function resolveById(
  parts: { workerDatabase: Database; now: () => Date },
  credentialId: string,
): Promise<Resolution> {
  const found = await parts.workerDatabase.transaction(async (tx) => {
    const key = await findKeyWithTenant(tx, credentialId);
    if (key !== null) return { credential: credentialOfKey(key.key), tenant: key.tenant };
    const token = await findTokenById(tx, credentialId);
    return token === null ? null : { credential: credentialOfToken(token.token, token.client), tenant: token.tenant };
  });
  return found === null ? { ok: false, denial: 'unknown' } : judged(found, parts.now());
}

function judged({ credential, tenant }: Omit<FoundCredential, 'sha256'>, now: Date): Resolution {
  const state = stateOf(credential, now);
  if (state !== 'good') return { ok: false, denial: state };
  if (tenant.status !== 'active') return { ok: false, denial: 'tenant_suspended' };
  return { ok: true, credential, tenant };
}

export function credentialOfKey(key: KeyRow): ResolvedCredential {
  return { ...key, credential_id: key.key_id };
}

/** A token is good for what its client is, within its own scopes and time, and only as long as both are. */
export function credentialOfToken(token: TokenRow, client: ClientRow): ResolvedCredential {
  const clientEnd = client.expires_at?.getTime() ?? Infinity;
  return {
    ...client,
    kind: 'oauth',
    key_id: client.client_id,
    credential_id: token.token_id,
    scopes: token.scopes.filter((scope) => client.scopes.includes(scope)),
    memory_id: null,
    space_id: null,
    expires_at: new Date(Math.min(token.expires_at.getTime(), clientEnd)),
    revokes_at: null,
    revoked_at: token.revoked_at ?? client.revoked_at,
  };
}
