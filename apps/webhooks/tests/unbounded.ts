import type { BudgetLimits } from '../src/budgets/limits.ts';

/** Budgets that never delay anything, for specs of something else: their receivers all have one address. */
export const UNBOUNDED: BudgetLimits = {
  hostStartPerSecond: 1_000_000,
  hostPerSecondMax: 1_000_000,
  hostInFlightMax: 100_000,
  tenantPerSecondMax: 1_000_000,
  tenantInFlightMax: 100_000,
  testPerSecondMax: 1_000_000,
  testInFlightMax: 100_000,
};
