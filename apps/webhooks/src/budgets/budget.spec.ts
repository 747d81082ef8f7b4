import { describe, expect, it } from '@jest/globals';
import {
  type Budget,
  hasToken,
  inFlightElsewhere,
  inFlightMaxOf,
  isProven,
  adaptRate,
  newBudget,
  refill,
} from './budget.ts';
import { type BudgetLimits, routePolicy } from './limits.ts';

const LIMITS: BudgetLimits = {
  hostStartPerSecond: 10,
  hostPerSecondMax: 200,
  hostInFlightMax: 50,
  tenantPerSecondMax: 500,
  tenantInFlightMax: 100,
  testPerSecondMax: 100,
  testInFlightMax: 50,
};
const POLICY = routePolicy(LIMITS);

/** One second in which all that may be sent is sent, and the given part of it is accepted. */
function secondOf(budget: Budget, nowMs: number, acceptedPart: number): number {
  let sent = 0;
  refill(budget, POLICY, nowMs);
  for (; hasToken(budget.tokens); sent += 1) budget.tokens -= 1;
  const accepted = Math.floor(sent * acceptedPart);
  adaptRate(budget, POLICY, { accepted, failed: sent - accepted }, nowMs);
  return sent;
}

describe('a budget of a host', () => {
  it('grants at most its rate and one second of it at once, whatever order the replicas ask in', () => {
    const budget = newBudget('host:a', POLICY, 0);
    let random = 7;
    let granted = 0;
    for (let step = 0; step < 2_000; step += 1) {
      random = (random * 48_271) % 2_147_483_647;
      // Clocks of replicas differ, so that time also goes backwards.
      refill(budget, POLICY, step * 10 + (random % 500));
      for (; hasToken(budget.tokens); granted += 1) budget.tokens -= 1;
    }
    expect(granted).toBeLessThanOrEqual(10 + (20_500 / 1_000) * 10);
    expect(granted).toBeGreaterThan(190);
  });

  it('grows to its ceiling while it accepts, and not while it is hardly used', () => {
    const budget = newBudget('host:a', POLICY, 0);
    for (let second = 1; second <= 20; second += 1) secondOf(budget, second * 1_000, 1);
    expect(budget.perSecond).toBe(LIMITS.hostPerSecondMax);
    expect(isProven(budget, POLICY)).toBe(true);
    const idle = newBudget('host:b', POLICY, 0);
    for (let second = 1; second <= 100; second += 1)
      adaptRate(idle, POLICY, { accepted: 1, failed: 0 }, second * 1_000);
    expect(idle.perSecond).toBe(LIMITS.hostStartPerSecond);
  });

  it('halves once a second while most fails, down to a tenth of the start when nothing is accepted, and recovers', () => {
    const budget = newBudget('host:a', POLICY, 0);
    budget.perSecond = 200;
    adaptRate(budget, POLICY, { accepted: 0, failed: 50 }, 500);
    expect(budget.perSecond).toBe(200);
    adaptRate(budget, POLICY, { accepted: 0, failed: 50 }, 1_000);
    expect(budget.perSecond).toBe(100);
    for (let second = 2; second <= 20; second += 1) secondOf(budget, second * 1_000, 0);
    expect(budget.perSecond).toBe(1);
    expect(inFlightMaxOf(budget, POLICY)).toBe(2);
    for (let second = 21; second <= 40; second += 1) secondOf(budget, second * 1_000, 1);
    expect(budget.perSecond).toBeGreaterThan(LIMITS.hostStartPerSecond);
  });

  it('is kept at half of the start for endpoints that accept beside others that fail', () => {
    const budget = newBudget('host:a', POLICY, 0);
    for (let second = 1; second <= 20; second += 1) secondOf(budget, second * 1_000, 0.4);
    expect(budget.perSecond).toBe(LIMITS.hostStartPerSecond / 2);
  });

  it('counts what other replicas have in flight until their word is too old', () => {
    const budget = newBudget('host:a', POLICY, 0);
    budget.inFlight = {
      a: { count: 3, untilMs: 1_000 },
      b: { count: 4, untilMs: 2_000 },
      c: { count: 5, untilMs: 500 },
    };
    expect(inFlightElsewhere(budget, 'a', 700)).toBe(4);
    expect(inFlightElsewhere(budget, 'x', 1_500)).toBe(4);
    expect(Object.keys(budget.inFlight)).toEqual(['b']);
  });
});
