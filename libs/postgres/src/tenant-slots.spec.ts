import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createTenantSlots } from './tenant-slots.ts';

const OPTIONS = { perTenantMax: 2, waitingMax: 3, waitMaxMs: 30_000 };

/** Work that goes on until it is ended. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

describe('slots of a tenant', () => {
  it('let another tenant work while one tenant has used up its own', async () => {
    const slots = createTenantSlots(OPTIONS);
    const [first, second, third] = [openWork(), openWork(), openWork()];
    const hostile = [first, second, third].map(({ work }) => slots.within('a', work));
    await expect(slots.within('b', async () => 'done')).resolves.toBe('done');
    for (const { end } of [first, second, third]) end();
    await Promise.all(hostile);
  });

  it('are handed on in the order of arrival, never more of them at once than there are', async () => {
    const slots = createTenantSlots(OPTIONS);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const work = (index: number) => async () => {
      running += 1;
      most = Math.max(most, running);
      order.push(index);
      await turn();
      running -= 1;
    };
    await Promise.all([0, 1, 2, 3, 4].map((index) => slots.within('a', work(index))));
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  it('refuse when too many wait, and when the wait was too long', async () => {
    const slots = createTenantSlots({ perTenantMax: 1, waitingMax: 1, waitMaxMs: 10 });
    const held = openWork();
    const holder = slots.within('a', held.work);
    const waiting = slots.within('a', async () => undefined);
    await expect(slots.within('a', async () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    held.end();
    await holder;
    await expect(slots.within('a', async () => 'free again')).resolves.toBe('free again');
  });

  it('are shared by work inside of work: a tenant with one slot cannot lock itself out', async () => {
    const slots = createTenantSlots({ perTenantMax: 1, waitingMax: 0, waitMaxMs: 30_000 });
    const nested = slots.within('a', () => slots.within('a', async () => 'inner'));
    await expect(nested).resolves.toBe('inner');
  });

  it('are given back by work that fails', async () => {
    const slots = createTenantSlots({ perTenantMax: 1, waitingMax: 0, waitMaxMs: 30_000 });
    await expect(slots.within('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(slots.within('a', async () => 'yes')).resolves.toBe('yes');
  });
});
