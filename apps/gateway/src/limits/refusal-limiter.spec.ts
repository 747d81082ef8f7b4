import { describe, expect, it } from '@jest/globals';
import { CairnError } from '@cairn/errors';
import { createRefusalLimiter } from './refusal-limiter.ts';

const A = '192.0.2.1';
const B = '192.0.2.2';
const INVALID = new CairnError('credential_invalid', 'x');
const BURST = 20;

function limiter() {
  const clock = { ms: 1_000_000 };
  return { ...createRefusalLimiter(1, () => clock.ms, 10), clock };
}
const limited = expect.objectContaining({ code: 'rate_limited' });

describe('refusals to an address', () => {
  it('are returned unchanged up to the limit, then as 429 with the time to wait, whoever else is refused', () => {
    const { refused, clock } = limiter();
    for (let n = 0; n < BURST; n += 1) expect(refused(A, INVALID)).toBe(INVALID);
    expect(refused(A, INVALID)).toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 1,
      responseHeaders: { ratelimit: expect.stringMatching(/^"address";r=0;/) },
    });
    expect(refused(B, INVALID)).toBe(INVALID);
    clock.ms += 1_000;
    expect(refused(A, INVALID)).toBe(INVALID);
    expect(refused(A, INVALID)).toEqual(limited);
  });

  it.each(['credential_missing', 'credential_revoked', 'permission_denied', 'ip_not_allowed'] as const)(
    'count when they are %s',
    (code) => {
      const { refused } = limiter();
      const error = new CairnError(code, 'x');
      for (let n = 0; n < BURST; n += 1) refused(A, error);
      expect(refused(A, error)).toEqual(limited);
    },
  );

  it('do not count when nobody is to blame, or the limit itself refuses', () => {
    const { refused } = limiter();
    const others = [
      new CairnError('unavailable', 'x'),
      new CairnError('rate_limited', 'x'),
      new CairnError('not_found', 'x'),
      new Error('bug'),
    ];
    for (let n = 0; n < 50; n += 1) for (const error of others) expect(refused(A, error)).toBe(error);
    expect(refused(A, INVALID)).toBe(INVALID);
  });

  it('count for the 64 bits of an IPv6 network together', () => {
    const { refused } = limiter();
    for (let n = 0; n < BURST; n += 1) refused(`2001:db8:0:1::${n}`, INVALID);
    expect(refused('2001:db8:0:1:ffff::1', INVALID)).toEqual(limited);
    expect(refused('2001:db8:0:2::1', INVALID)).toBe(INVALID);
  });
});

describe('lookups of credentials that were never seen good', () => {
  it('are begun only as far as all of them could be refused, and a valid one costs nothing', () => {
    const { beginLookup, refused } = limiter();
    refused(A, INVALID);
    const ends = Array.from({ length: BURST - 1 }, () => beginLookup(A));
    expect(() => beginLookup(A)).toThrow(limited);
    expect(() => beginLookup(B)).not.toThrow();
    for (const end of ends) end();
    for (let n = 0; n < 10 * BURST; n += 1) beginLookup(A)();
  });

  it('are not begun for an address that is over its limit, and are again at its rate', () => {
    const { beginLookup, refused, clock } = limiter();
    for (let n = 0; n < BURST; n += 1) refused(A, INVALID);
    expect(() => beginLookup(A)).toThrow(limited);
    clock.ms += 1_000;
    beginLookup(A)();
    refused(A, INVALID);
    expect(() => beginLookup(A)).toThrow(limited);
  });
});
