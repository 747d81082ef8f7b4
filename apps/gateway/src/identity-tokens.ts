import type { ServiceName } from '@cairn/contracts';
import type { TokenSigner } from '@cairn/identity';
import { LRUCache } from 'lru-cache';
import type { Verdict } from './verdict.ts';

const TOKENS_MAX = 50_000;
const MINTED_AGAIN_AFTER_MS = 1_000;
/** What a request may take to reach its service; whoever gets hold of a token has no longer to misuse it. */
const ADMITTED_FOR_MS = 5_000;

export interface IdentityTokens {
  /**
   * The signed identity for a credential at one service, on the memory's hostname or off it. Minted at most once a
   * second.
   */
  tokenFor(verdict: Verdict, service: ServiceName, hostMemoryId: string | null): Promise<string>;
}

/** `admitForMs`: how long an identity may be good that is handed out now; never longer than what the gateway knows. */
export function createIdentityTokens(signer: TokenSigner, admitForMs: () => number): IdentityTokens {
  const minted = new LRUCache<string, { token: Promise<string>; verdict: Verdict; atMs: number }>({ max: TOKENS_MAX });
  return {
    tokenFor(verdict, service, hostMemoryId) {
      // The age by a clock that is never set back, the end by the one the services compare it with.
      const now = performance.now();
      const name = `${verdict.credentialId} ${service} ${hostMemoryId ?? ''}`;
      const known = minted.get(name);
      if (known !== undefined && known.verdict === verdict && now - known.atMs < MINTED_AGAIN_AFTER_MS)
        return known.token;
      const admittedForMs = Math.min(ADMITTED_FOR_MS, admitForMs());
      const admitUntilMs = Math.min(Date.now() + admittedForMs, verdict.expiresAtMs, verdict.revokesAtMs);
      const { credentialId } = verdict;
      const token = signer.signIdentity({ ...verdict.identity, credentialId, hostMemoryId, admitUntilMs }, service);
      minted.set(name, { token, verdict, atMs: now });
      return token;
    },
  };
}
