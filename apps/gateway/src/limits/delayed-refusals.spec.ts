import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CairnError } from '@cairn/errors';
import { createRefusalLimiter } from './refusal-limiter.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const LIMITED = new CairnError('rate_limited', 'Too many.', { retryAfterSeconds: 1 });

function sentTo(
  limiter: ReturnType<typeof createRefusalLimiter>,
  address: string,
  error: unknown,
  count: number,
): () => number {
  let sent = 0;
  for (let turn = 0; turn < count; turn += 1) limiter.respond(address, error, () => (sent += 1));
  return () => sent;
}

describe('responses with 429', () => {
  it('are sent at once for a burst, and after that only so many a second', () => {
    const limiter = createRefusalLimiter(10, () => jest.now());
    const sent = sentTo(limiter, '192.0.2.1', LIMITED, 150);
    expect(sent()).toBe(100);
    jest.advanceTimersByTime(999);
    expect(sent()).toBe(100);
    jest.advanceTimersByTime(1);
    expect(sent()).toBe(150);
    expect(sentTo(limiter, '192.0.2.1', LIMITED, 20)()).toBe(10);
  });

  it('count for each address by itself, and for an IPv6 address by its network', () => {
    const limiter = createRefusalLimiter(10, () => jest.now());
    sentTo(limiter, '2001:db8::1', LIMITED, 100);
    expect(sentTo(limiter, '2001:db8::2', LIMITED, 1)()).toBe(0);
    expect(sentTo(limiter, '192.0.2.2', LIMITED, 1)()).toBe(1);
  });

  it('are the only ones that are delayed', () => {
    const limiter = createRefusalLimiter(10, () => jest.now());
    sentTo(limiter, '192.0.2.1', LIMITED, 500);
    expect(sentTo(limiter, '192.0.2.1', new CairnError('unavailable', 'Later.'), 5)()).toBe(5);
    expect(sentTo(limiter, '192.0.2.1', new Error('ours'), 5)()).toBe(5);
  });

  it('are delayed up to a bounded number', () => {
    const limiter = createRefusalLimiter(10, () => jest.now());
    expect(sentTo(limiter, '192.0.2.1', LIMITED, 6_000)()).toBe(1_000);
  });
});
