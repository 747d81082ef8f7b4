import type { TokenSigner } from './token.ts';

const LIFETIME_MS = 5_000;
const RENEW_BEFORE_MS = 3_000;

/** The service's own token for an audience: a service over HTTP, or the path of a gRPC method. */
export type ServiceTokenSource = (audience: string) => Promise<string>;

/** Signs a token for each audience, and again before it is too old to be sent. Audiences are few: they are our own. */
export function createServiceTokenSource(signer: TokenSigner, service: string): ServiceTokenSource {
  const current = new Map<string, { token: Promise<string>; untilMs: number }>();
  return (audience) => {
    const now = Date.now();
    const known = current.get(audience);
    if (known !== undefined && known.untilMs - now >= RENEW_BEFORE_MS && known.untilMs - now <= LIFETIME_MS)
      return known.token;
    const untilMs = now + LIFETIME_MS;
    const token = signer.signService({ service, admitUntilMs: untilMs }, audience);
    current.set(audience, { token, untilMs });
    return token;
  };
}
