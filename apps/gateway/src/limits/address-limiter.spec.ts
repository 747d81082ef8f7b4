import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createAddressLimiter } from './address-limiter.ts';
import { rateHeaders, rateLimited } from './rate-headers.ts';

// Room for a few addresses only: that for all takes longer to make than a run takes.
const limiterAt = (nowMs: () => number) => createAddressLimiter(nowMs, 10);

const limits = fc.record({
  requestsPerSecond: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.double({ min: 0.01, max: 500, noNaN: true })),
  burst: fc.integer({ min: 1, max: 200 }),
});
// Uptimes of a process in milliseconds, up to a year: rounding grows with them.
const starts = fc.double({ min: 0, max: 3.2e10, noNaN: true });

describe('the address limiter', () => {
  it('admits in no window of t seconds more than burst + rate · t', () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 500, noNaN: true })), {
      minLength: 1,
      maxLength: 300,
    });
    fc.assert(
      fc.property(limits, starts, gaps, (limit, start, gapsMs) => {
        let now = start;
        const limiter = limiterAt(() => now);
        const admitted: number[] = [];
        for (const gapMs of gapsMs) {
          now += gapMs;
          if (limiter.take('192.0.2.1', limit).allowed) admitted.push(now);
        }
        let worstExcess = -Infinity;
        for (const [first, from] of admitted.entries()) {
          for (let last = first; last < admitted.length; last++) {
            // Two microseconds for rounding, of which the limiter allows itself one.
            const seconds = (admitted[last]! - from) / 1_000 + 2e-6;
            worstExcess = Math.max(worstExcess, last - first + 1 - limit.burst - limit.requestsPerSecond * seconds);
          }
        }
        expect(worstExcess).toBeLessThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });

  it('never refuses a steady sender at the rate', () => {
    fc.assert(
      fc.property(limits, starts, (limit, start) => {
        let now = start;
        const limiter = limiterAt(() => now);
        let refused = 0;
        for (let sent = 0; sent < 500; sent++) {
          if (!limiter.take('192.0.2.1', limit).allowed) refused++;
          now += 1_000 / limit.requestsPerSecond;
        }
        expect(refused).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('admits again exactly when it said it would', () => {
    fc.assert(
      fc.property(limits, starts, (limit, start) => {
        let now = start;
        const limiter = limiterAt(() => now);
        for (let sent = 0; sent < limit.burst; sent++) expect(limiter.take('192.0.2.1', limit).allowed).toBe(true);
        const refused = limiter.take('192.0.2.1', limit);
        expect(refused).toMatchObject({ allowed: false, remaining: 0 });
        const waitMs = refused.retryAfterSeconds * 1_000;
        now = start + waitMs - Math.max(0.01, waitMs / 100);
        expect(limiter.take('192.0.2.1', limit).allowed).toBe(false);
        now = start + waitMs;
        expect(limiter.take('192.0.2.1', limit).allowed).toBe(true);
      }),
    );
  });

  it('counts each address for itself, and IPv6 addresses by their network of 64 bits', () => {
    const limiter = limiterAt(() => 0);
    const limit = { requestsPerSecond: 1, burst: 1 };
    expect(limiter.take('192.0.2.1', limit).allowed).toBe(true);
    expect(limiter.take('192.0.2.1', limit).allowed).toBe(false);
    expect(limiter.take('192.0.2.2', limit).allowed).toBe(true);
    expect(limiter.take('2001:db8::1', limit).allowed).toBe(true);
    expect(limiter.take('2001:db8::ffff:1', limit).allowed).toBe(false);
    expect(limiter.take('2001:db8:0:1::1', limit).allowed).toBe(true);
    expect(limiter.take('::ffff:192.0.2.1', limit).allowed).toBe(false);
  });

  it('counts down what remains and says when all of it is back', () => {
    let now = 1_000;
    const limiter = limiterAt(() => now);
    const limit = { requestsPerSecond: 2, burst: 3 };
    expect([1, 2, 3].map(() => limiter.take('192.0.2.1', limit).remaining)).toEqual([2, 1, 0]);
    expect(limiter.take('192.0.2.1', limit)).toEqual({
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 0.5,
      resetSeconds: 1.5,
    });
    now += 1_500;
    expect(limiter.take('192.0.2.1', limit)).toMatchObject({ allowed: true, remaining: 2 });
  });

  it('admits nobody when the limit is no number', () => {
    const limiter = limiterAt(() => 0);
    for (const requestsPerSecond of [0, NaN])
      expect(limiter.take('192.0.2.1', { requestsPerSecond, burst: 5 }).allowed).toBe(false);
  });
});

describe('the rate limit headers of a response', () => {
  it.each([
    { requestsPerSecond: 50, burst: 100, policy: 'q=100;w=2' },
    { requestsPerSecond: 50, burst: 10, policy: 'q=50;w=1' },
    { requestsPerSecond: 0.1, burst: 1, policy: 'q=1;w=10' },
  ])('$requestsPerSecond a second with a burst of $burst is $policy', ({ policy, ...limit }) => {
    const limiter = limiterAt(() => 0);
    const headers = rateHeaders(limiter.take('192.0.2.1', limit), limit);
    expect(headers['ratelimit-policy']).toBe(`"default";${policy}`);
    expect(headers['ratelimit']).toBe(`"default";r=${limit.burst - 1};t=${Math.ceil(1 / limit.requestsPerSecond)}`);
  });

  it('a refusal is 429 with the seconds to wait', () => {
    const limiter = limiterAt(() => 0);
    const limit = { requestsPerSecond: 0.5, burst: 1 };
    limiter.take('192.0.2.1', limit);
    const refused = rateLimited(limiter.take('192.0.2.1', limit), 'Too many.', { ratelimit: 'x' });
    expect(refused).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2, responseHeaders: { ratelimit: 'x' } });
  });
});
