import { describe, expect, it } from '@jest/globals';
import { createFairScheduler, type FairScheduler } from './fair-scheduler.ts';

/** Serves one row at a time and returns the tenants in order. */
function serve(schedule: FairScheduler, waiting: readonly string[], rows: number, cost = 1): string {
  let order = '';
  for (let served = 0; served < rows; served += 1) {
    const [share] = schedule.plan(waiting, 1);
    order += share!.tenantId;
    schedule.charge(share!.tenantId, cost);
  }
  return order;
}

describe('the fair scheduler', () => {
  it('lets tenants take turns, however much each of them has waiting', () => {
    const schedule = createFairScheduler(() => 0);
    expect(serve(schedule, ['a', 'b', 'c'], 9)).toBe('abcabcabc');
  });

  it('serves a new tenant at once, before the rest of those that were there', () => {
    const schedule = createFairScheduler(() => 0);
    serve(schedule, ['a'], 20_000);
    expect(serve(schedule, ['a', 'z'], 4)).toBe('zaza');
  });

  it('divides a batch equally, and gives all of it to a tenant that is alone', () => {
    const schedule = createFairScheduler(() => 0);
    serve(schedule, ['a'], 500);
    expect(schedule.plan(['a', 'b'], 64)).toEqual([
      { tenantId: 'b', rows: 32 },
      { tenantId: 'a', rows: 32 },
    ]);
    expect(schedule.plan(['a'], 64)).toEqual([{ tenantId: 'a', rows: 64 }]);
  });

  it('counts what work costs, so that a tenant with large work comes less often', () => {
    const schedule = createFairScheduler(() => 0);
    let order = '';
    for (let served = 0; served < 10; served += 1) {
      const { tenantId } = schedule.plan(['large', 'small'], 1)[0]!;
      schedule.charge(tenantId, tenantId === 'large' ? 4 : 1);
      order += tenantId[0];
    }
    expect(order).toBe('lsssslssss');
  });

  it('saves up no turns for an absent tenant, and forgets it after a minute', () => {
    let nowMs = 0;
    const schedule = createFairScheduler(() => nowMs);
    serve(schedule, ['a', 'b'], 10);
    serve(schedule, ['a'], 1_000);
    // The tenant missed a thousand turns, and still has no more than the other.
    expect(serve(schedule, ['a', 'b'], 6)).toBe('bababa');
    serve(schedule, ['b'], 50);
    nowMs = 61_000;
    // Its debt is forgotten with it.
    schedule.charge('a', 1);
    expect(serve(schedule, ['a', 'b'], 4)).toBe('baba');
  });

  it('plans the same again while nothing was served', () => {
    const schedule = createFairScheduler(() => 0);
    schedule.charge('a', 3);
    expect(schedule.plan(['a', 'b'], 5)).toEqual(schedule.plan(['a', 'b'], 5));
  });
});
