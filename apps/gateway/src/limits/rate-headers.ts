import { CairnError } from '@cairn/errors';
import { type RateDecision, ROUNDING_MS } from './gcra.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * The name of a limit in the headers: the caller's own, that of all keys of its tenant, or of refusals to an address.
 */
type PolicyName = 'default' | 'tenant' | 'address';

/** The fields of draft-ietf-httpapi-ratelimit-headers, with a window as long as the burst lasts. */
export function rateHeaders(
  decision: RateDecision,
  { requestsPerSecond, burst }: RateLimit,
  policy: PolicyName = 'default',
): Record<string, string> {
  const windowSeconds = Math.max(1, Math.ceil(burst / requestsPerSecond));
  const quota = Math.max(1, Math.floor(requestsPerSecond * windowSeconds));
  return {
    ratelimit: `"${policy}";r=${decision.remaining};t=${Math.ceil(decision.resetSeconds - ROUNDING_MS / 1_000)}`,
    'ratelimit-policy': `"${policy}";q=${quota};w=${windowSeconds}`,
  };
}

/** The 429 for a refused request; its headers tell which limit it was. */
export function rateLimited(decision: RateDecision, detail: string, headers: Record<string, string>): CairnError {
  const error = new CairnError('rate_limited', detail, { retryAfterSeconds: decision.retryAfterSeconds });
  return Object.assign(error, { responseHeaders: headers });
}
