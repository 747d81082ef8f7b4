import { describe, expect, it } from '@jest/globals';
import { decodeEvent } from '@cairn/contracts';
import { aggregateCalls } from '../src/calls/aggregate-calls.ts';
import { type StoredCall, withPrice } from '../src/stores/call-store.ts';
import { readCall } from '../src/calls/read-call.ts';
import { usageEvent } from './usage-events.ts';

function call(tenantId: string, change: Partial<StoredCall> = {}): StoredCall {
  const read = readCall(decodeEvent(usageEvent({ tenantId, usage: { user: 'ann' } }).payload));
  return { ...withPrice(read, { costNanoUsd: 5, microCredits: 1, priceVersion: 'old' }), ...change };
}

describe('what calls add up to', () => {
  it('has one row for each dimension, id, day and model, in one order whatever order the calls have', () => {
    const calls = [
      call('tnt_b', { user_id: 'bob' }),
      call('tnt_a', { model: 'z' }),
      call('tnt_a', { user_id: 'ann' }),
      call('tnt_b', { user_id: null }),
      call('tnt_b', { user_id: 'bob' }),
    ];
    const rows = aggregateCalls(calls);
    const nameOf = ({ tenantId, day, model, dimension, id }: (typeof rows)[number]) =>
      [tenantId, day, model, dimension, id].join('|');
    expect(new Set(rows.map(nameOf)).size).toBe(rows.length);
    expect(aggregateCalls(calls.toReversed()).map(nameOf)).toEqual(rows.map(nameOf));
    const users = rows.filter(({ tenantId, dimension }) => tenantId === 'tnt_b' && dimension === 'user');
    expect(users.map(({ id, figures }) => [id, figures[0]])).toEqual([
      ['', 2],
      ['bob', 2],
    ]);
    expect(rows.find(({ tenantId, dimension }) => tenantId === 'tnt_b' && dimension === 'tenant')!.figures[0]).toBe(3);
  });

  it('is refused where a number would round it, and one call alone never is', () => {
    const dear = () => call('tnt_a', { cost_nano_usd: 2 ** 53 + 2 });
    expect(aggregateCalls([dear()]).every(({ figures }) => figures[7] === 2 ** 53 + 2)).toBe(true);
    expect(() => aggregateCalls([dear(), dear()])).toThrow(RangeError);
  });
});
