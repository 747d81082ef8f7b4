import type { ServiceName } from '@cairn/contracts';
import type { TokenSigner } from '@cairn/identity';
import { growingCacheOptions } from '@cairn/revocation';
import { LRUCache } from 'lru-cache';
import type { AuthContext } from './auth-context.ts';

const TOKENS_MAX = 50_000;
const REISSUED_AFTER_MS = 1_000;
/** The time a request may take to reach its service, and the longest a stolen token can be misused. */
const ADMITTED_FOR_MS = 5_000;

export interface IdentityTokens {
  /**
   * The signed identity for a credential at one service, on the memory's hostname or off it. Issued at most once a
   * second.
   */
  tokenFor(auth: AuthContext, service: ServiceName, hostMemoryId: string | null): Promise<string>;
}

/** `admitForMs`: how long an identity that is issued now may be valid; never longer than the gateway's lease. */
export function createIdentityTokens(signer: TokenSigner, admitForMs: () => number): IdentityTokens {
  const issued = new LRUCache<string, { token: Promise<string>; auth: AuthContext; atMs: number }>(
    growingCacheOptions(TOKENS_MAX),
  );
  return {
    tokenFor(auth, service, hostMemoryId) {
      // The age by a monotonic clock, the expiry by the clock that the services compare it with.
      const now = performance.now();
      const name = `${auth.credentialId} ${service} ${hostMemoryId ?? ''}`;
      const known = issued.get(name);
      if (known !== undefined && known.auth === auth && now - known.atMs < REISSUED_AFTER_MS) return known.token;
      const admittedForMs = Math.min(ADMITTED_FOR_MS, admitForMs());
      const admitUntilMs = Math.min(Date.now() + admittedForMs, auth.expiresAtMs, auth.revokesAtMs);
      const { credentialId } = auth;
      const token = signer.signIdentity({ ...auth.identity, credentialId, hostMemoryId, admitUntilMs }, service);
      issued.set(name, { token, auth, atMs: now });
      return token;
    },
  };
}
