import { importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Identity, ServiceIdentity } from './identity.ts';

const ALGORITHM = 'EdDSA';
const AUDIENCE = 'cairn';
const GATEWAY_KEY_PREFIX = 'gateway';
const VERIFIED_TOKENS_MAX = 5_000;

/** Makes tokens with one private Ed25519 key, a JWK whose `kid` names the holder. */
export interface TokenSigner {
  signIdentity(identity: Identity): Promise<string>;
  signService(service: ServiceIdentity): Promise<string>;
}

export type VerifiedCaller = { kind: 'tenant'; identity: Identity } | { kind: 'service'; service: ServiceIdentity };

export interface TokenVerifier {
  /** The caller, or null when the token is missing, forged, for something else, or past its time. */
  verify(token: string | undefined): Promise<VerifiedCaller | null>;
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
  const sign = (claims: Claims, untilMs: number) =>
    new SignJWT({ ...claims, untilMs })
      .setProtectedHeader({ alg: ALGORITHM, kid })
      .setAudience(AUDIENCE)
      .setExpirationTime(Math.ceil(untilMs / 1000))
      .sign(key);
  return {
    signIdentity({ admitUntilMs, ...identity }) {
      return sign({ typ: 'tenant', identity }, admitUntilMs);
    },
    signService({ service, admitUntilMs }) {
      return sign({ typ: 'service', service }, admitUntilMs);
    },
  };
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
  const verified = new LRUCache<string, { caller: VerifiedCaller; untilMs: number }>({ max: VERIFIED_TOKENS_MAX });

  return {
    async verify(token) {
      if (token === undefined || token === '') return null;
      const cached = verified.get(token);
      // The time is looked at on every use: a token that was good once is not good for ever.
      if (cached !== undefined) return nowMs() < cached.untilMs ? cached.caller : null;
      const fresh = await verifyOnce(token, keys, nowMs());
      if (fresh === null) return null;
      verified.set(token, fresh);
      return nowMs() < fresh.untilMs ? fresh.caller : null;
    },
  };
}

async function verifyOnce(token: string, keys: Map<string, Awaited<ReturnType<typeof importJWK>>>, nowMs: number) {
  try {
    const { payload, protectedHeader } = await jwtVerify<Claims>(
      token,
      (header) => {
        const key = keys.get(header.kid ?? '');
        if (key === undefined) throw new Error('unknown kid');
        return key;
      },
      { algorithms: [ALGORITHM], audience: AUDIENCE, currentDate: new Date(nowMs) },
    );
    const caller = callerOf(payload, protectedHeader.kid ?? '');
    return caller === null || payload.untilMs === undefined ? null : { caller, untilMs: payload.untilMs };
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
