import { describe, expect, it } from '@jest/globals';
import { type Budget, growRate, hasToken, inFlightElsewhere, newBudget, refill } from './budget.ts';
import { type BudgetLimits, routePolicy, unverifiedRoutePolicy } from './limits.ts';

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
  growRate(budget, POLICY, Math.floor(sent * acceptedPart), nowMs);
  return sent;
}

/** What a budget grants when it is asked in an order that the clocks of several replicas make. */
function grantedIn(steps: number, stepMs: number, policy = POLICY): number {
  const budget = newBudget('host:a', policy, 0);
  let random = 7;
  let granted = 0;
  for (let step = 0; step < steps; step += 1) {
    random = (random * 48_271) % 2_147_483_647;
    // Clocks of replicas differ, so that time also goes backwards.
    refill(budget, policy, step * stepMs + (random % 500));
    for (; hasToken(budget.tokens); granted += 1) budget.tokens -= 1;
  }
  return granted;
}

describe('a budget of a host', () => {
  it('grants at most its rate and one second of it at once, whatever order the replicas ask in', () => {
    const granted = grantedIn(2_000, 10);
    expect(granted).toBeLessThanOrEqual(10 + 20.5 * 10);
    expect(granted).toBeGreaterThan(190);
  });

  it('grants endpoints that accept nothing a burst of three seconds and a fifth of the start rate', () => {
    const granted = grantedIn(2_000, 10, unverifiedRoutePolicy(LIMITS));
    expect(granted).toBeLessThanOrEqual(30 + 20.5 * 2);
    expect(granted).toBeGreaterThan(30 + 19 * 2);
  });

  it('grows to its ceiling while it accepts, and not while it is hardly used', () => {
    const budget = newBudget('host:a', POLICY, 0);
    for (let second = 1; second <= 20; second += 1) secondOf(budget, second * 1_000, 1);
    expect(budget.perSecond).toBe(LIMITS.hostPerSecondMax);
    const idle = newBudget('host:b', POLICY, 0);
    for (let second = 1; second <= 100; second += 1) growRate(idle, POLICY, 1, second * 1_000);
    expect(idle.perSecond).toBe(LIMITS.hostStartPerSecond);
  });

  it('keeps its rate while endpoints of the host fail, because a failure belongs to an endpoint', () => {
    const budget = newBudget('host:a', POLICY, 0);
    for (let second = 1; second <= 5; second += 1) secondOf(budget, second * 1_000, 1);
    const grown = budget.perSecond;
    expect(grown).toBeGreaterThan(LIMITS.hostStartPerSecond);
    for (let second = 6; second <= 60; second += 1) secondOf(budget, second * 1_000, 0);
    expect(budget.perSecond).toBe(grown);
  });

  it('that an earlier release slowed down has its start rate', () => {
    const budget = { ...newBudget('host:a', POLICY, 0), perSecond: 1 };
    refill(budget, POLICY, 1_000);
    expect(budget.perSecond).toBe(LIMITS.hostStartPerSecond);
  });

  it('counts what other replicas have in flight until their lease expires', () => {
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
