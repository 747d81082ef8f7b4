export interface RateLimit {
  /** More than 0. */
  requestsPerSecond: number;
  /** At least 1. */
  burst: number;
}

export interface RateDecision {
  allowed: boolean;
  /** Requests that could follow at once. */
  remaining: number;
  /** Seconds until the next request fits; 0 when one fits now. */
  retryAfterSeconds: number;
  /** Seconds until the whole burst is available again. */
  resetSeconds: number;
}

// Sums of intervals and the clock's own fractions differ by less; a sender at exactly its rate is not refused for it.
export const ROUNDING_MS = 1e-3;

/** Whether there is a bound to hold; without one nothing may be admitted. */
export function isBounded({ requestsPerSecond, burst }: RateLimit): boolean {
  return requestsPerSecond > 0 && burst >= 1;
}

/**
 * The generic cell rate algorithm (ITU-T I.371). A bucket is one number, `earnedMs`: the time at which everything
 * taken so far will have been earned. Returns how many requests are still owed at `nowMs`, fractions included.
 */
export function owedRequests(earnedMs: number, nowMs: number, requestsPerSecond: number): number {
  return (Math.max(0, earnedMs - nowMs) * requestsPerSecond) / 1_000;
}

/** The bucket after one more request was taken at `nowMs`. */
export function afterRequest(earnedMs: number, nowMs: number, requestsPerSecond: number): number {
  return Math.max(earnedMs, nowMs) + 1_000 / requestsPerSecond;
}

/** Decides on one request, and returns the bucket as it is after the decision. */
export function takeFromBucket(
  earnedMs: number,
  nowMs: number,
  { requestsPerSecond, burst }: RateLimit,
): { decision: RateDecision; earnedMs: number } {
  const intervalMs = 1_000 / requestsPerSecond;
  const toleranceMs = intervalMs * burst;
  const current = Math.max(earnedMs, nowMs);
  const allowed = current + intervalMs - nowMs <= toleranceMs + ROUNDING_MS;
  const next = allowed ? current + intervalMs : current;
  const debtMs = next - nowMs;
  const decision = {
    allowed,
    remaining: Math.max(0, Math.floor((toleranceMs - debtMs + ROUNDING_MS) / intervalMs)),
    retryAfterSeconds: allowed ? 0 : (debtMs + intervalMs - toleranceMs) / 1_000,
    resetSeconds: debtMs / 1_000,
  };
  return { decision, earnedMs: next };
}
