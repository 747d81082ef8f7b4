import type { TokenSigner } from './token.ts';

const LIFETIME_MS = 60_000;
const RENEW_BEFORE_MS = 20_000;

/** Gives the service's own token, renewed well before it ends. */
export function createServiceTokenSource(signer: TokenSigner, service: string): () => Promise<string> {
  let current: { token: Promise<string>; untilMs: number } | null = null;
  return () => {
    const now = Date.now();
    if (current === null || current.untilMs - now < RENEW_BEFORE_MS) {
      const untilMs = now + LIFETIME_MS;
      current = { token: signer.signService({ service, admitUntilMs: untilMs }), untilMs };
    }
    return current.token;
  };
}
