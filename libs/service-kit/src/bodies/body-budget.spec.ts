import { describe, expect, it } from '@jest/globals';
import { createBodyBudget } from './body-budget.ts';

const MIB = 1_048_576;

function budgetAt() {
  const clock = { ms: 0 };
  const budget = createBodyBudget(() => clock.ms);
  const refusal = (tenantId: string) => {
    try {
      budget.admit(tenantId);
      return null;
    } catch (error) {
      return error as { code: string; retryAfterSeconds: number };
    }
  };
  return { clock, budget, refusal };
}

describe('the budget of bodies', () => {
  it('never refuses a tenant that sends 8 MiB of bodies a second', () => {
    const { clock, budget, refusal } = budgetAt();
    for (let second = 0; second < 600; second += 1) {
      expect(refusal('a')).toBeNull();
      budget.charge('a', { bytes: 8 * MIB, cpuMs: 50 });
      clock.ms += 1_000;
    }
  });

  it('refuses a tenant that sent more, until what it sent is paid for, and nobody else', () => {
    const { clock, budget, refusal } = budgetAt();
    budget.charge('a', { bytes: 80 * MIB });
    expect(refusal('a')).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 2 });
    expect(refusal('b')).toBeNull();
    clock.ms += 2_000;
    expect(refusal('a')).toBeNull();
  });

  it('refuses a tenant whose small bodies take much processor time', () => {
    const { budget, refusal } = budgetAt();
    for (let count = 0; count < 200; count += 1) budget.charge('a', { bytes: 10, cpuMs: 10 });
    expect(refusal('a')).toMatchObject({ code: 'rate_limited' });
  });

  it('does not charge the processor time of an ordinary body: the rate of requests bounds it', () => {
    const { budget, refusal } = budgetAt();
    for (let count = 0; count < 100_000; count += 1) budget.charge('a', { bytes: 100, cpuMs: 0.2 });
    expect(refusal('a')).toBeNull();
  });
});
