import type { RateLimit } from './rate-limit.ts';

export interface RateDecision {
  allowed: boolean;
  /** Requests that could follow at once. */
  remaining: number;
  /** Seconds until the next request fits; 0 when one fits now. */
  retryAfterSeconds: number;
  /** Seconds until the whole burst is available again. */
  resetSeconds: number;
}

// Sums of intervals and fractions of the clock err by less than this; a sender at exactly its rate is not refused for
// it.
export const ROUNDING_MS = 1e-3;

/** How many requests of a bucket are still to be earned at `nowMs`, fractions included. */
export function outstandingRequests(earnedMs: number, nowMs: number, requestsPerSecond: number): number {
  return (Math.max(0, earnedMs - nowMs) * requestsPerSecond) / 1_000;
}

/**
 * The generic cell rate algorithm (ITU-T I.371), the only one of the gateway: for addresses, refusals and the reserved
 * share of a key. A bucket is one number, `earnedMs`: the time at which everything taken so far will have been earned.
 * Decides on one request, and returns the bucket as it is after the decision. The buckets that gateways share are in
 * PostgreSQL; `draw_rate` decides there in the statement that locks the row, so that no draw needs a second round trip.
 */
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
