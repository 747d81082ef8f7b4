import { importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Identity, ServiceIdentity } from './identity.ts';

const ALGORITHM = 'EdDSA';
const GATEWAY_KEY_PREFIX = 'gateway';
const VERIFIED_TOKENS_MAX = 5_000;

/** Makes tokens with one private Ed25519 key, a JWK whose `kid` names the holder. */
export interface TokenSigner {
  /** `audience`: the one service that accepts it. */
  signIdentity(identity: Identity, audience: string): Promise<string>;
  /** `audience`: the service, or the path of the one gRPC method, that accepts it. */
  signService(service: ServiceIdentity, audience: string): Promise<string>;
}

export type VerifiedCaller = { kind: 'tenant'; identity: Identity } | { kind: 'service'; service: ServiceIdentity };

/**
 * `expired`: authentic and meant for this audience, but too late. Whoever brought it did nothing wrong; it, or this
 * service, was too slow. Anything else that is wrong with a token is `invalid`.
 */
type TokenCheck = { ok: true; caller: VerifiedCaller } | { ok: false; denial: 'invalid' | 'expired' };

export interface TokenVerifier {
  /** `graceMs`: how long after its time the token is still accepted. */
  verify(token: string | undefined, audience: string, graceMs?: number): Promise<TokenCheck>;
}

interface Claims {
  typ?: 'tenant' | 'service';
  identity?: Omit<Identity, 'admitUntilMs'>;
  service?: string;
  untilMs?: number;
}

export async function createTokenSigner(privateJwk: JWK): Promise<TokenSigner> {
  const key = await importJWK(privateJwk, ALGORITHM);
  const kid = privateJwk.kid;
  if (kid === undefined) throw new Error('the signing key has no kid');
  const sign = (claims: Claims, untilMs: number, audience: string) =>
    new SignJWT({ ...claims, untilMs })
      .setProtectedHeader({ alg: ALGORITHM, kid })
      .setAudience(audience)
      .setExpirationTime(Math.ceil(untilMs / 1000))
      .sign(key);
  return {
    signIdentity({ admitUntilMs, ...identity }, audience) {
      return sign({ typ: 'tenant', identity }, admitUntilMs, audience);
    },
    signService({ service, admitUntilMs }, audience) {
      return sign({ typ: 'service', service }, admitUntilMs, audience);
    },
  };
}

interface Verified {
  caller: VerifiedCaller;
  audience: string;
  untilMs: number;
}

/**
 * Verifies tokens against the public keys of gateways and services. Only a key whose `kid` starts with
 * `gateway` may speak for tenants, and a service's key only for the service it is named after.
 */
export async function createTokenVerifier(
  publicJwks: readonly JWK[],
  nowMs: () => number = Date.now,
): Promise<TokenVerifier> {
  const keys = new Map(
    await Promise.all(publicJwks.map(async (jwk) => [jwk.kid ?? '', await importJWK(jwk, ALGORITHM)] as const)),
  );
  const known = new LRUCache<string, Verified>({ max: VERIFIED_TOKENS_MAX });

  return {
    async verify(token, audience, graceMs = 0) {
      if (token === undefined || token === '') return { ok: false, denial: 'invalid' };
      // The time of arrival counts, not how long verifying takes.
      const now = nowMs();
      let verified = known.get(token) ?? null;
      if (verified === null) {
        verified = await verifyOnce(token, keys);
        if (verified === null) return { ok: false, denial: 'invalid' };
        known.set(token, verified);
      }
      // Both are checked on every use: a token that was accepted once is not accepted everywhere, or forever.
      if (verified.audience !== audience) return { ok: false, denial: 'invalid' };
      if (now >= verified.untilMs + graceMs) return { ok: false, denial: 'expired' };
      return { ok: true, caller: verified.caller };
    },
  };
}

/** The claims of an authentic token, expired or not; null for any other. */
async function verifyOnce(
  token: string,
  keys: Map<string, Awaited<ReturnType<typeof importJWK>>>,
): Promise<Verified | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify<Claims>(
      token,
      (header) => {
        const key = keys.get(header.kid ?? '');
        if (key === undefined) throw new Error('unknown kid');
        return key;
      },
      // The caller of this function checks the expiry.
      { algorithms: [ALGORITHM], requiredClaims: ['exp', 'aud'], currentDate: new Date(0) },
    );
    const { aud: audience, exp: expiresAt, untilMs } = payload;
    const caller = callerOf(payload, protectedHeader.kid ?? '');
    if (caller === null || typeof audience !== 'string' || typeof untilMs !== 'number') return null;
    return { caller, audience, untilMs: Math.min(untilMs, (expiresAt ?? 0) * 1000) };
  } catch {
    return null;
  }
}

function callerOf(claims: Claims, kid: string): VerifiedCaller | null {
  const admitUntilMs = claims.untilMs ?? 0;
  if (claims.typ === 'tenant' && claims.identity !== undefined && kid.startsWith(GATEWAY_KEY_PREFIX)) {
    return { kind: 'tenant', identity: { ...claims.identity, admitUntilMs } };
  }
  if (claims.typ === 'service' && claims.service !== undefined && kid.split('.')[0] === claims.service) {
    return { kind: 'service', service: { service: claims.service, admitUntilMs } };
  }
  return null;
}
