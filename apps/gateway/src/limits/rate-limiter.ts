import { CairnError } from '@cairn/errors';
import { LRUCache } from 'lru-cache';

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
  /** Seconds until the whole burst is there again. */
  resetSeconds: number;
}

export interface RateLimiter {
  take(keyId: string, limit: RateLimit): RateDecision;
}

const TRACKED_KEYS_MAX = 200_000;
// Sums of intervals and the clock's own fractions differ by less; a sender at exactly its rate is not refused for it.
const ROUNDING_MS = 1e-3;

/**
 * The generic cell rate algorithm (ITU-T I.371): one number a key, the time at which its bucket would be
 * empty of debt. `burst` requests fit at once, then `requestsPerSecond`.
 */
export function createRateLimiter(
  nowMs: () => number = () => performance.now(),
  trackedKeysMax = TRACKED_KEYS_MAX,
): RateLimiter {
  const arrival = new LRUCache<string, number>({ max: trackedKeysMax });
  return {
    take(keyId, { requestsPerSecond, burst }) {
      // Without a rate there is no bound to hold, so nothing is admitted.
      if (!(requestsPerSecond > 0 && burst >= 1))
        return { allowed: false, remaining: 0, retryAfterSeconds: 1, resetSeconds: 1 };
      const now = nowMs();
      const interval = 1_000 / requestsPerSecond;
      const tolerance = interval * burst;
      const theoretical = Math.max(arrival.get(keyId) ?? now, now);
      const allowed = theoretical + interval - now <= tolerance + ROUNDING_MS;
      const next = allowed ? theoretical + interval : theoretical;
      if (allowed) arrival.set(keyId, next);
      const debt = next - now;
      return {
        allowed,
        remaining: Math.max(0, Math.floor((tolerance - debt + ROUNDING_MS) / interval)),
        retryAfterSeconds: allowed ? 0 : (debt + interval - tolerance) / 1_000,
        resetSeconds: debt / 1_000,
      };
    },
  };
}

/** The fields of draft-ietf-httpapi-ratelimit-headers: as many seconds as the burst lasts, and what fits into them. */
export function rateHeaders(decision: RateDecision, { requestsPerSecond, burst }: RateLimit): Record<string, string> {
  const windowSeconds = Math.max(1, Math.ceil(burst / requestsPerSecond));
  const quota = Math.max(1, Math.floor(requestsPerSecond * windowSeconds));
  return {
    ratelimit: `"default";r=${decision.remaining};t=${Math.ceil(decision.resetSeconds - ROUNDING_MS / 1_000)}`,
    'ratelimit-policy': `"default";q=${quota};w=${windowSeconds}`,
  };
}

export function rateLimited(
  decision: RateDecision,
  detail = 'The key sends more requests than its limit allows.',
): CairnError {
  return new CairnError('rate_limited', detail, {
    retryAfterSeconds: decision.retryAfterSeconds,
  });
}
