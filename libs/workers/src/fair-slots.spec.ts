import { describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { fairSlots } from './fair-slots.ts';

const full = () => new Error('full');

/** Records who is seated, in order. */
function seated(seats: ReturnType<typeof fairSlots>) {
  const order: string[] = [];
  const leaves: ((cooldownMs?: number) => void)[] = [];
  return {
    order,
    leaves,
    async take(tenantId: string, signal?: AbortSignal): Promise<void> {
      const leave = await seats.take(tenantId, signal);
      order.push(tenantId);
      leaves.push(leave);
    },
  };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('fair seats', () => {
  it('leave one seat to others, however much one tenant asks for', async () => {
    const { order, take } = seated(fairSlots({ seats: 3, waitingMax: 10, full }));
    for (let count = 0; count < 5; count += 1) void take('a');
    await settle();
    expect(order).toEqual(['a', 'a']);
    void take('b');
    await settle();
    expect(order).toEqual(['a', 'a', 'b']);
  });

  it('are bounded for one tenant', async () => {
    const { order, take } = seated(fairSlots({ seats: 8, perTenantMax: 2, waitingMax: 10, full }));
    for (let count = 0; count < 4; count += 1) void take('a');
    void take('b');
    await settle();
    expect(order).toEqual(['a', 'a', 'b']);
  });

  it('are not given to a tenant in its cooldown, while other tenants get theirs', async () => {
    const { order, leaves, take } = seated(fairSlots({ seats: 3, perTenantMax: 1, waitingMax: 10, full }));
    void take('a');
    void take('a');
    void take('b');
    await settle();
    leaves.shift()!(60);
    void take('c');
    await settle();
    expect(order).toEqual(['a', 'b', 'c']);
    await eventually(() => order.length === 4);
    expect(order).toEqual(['a', 'b', 'c', 'a']);
  });

  it('are given in turn, even when there is one only', async () => {
    const { order, leaves, take } = seated(fairSlots({ seats: 1, waitingMax: 20, full }));
    for (let count = 0; count < 4; count += 1) void take('a');
    for (let count = 0; count < 2; count += 1) void take('b');
    for (let count = 0; count < 6; count += 1) {
      await settle();
      leaves.shift()!();
    }
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'a']);
  });

  it('refuse what would make the queue longer than its bound, and let no tenant fill it alone', async () => {
    const { take } = seated(fairSlots({ seats: 2, waitingMax: 4, full }));
    const refused: string[] = [];
    for (let count = 0; count < 6; count += 1) take('a').catch(() => refused.push('a'));
    for (let count = 0; count < 3; count += 1) take('b').catch(() => refused.push('b'));
    await settle();
    // a: one seated, two wait, three refused. b: one seated, one waits, one refused.
    expect(refused).toEqual(['a', 'a', 'a', 'b']);
  });

  it('let a further tenant wait, however many tenants have filled their shares of the queue', async () => {
    const { order, leaves, take } = seated(fairSlots({ seats: 1, waitingMax: 32, full }));
    const refused: string[] = [];
    for (const tenantId of ['a', 'b', 'c', 'd'])
      for (let count = 0; count < 64; count += 1) take(tenantId).catch(() => refused.push(tenantId));
    void take('polite');
    await settle();
    expect(new Set(refused)).toEqual(new Set(['a', 'b', 'c', 'd']));
    for (let count = 0; count < 5; count += 1) {
      await settle();
      leaves.shift()!();
    }
    await settle();
    expect(order).toContain('polite');
  });

  it('name the tenant as the cause where its own requests fill its share', async () => {
    const causes: string[] = [];
    const seats = fairSlots({
      seats: 1,
      waitingMax: 2,
      full(refusal) {
        causes.push(refusal);
        return new Error('full');
      },
    });
    for (const tenantId of ['a', 'a', 'a', 'b', 'c']) seats.take(tenantId).catch(() => undefined);
    await settle();
    expect(causes).toEqual(['tenant', 'all']);
  });

  it('are given up by who no longer waits', async () => {
    const seats = fairSlots({ seats: 1, waitingMax: 2, full });
    const { order, leaves, take } = seated(seats);
    await take('a');
    const abort = new AbortController();
    const given = take('b', abort.signal);
    void take('c');
    abort.abort(new Error('left'));
    await expect(given).rejects.toThrow('left');
    leaves.shift()!();
    await settle();
    expect(order).toEqual(['a', 'c']);
  });
});
