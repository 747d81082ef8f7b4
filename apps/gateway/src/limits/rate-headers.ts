import { CairnError } from '@cairn/errors';
import { type RateDecision, type RateLimit, ROUNDING_MS } from './gcra.ts';

/** The name of a limit in the headers: the caller's own, that of all keys of its tenant, or of refusals to an address. */
export type PolicyName = 'default' | 'tenant' | 'address';

/** The fields of draft-ietf-httpapi-ratelimit-headers: as many seconds as the burst lasts, and what fits into them. */
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

/** The 429 for a refused request; the response tells which limit it was. */
export function rateLimited(decision: RateDecision, detail: string, headers: Record<string, string>): CairnError {
  const error = new CairnError('rate_limited', detail, { retryAfterSeconds: decision.retryAfterSeconds });
  return Object.assign(error, { answerHeaders: headers });
}
