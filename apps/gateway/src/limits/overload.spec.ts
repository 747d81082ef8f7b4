import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createOverloadControl, type OverloadControl } from './overload.ts';

const TICK_MS = 20;
const REFUSED = expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1 });

let control: OverloadControl;
let clockMs: number;

beforeEach(() => {
  jest.useFakeTimers();
  clockMs = 0;
  control = createOverloadControl({ lateFromMs: 20, nowMs: () => clockMs });
});
afterEach(() => {
  control.close();
  jest.useRealTimers();
});

/** Lets time pass on an event loop whose every tick is late by so much. */
function pass(ms: number, lateMs: number): void {
  for (let left = ms; left > 0; left -= TICK_MS + lateMs) {
    clockMs += TICK_MS + lateMs;
    jest.advanceTimersByTime(TICK_MS);
  }
}

const take = (payerId: string, weight = 10) => control.take(payerId, 'memory', weight);

function takeMany(payerId: string, count: number): void {
  for (let each = 0; each < count; each += 1) take(payerId);
}

describe('overload control', () => {
  it('refuses the tenant that asks for most, and no other, while the event loop is late', () => {
    takeMany('modest', 3);
    takeMany('greedy', 12);
    pass(1_000, 60);
    expect(() => take('greedy')).toThrow(REFUSED);
    take('modest');
    take('new');
  });

  it('refuses the tenant that asks for most while the service reports that it is late, and for no other service', () => {
    takeMany('modest', 3);
    takeMany('greedy', 12);
    pass(1_000, 0);
    control.reported('memory', 60);
    expect(() => take('greedy')).toThrow(REFUSED);
    control.take('greedy', 'keys', 1);
    pass(1_100, 0);
    take('greedy');
  });

  it('refuses nobody while every event loop keeps its time', () => {
    takeMany('modest', 3);
    takeMany('greedy', 50);
    pass(1_000, 2);
    control.reported('memory', 5);
    takeMany('greedy', 50);
  });

  it('refuses nothing to a tenant that is alone', () => {
    take('early');
    pass(60_000, 60);
    takeMany('alone', 50);
    pass(1_000, 60);
    takeMany('alone', 50);
  });

  it('admits of a tenant that asks for far more about as much as of the others, and all that the others ask for', () => {
    const admitted = { greedy: 0, modest: 0 };
    for (let turn = 0; turn < 300; turn += 1) {
      for (let each = 0; each < 10; each += 1) if (isAdmitted('greedy')) admitted.greedy += 1;
      if (turn % 5 === 0 && isAdmitted('modest')) admitted.modest += 1;
      pass(100, 60);
    }
    expect(admitted.modest).toBe(60);
    expect(admitted.greedy).toBeGreaterThan(30);
    expect(admitted.greedy).toBeLessThan(120);
  });

  it('lets two tenants that ask for too much take nothing from a third', () => {
    const admitted = { one: 0, two: 0, modest: 0 };
    for (let turn = 0; turn < 300; turn += 1) {
      for (const greedy of ['one', 'two'] as const)
        for (let each = 0; each < 10; each += 1) if (isAdmitted(greedy)) admitted[greedy] += 1;
      if (turn % 5 === 0 && isAdmitted('modest')) admitted.modest += 1;
      pass(100, 60);
    }
    expect(admitted.modest).toBe(60);
    expect(Math.max(admitted.one, admitted.two)).toBeLessThan(150);
  });

  it('leaves every tenant a little, however busy the machine is', () => {
    take('modest', 0.5);
    for (let second = 0; second < 10; second += 1) {
      take('greedy', 1);
      take('greedy', 1);
      pass(1_000, 60);
    }
  });

  it('is switched off by 0', () => {
    control.close();
    control = createOverloadControl({ lateFromMs: 0, nowMs: () => clockMs });
    takeMany('modest', 1);
    takeMany('greedy', 50);
    pass(2_000, 500);
    takeMany('greedy', 50);
  });
});

function isAdmitted(payerId: string): boolean {
  try {
    take(payerId);
    return true;
  } catch (error) {
    expect(error).toEqual(REFUSED);
    return false;
  }
}
