import type { BudgetPolicy } from './limits.ts';

/** One budget as it is stored, shared by all replicas. */
export interface Budget {
  key: string;
  perSecond: number;
  /** Deliveries that may start now; fractions count for what comes. */
  tokens: number;
  unprovenTokens: number;
  refilledAtMs: number;
  windowBeganAtMs: number;
  accepted: number;
  failed: number;
  inFlight: Record<string, HeldInFlight>;
}

/** What one replica has in flight, and until when that is believed without another word of it. */
export interface HeldInFlight {
  count: number;
  untilMs: number;
}

/** How attempts ended since the budget was told last. */
export interface Outcomes {
  accepted: number;
  failed: number;
}

/** A budget that was not used for a while lets this much go at once. */
const BURST_SECONDS = 1;
const WINDOW_MS = 1_000;
/** A rate is proven, and grows, when at least this part of it was accepted. */
const USED_MIN = 0.5;
/** Failures that a growing rate tolerates, for each accepted delivery. */
const FAILED_PER_ACCEPTED_MAX = 0.25;
const GROWTH = 1.25;
/** Back to where a new target starts. */
const RECOVERY = 2;
/** What a target keeps that refuses most, and one that refuses everything. */
const REFUSING_FLOOR = 0.5;
const REFUSING_ALL_FLOOR = 0.1;
/** A slow target holds up no more than this with a rate below it. */
const IN_FLIGHT_MIN = 2;
/** Sums of fractions may fall short by a rounding. */
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

/** Adds what was earned since. Replicas' clocks may differ a little: time that was counted once is not counted again. */
export function refill(budget: Budget, policy: BudgetPolicy, nowMs: number): void {
  const seconds = Math.max(0, nowMs - budget.refilledAtMs) / 1_000;
  const unproven = policy.unprovenPerSecond ?? 0;
  // The operator's limits hold as they are now, not as they were when the budget was made.
  budget.perSecond = isAdaptive(policy) ? Math.min(budget.perSecond, policy.perSecondMax) : policy.startPerSecond;
  budget.tokens = Math.min(burstOf(budget.perSecond), budget.tokens + seconds * budget.perSecond);
  budget.unprovenTokens = Math.min(burstOf(unproven), budget.unprovenTokens + seconds * unproven);
  budget.refilledAtMs = Math.max(budget.refilledAtMs, nowMs);
}

/**
 * Slow start, and halving on failure, as congestion control has it (RFC 5681): once a second the rate grows by a quarter
 * if most of it was used and accepted in time, and halves if most attempts failed.
 */
export function learn(budget: Budget, policy: BudgetPolicy, outcomes: Outcomes, nowMs: number): void {
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

/** Whether more was accepted on it than anybody may send without being known. */
export function isProven(budget: Budget, policy: BudgetPolicy): boolean {
  return isAdaptive(policy) && budget.perSecond > policy.startPerSecond;
}

/** Attempts at once: as many as it takes a second, so that one that answers slowly is not piled up on. */
export function inFlightMaxOf(budget: Budget, policy: BudgetPolicy): number {
  if (!isAdaptive(policy)) return policy.inFlightMax;
  return Math.min(policy.inFlightMax, Math.max(IN_FLIGHT_MIN, Math.ceil(budget.perSecond)));
}

/** What other replicas have in flight. Those that were not heard of for too long are forgotten. */
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

/** Whoever is granted less than one a second still sends one at a time. */
function burstOf(perSecond: number): number {
  return Math.max(1, perSecond * BURST_SECONDS);
}
