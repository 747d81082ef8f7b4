import { Denial, type KeysService } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { base64DigestOf, hasKeyForm, isDamagedKey, type TicketVerifier } from '@cairn/identity';
import { type BeginUnknownLookup, type CredentialGuard, growingCacheOptions, type Lookup } from '@cairn/revocation';
import type { RpcClient } from '@cairn/service-kit';
import { LRUCache } from 'lru-cache';
import { unavailable } from './unavailable.ts';
import { denialError, type AuthContext, authContextOf } from './auth-context.ts';

const RESOLVE_TIMEOUT_MS = 2_000;

export interface CredentialResolver {
  /**
   * The auth context of a credential; throws the caller's 401, or `unavailable` when keys cannot be reached.
   * `beginUnknown` may refuse a credential that has to be looked up and was never seen good.
   */
  resolve(credential: string, beginUnknown?: BeginUnknownLookup): Promise<AuthContext>;
  /** The auth context of the credential that a ticket names: it is valid as long as both are. */
  resolveTicket(ticket: string, beginUnknown?: BeginUnknownLookup): Promise<AuthContext>;
}

const WELL_FORMED_MAX = 50_000;
/** Prefix of a lookup by a credential's id; no digest in base64 starts with it. */
const BY_ID = 'id:';

/** Resolves credentials through the guard, and checks their expiry. */
export function createCredentialResolver(
  guard: Pick<CredentialGuard<AuthContext, Denial>, 'admit'>,
  tickets: TicketVerifier,
): CredentialResolver {
  const admit = async (name: string, beginUnknown?: BeginUnknownLookup) => {
    const result = await guard.admit(name, beginUnknown);
    if (!result.ok) throw denialError(result.denial);
    if (result.hit.revokesAtMs <= Date.now()) throw denialError(Denial.REVOKED);
    if (result.hit.expiresAtMs <= Date.now()) throw denialError(Denial.EXPIRED);
    return result.hit;
  };
  // Digests of texts whose checksum was verified; verifying costs more than this lookup.
  const wellFormed = new LRUCache<string, true>(growingCacheOptions(WELL_FORMED_MAX));
  return {
    async resolve(credential, beginUnknown) {
      const digest = base64DigestOf(credential);
      if (wellFormed.get(digest) === undefined) {
        // A text without a key's form and checksum is no key, so keys is not asked.
        if (!hasKeyForm(credential)) throw new CairnError('credential_invalid', malformed(credential));
        wellFormed.set(digest, true);
      }
      return admit(digest, beginUnknown);
    },
    async resolveTicket(ticket, beginUnknown) {
      const check = await tickets.verify(ticket);
      if (check.ok) return admit(BY_ID + check.ticket.credentialId, beginUnknown);
      if (check.denial === 'expired') throw new CairnError('credential_expired', 'The ticket has expired.');
      throw new CairnError('credential_invalid', 'The ticket is not valid.');
    },
  };
}

function malformed(credential: string): string {
  return isDamagedKey(credential)
    ? 'The key is incomplete or mistyped: its checksum does not match.'
    : 'The key is not valid.';
}

/** Looks a credential up at keys by its digest in base64, or by its id. */
export function createKeysLookup(keys: Pick<RpcClient<typeof KeysService>, 'resolve'>) {
  return async (digest: string, seenGood: boolean): Promise<Lookup<AuthContext, Denial>> => {
    const request = digest.startsWith(BY_ID)
      ? { credentialId: digest.slice(BY_ID.length) }
      : { sha256: Buffer.from(digest, 'base64'), seenGood };
    const { result } = await keys.resolve(request, { timeoutMs: RESOLVE_TIMEOUT_MS }).catch((error: unknown) => {
      throw unavailable(error);
    });
    if (result.case === 'credential') return { ok: true, hit: authContextOf(result.value) };
    if (result.case === 'denial') return { ok: false, denial: result.value };
    throw new CairnError('internal', '', { internal: 'keys returned neither credential nor denial' });
  };
}
