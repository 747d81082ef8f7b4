import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BindingVerifier,
  createBindingVerifier,
  createRequestBinder,
  type RequestHead,
} from './request-binding.ts';
import { generateRequestKey, requestKeysOf } from './request-keys.ts';

const JWKS = ['usage', 'keys', 'keys.2'].map(generateRequestKey);
const [OWN, NEXT] = requestKeysOf(JWKS, 'keys') as [never, never];
const [FOREIGN] = requestKeysOf(JWKS, 'usage') as [never];
const REQUEST: RequestHead = { method: 'POST', target: '/api/v1/api-keys?x=1', token: 'header.claims.signature' };
const NOW = Date.UTC(2026, 10, 22);
const AGE_MAX_MS = 5_000;

let now: number;
let verifier: BindingVerifier;
const clock = () => now;
beforeEach(() => {
  now = NOW;
  verifier = createBindingVerifier([OWN], clock);
});

describe('a binding', () => {
  it('is accepted once, for the request that it was made for', () => {
    const binding = createRequestBinder(OWN, clock)(REQUEST);
    expect(verifier.check(binding, REQUEST)).toBe('ok');
    expect(verifier.check(binding, REQUEST)).toBe('invalid');
  });

  it('is another one each time, from every gateway', () => {
    const [one, other] = [createRequestBinder(OWN, clock), createRequestBinder(OWN, clock)];
    const bindings = [one(REQUEST), one(REQUEST), other(REQUEST)];
    expect(bindings.map((binding) => verifier.check(binding, REQUEST))).toEqual(['ok', 'ok', 'ok']);
  });

  it.each<[string, Partial<RequestHead>]>([
    ['another method', { method: 'DELETE' }],
    ['another path', { target: '/api/v1/webhooks?x=1' }],
    ['another query', { target: '/api/v1/api-keys?x=2' }],
    ['no query', { target: '/api/v1/api-keys' }],
    ['another identity', { token: 'header.claims.other' }],
    ['another split of the same characters', { method: 'POST\n/api', target: '/v1/api-keys?x=1' }],
  ])('is not accepted with %s', (_what, change) => {
    const binding = createRequestBinder(OWN, clock)(REQUEST);
    expect(verifier.check(binding, { ...REQUEST, ...change })).toBe('invalid');
    // What was tried with it does not take it away from the request that it belongs to.
    expect(verifier.check(binding, REQUEST)).toBe('ok');
  });

  it('of another service is not accepted', () => {
    expect(verifier.check(createRequestBinder(FOREIGN, clock)(REQUEST), REQUEST)).toBe('invalid');
  });

  it('by any of the keys of the service is accepted, so that they can be changed', () => {
    const both = createBindingVerifier([NEXT, OWN], clock);
    expect(both.check(createRequestBinder(OWN, clock)(REQUEST), REQUEST)).toBe('ok');
    expect(both.check(createRequestBinder(NEXT, clock)(REQUEST), REQUEST)).toBe('ok');
  });

  it.each([AGE_MAX_MS, -AGE_MAX_MS])('is accepted %i ms after it was made by the other clock, not later', (ageMs) => {
    const bind = createRequestBinder(OWN, clock);
    const [just, late] = [bind(REQUEST), bind(REQUEST)];
    now = NOW + ageMs;
    expect(verifier.check(just, REQUEST)).toBe('ok');
    now += Math.sign(ageMs);
    expect(verifier.check(late, REQUEST)).toBe('expired');
    // Whoever asks later with what was never made for the request gets no hint.
    expect(verifier.check(late, { ...REQUEST, method: 'PUT' })).toBe('invalid');
  });

  it('is remembered for as long as it could be sent again, at whatever moment it came', () => {
    for (let offset = 0; offset < 30_000; offset += 700) {
      now = NOW + offset;
      const early = createRequestBinder(OWN, () => now + AGE_MAX_MS)(REQUEST);
      expect(verifier.check(early, REQUEST)).toBe('ok');
      now += 2 * AGE_MAX_MS;
      expect(verifier.check(early, REQUEST)).toBe('invalid');
    }
  });

  it('beyond what can be remembered is refused, and not let in unseen', () => {
    const small = createBindingVerifier([OWN], clock, 3);
    const bind = createRequestBinder(OWN, clock);
    const checks = Array.from({ length: 5 }, () => small.check(bind(REQUEST), REQUEST));
    expect(checks).toEqual(['ok', 'ok', 'ok', 'busy', 'busy']);
  });

  it.each([undefined, '', '..', 'a.b.c', `${NOW}.nonce.${'A'.repeat(43)}`, `${NOW}.nonce.${'A'.repeat(42)}`])(
    'that is %p is refused',
    (binding) => {
      expect(verifier.check(binding, REQUEST)).toBe('invalid');
    },
  );
});

describe('request keys', () => {
  it('are those named after the service, in their order', () => {
    expect(requestKeysOf(JWKS, 'keys').map((key) => key.export({ format: 'jwk' }).k)).toEqual([JWKS[1]!.k, JWKS[2]!.k]);
  });

  it.each([
    ['are not there', []],
    ['are too short', [{ kty: 'oct', kid: 'keys', k: 'AAAA' }]],
    ['are of another kind', [{ kty: 'OKP', kid: 'keys', k: JWKS[1]!.k! }]],
  ])('that %s are refused at the start', (_what, jwks) => {
    expect(() => requestKeysOf(jwks, 'keys')).toThrow('keys');
  });
});
