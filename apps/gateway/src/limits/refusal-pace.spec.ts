import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CairnError } from '@cairn/errors';
import { createRefusalPace } from './refusal-pace.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const LIMITED = new CairnError('rate_limited', 'Too many.', { retryAfterSeconds: 1 });

function sentTo(
  pace: ReturnType<typeof createRefusalPace>,
  address: string,
  error: unknown,
  count: number,
): () => number {
  let sent = 0;
  for (let turn = 0; turn < count; turn += 1) pace.answer(address, error, () => (sent += 1));
  return () => sent;
}

describe('the pace of refusals', () => {
  it('tells a burst at once, and after that only so many a second at once', () => {
    const pace = createRefusalPace(() => jest.now());
    const sent = sentTo(pace, '192.0.2.1', LIMITED, 150);
    expect(sent()).toBe(100);
    jest.advanceTimersByTime(999);
    expect(sent()).toBe(100);
    jest.advanceTimersByTime(1);
    expect(sent()).toBe(150);
    expect(sentTo(pace, '192.0.2.1', LIMITED, 20)()).toBe(10);
  });

  it('counts each address by itself, and an IPv6 address by its network', () => {
    const pace = createRefusalPace(() => jest.now());
    sentTo(pace, '2001:db8::1', LIMITED, 100);
    expect(sentTo(pace, '2001:db8::2', LIMITED, 1)()).toBe(0);
    expect(sentTo(pace, '192.0.2.2', LIMITED, 1)()).toBe(1);
  });

  it('never delays another answer', () => {
    const pace = createRefusalPace(() => jest.now());
    sentTo(pace, '192.0.2.1', LIMITED, 500);
    expect(sentTo(pace, '192.0.2.1', new CairnError('unavailable', 'Later.'), 5)()).toBe(5);
    expect(sentTo(pace, '192.0.2.1', new Error('ours'), 5)()).toBe(5);
  });

  it('holds back no more than a bounded number of answers', () => {
    const pace = createRefusalPace(() => jest.now());
    expect(sentTo(pace, '192.0.2.1', LIMITED, 6_000)()).toBe(1_000);
  });
});
