import type { BudgetPolicy } from './limits.ts';

/** One budget as it is stored, shared by all replicas. */
export interface Budget {
  key: string;
  perSecond: number;
  /** Deliveries that may start now; fractions are kept. */
  tokens: number;
  refilledAtMs: number;
  windowBeganAtMs: number;
  /** Deliveries that were accepted in time since the window began. */
  accepted: number;
  inFlight: Record<string, InFlightLease>;
}

/** What one replica has in flight; counted until the lease expires, unless it is renewed. */
export interface InFlightLease {
  count: number;
  untilMs: number;
}

/** The burst of a budget that was not used for a while. */
const BURST_SECONDS = 1;
const WINDOW_MS = 1_000;
/** A rate grows when at least this share of it was accepted. */
const USED_MIN = 0.5;
const GROWTH = 1.25;
/** Tolerance for rounding errors in sums of fractions. */
const ROUNDING = 1e-6;

export function newBudget(key: string, policy: BudgetPolicy, nowMs: number): Budget {
  return {
    key,
    perSecond: policy.startPerSecond,
    tokens: burstOf(policy.startPerSecond, policy),
    refilledAtMs: nowMs,
    windowBeganAtMs: nowMs,
    accepted: 0,
    inFlight: {},
  };
}

/** Refills the tokens. The clocks of replicas may differ a little: elapsed time is never counted twice. */
export function refill(budget: Budget, policy: BudgetPolicy, nowMs: number): void {
  const seconds = Math.max(0, nowMs - budget.refilledAtMs) / 1_000;
  // The present limits of the operator apply, not those from when the budget was created.
  budget.perSecond = growsAt(policy)
    ? Math.min(Math.max(budget.perSecond, policy.startPerSecond), policy.perSecondMax)
    : policy.startPerSecond;
  budget.tokens = Math.min(burstOf(budget.perSecond, policy), budget.tokens + seconds * budget.perSecond);
  budget.refilledAtMs = Math.max(budget.refilledAtMs, nowMs);
}

/**
 * Slow start, as in congestion control (RFC 5681): once a second the rate grows by a quarter if most of it was used and
 * accepted in time. It never shrinks, because a failure belongs to an endpoint and not to its host.
 */
export function growRate(budget: Budget, policy: BudgetPolicy, accepted: number, nowMs: number): void {
  if (!growsAt(policy)) return;
  budget.accepted += accepted;
  const elapsedMs = nowMs - budget.windowBeganAtMs;
  if (elapsedMs < WINDOW_MS) return;
  if (budget.accepted >= (budget.perSecond * elapsedMs * USED_MIN) / 1_000)
    budget.perSecond = Math.min(policy.perSecondMax, budget.perSecond * GROWTH);
  budget.windowBeganAtMs = nowMs;
  budget.accepted = 0;
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

function growsAt(policy: BudgetPolicy): boolean {
  return policy.perSecondMax > policy.startPerSecond;
}

/** A rate below one a second still sends one at a time. */
function burstOf(perSecond: number, policy: BudgetPolicy): number {
  return Math.max(1, policy.burst ?? perSecond * BURST_SECONDS);
}
