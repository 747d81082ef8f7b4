import { describe, expect, it } from '@jest/globals';
import { createFairScheduler, type FairScheduler } from './fair-scheduler.ts';

/** Serves one document at a time and says whose it was. */
function serve(schedule: FairScheduler, waiting: readonly string[], documents: number, cost = 1): string {
  let order = '';
  for (let served = 0; served < documents; served += 1) {
    const [share] = schedule.plan(waiting, 1);
    order += share!.tenantId;
    schedule.charge(share!.tenantId, cost);
  }
  return order;
}

describe('the order of tenants', () => {
  it('takes turns, whatever each has waiting', () => {
    const schedule = createFairScheduler(() => 0);
    expect(serve(schedule, ['a', 'b', 'c'], 9)).toBe('abcabcabc');
  });

  it('lets who comes new be served at once, before the rest of who was there', () => {
    const schedule = createFairScheduler(() => 0);
    serve(schedule, ['a'], 20_000);
    expect(serve(schedule, ['a', 'z'], 4)).toBe('zaza');
  });

  it('divides a batch alike, and gives all of it to one who is alone', () => {
    const schedule = createFairScheduler(() => 0);
    serve(schedule, ['a'], 500);
    expect(schedule.plan(['a', 'b'], 64)).toEqual([
      { tenantId: 'b', documents: 32 },
      { tenantId: 'a', documents: 32 },
    ]);
    expect(schedule.plan(['a'], 64)).toEqual([{ tenantId: 'a', documents: 64 }]);
  });

  it('counts what documents cost: who sends large ones comes less often', () => {
    const schedule = createFairScheduler(() => 0);
    let order = '';
    for (let served = 0; served < 10; served += 1) {
      const { tenantId } = schedule.plan(['large', 'small'], 1)[0]!;
      schedule.charge(tenantId, tenantId === 'large' ? 4 : 1);
      order += tenantId[0];
    }
    expect(order).toBe('lsssslssss');
  });

  it('lets nobody save up turns by being away, and forgets who is away for a minute', () => {
    let nowMs = 0;
    const schedule = createFairScheduler(() => nowMs);
    serve(schedule, ['a', 'b'], 10);
    serve(schedule, ['a'], 1_000);
    // It was away for a thousand documents and has as many turns as anybody.
    expect(serve(schedule, ['a', 'b'], 6)).toBe('bababa');
    serve(schedule, ['b'], 50);
    nowMs = 61_000;
    // Its debt is forgotten with it.
    schedule.charge('a', 1);
    expect(serve(schedule, ['a', 'b'], 4)).toBe('baba');
  });

  it('asked twice without a document served, answers the same', () => {
    const schedule = createFairScheduler(() => 0);
    schedule.charge('a', 3);
    expect(schedule.plan(['a', 'b'], 5)).toEqual(schedule.plan(['a', 'b'], 5));
  });
});
