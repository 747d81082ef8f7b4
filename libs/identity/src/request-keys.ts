import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { JWK } from 'jose';

const KEY_BYTES = 32;

/** A fresh key that binds requests to the service, as a JWK named after it. */
export function generateRequestKey(service: string): JWK {
  return { kty: 'oct', kid: service, k: randomBytes(KEY_BYTES).toString('base64url') };
}

/** The service's keys in a JWK set, in its order: the first one binds, all of them verify. At least one. */
export function requestKeysOf(jwks: readonly JWK[], service: string): readonly KeyObject[] {
  const own = jwks.filter(({ kid }) => kid?.split('.')[0] === service);
  const keys = own.map(({ kty, k }) => {
    const bytes = Buffer.from(k ?? '', 'base64url');
    if (kty !== 'oct' || bytes.length < KEY_BYTES)
      throw new Error(`a request key of ${service} is not an oct key of at least ${KEY_BYTES * 8} bits`);
    return createSecretKey(bytes);
  });
  if (keys.length === 0) throw new Error(`there is no request key of ${service}`);
  return keys;
}
