import type { BudgetPolicy } from './limits.ts';

/** One budget as it is stored, shared by all replicas. */
export interface Budget {
  key: string;
  perSecond: number;
  /** Deliveries that may start now; fractions are kept. */
  tokens: number;
  unprovenTokens: number;
  refilledAtMs: number;
  windowBeganAtMs: number;
  accepted: number;
  failed: number;
  inFlight: Record<string, InFlightLease>;
}

/** What one replica has in flight; counted until the lease expires, unless it is renewed. */
export interface InFlightLease {
  count: number;
  untilMs: number;
}

/** How attempts ended since the budget was written last. */
export interface Outcomes {
  accepted: number;
  failed: number;
}

/** The burst of a budget that was not used for a while. */
const BURST_SECONDS = 1;
const WINDOW_MS = 1_000;
/** A rate grows when at least this share of it was accepted. */
const USED_MIN = 0.5;
/** Failures that a growing rate tolerates, for each accepted delivery. */
const FAILED_PER_ACCEPTED_MAX = 0.25;
const GROWTH = 1.25;
/** While the rate is below that of a new target. */
const RECOVERY = 2;
/** Shares of the start rate: the floor of a target that refuses most, and of one that refuses everything. */
const REFUSING_FLOOR = 0.5;
const REFUSING_ALL_FLOOR = 0.1;
/** Minimum of attempts at once, for rates below it. */
const IN_FLIGHT_MIN = 2;
/** Tolerance for rounding errors in sums of fractions. */
const ROUNDING = 1e-6;

export function newBudget(key: string, policy: BudgetPolicy, nowMs: number): Budget {
  return {
    key,
    perSecond: policy.startPerSecond,
    tokens: burstOf(policy.startPerSecond),
    unprovenTokens: burstOf(policy.unprovenPerSecond ?? 0),
    refilledAtMs: nowMs,
    windowBeganAtMs: nowMs,
    accepted: 0,
    failed: 0,
    inFlight: {},
  };
}

/** Refills the tokens. The clocks of replicas may differ a little: elapsed time is never counted twice. */
export function refill(budget: Budget, policy: BudgetPolicy, nowMs: number): void {
  const seconds = Math.max(0, nowMs - budget.refilledAtMs) / 1_000;
  const unproven = policy.unprovenPerSecond ?? 0;
  // The present limits of the operator apply, not those from when the budget was created.
  budget.perSecond = isAdaptive(policy) ? Math.min(budget.perSecond, policy.perSecondMax) : policy.startPerSecond;
  budget.tokens = Math.min(burstOf(budget.perSecond), budget.tokens + seconds * budget.perSecond);
  budget.unprovenTokens = Math.min(burstOf(unproven), budget.unprovenTokens + seconds * unproven);
  budget.refilledAtMs = Math.max(budget.refilledAtMs, nowMs);
}

/**
 * Slow start, and halving on failure, as in congestion control (RFC 5681): once a second the rate grows by a quarter
 * if most of it was used and accepted in time, and halves if most attempts failed.
 */
export function adaptRate(budget: Budget, policy: BudgetPolicy, outcomes: Outcomes, nowMs: number): void {
  if (!isAdaptive(policy)) return;
  budget.accepted += outcomes.accepted;
  budget.failed += outcomes.failed;
  const elapsedMs = nowMs - budget.windowBeganAtMs;
  if (elapsedMs < WINDOW_MS) return;
  const { accepted, failed, perSecond } = budget;
  const used = accepted >= (perSecond * elapsedMs * USED_MIN) / 1_000;
  if (failed > accepted) {
    const floor = policy.startPerSecond * (accepted > 0 ? REFUSING_FLOOR : REFUSING_ALL_FLOOR);
    budget.perSecond = Math.min(perSecond, Math.max(floor, perSecond / 2));
  } else if (used && failed <= accepted * FAILED_PER_ACCEPTED_MAX) {
    const growth = perSecond < policy.startPerSecond ? RECOVERY : GROWTH;
    budget.perSecond = Math.min(policy.perSecondMax, perSecond * growth);
  }
  budget.windowBeganAtMs = nowMs;
  budget.accepted = 0;
  budget.failed = 0;
}

/** Whether its rate has grown beyond that of a new target. */
export function isProven(budget: Budget, policy: BudgetPolicy): boolean {
  return isAdaptive(policy) && budget.perSecond > policy.startPerSecond;
}

/** Attempts at once: as many as its rate per second, so that requests do not pile up at a slow endpoint. */
export function inFlightMaxOf(budget: Budget, policy: BudgetPolicy): number {
  if (!isAdaptive(policy)) return policy.inFlightMax;
  return Math.min(policy.inFlightMax, Math.max(IN_FLIGHT_MIN, Math.ceil(budget.perSecond)));
}

/** What other replicas have in flight; expired leases are removed. */
export function inFlightElsewhere(budget: Budget, replicaId: string, nowMs: number): number {
  let sum = 0;
  for (const [holder, { count, untilMs }] of Object.entries(budget.inFlight)) {
    if (holder === replicaId) continue;
    if (untilMs <= nowMs) delete budget.inFlight[holder];
    else sum += count;
  }
  return sum;
}

export function hasToken(tokens: number): boolean {
  return tokens >= 1 - ROUNDING;
}

function isAdaptive(policy: BudgetPolicy): boolean {
  return policy.perSecondMax > policy.startPerSecond;
}

/** A rate below one a second still sends one at a time. */
function burstOf(perSecond: number): number {
  return Math.max(1, perSecond * BURST_SECONDS);
}
