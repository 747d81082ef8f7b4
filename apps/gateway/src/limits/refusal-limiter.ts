import { CairnError, ERROR_CODES } from '@cairn/errors';
import { LRUCache } from 'lru-cache';
import { networkOf } from './address-limiter.ts';
import { type RateDecision, type RateLimit, takeFromBucket } from './gcra.ts';
import { rateHeaders, rateLimited } from './rate-headers.ts';

/** Limits what an address can cause by requests that are refused: with unknown, bad or insufficient credentials. */
export interface RefusalLimiter {
  /**
   * Begins the lookup of a credential that was never seen good; the result is called when it has ended. Throws
   * `rate_limited` when the address was refused too often, or has that many such lookups under way that it could be.
   */
  beginLookup(address: string): () => void;
  /** Counts a refusal; gives the error to answer with, which is `rate_limited` beyond the limit. */
  refused(address: string, error: unknown): unknown;
}

/** Whoever is refused answers for so many seconds of the rate at once: a client that starts with a bad configuration. */
const BURST_SECONDS = 20;
const TRACKED_NETWORKS_MAX = 200_000;
const COUNTED_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/**
 * A credential that is cached, or was seen good before, is not asked for its address: keys in use behind a shared
 * address go on while a neighbour there is slowed. A key that is new to this gateway competes with that neighbour for
 * what the rate allows.
 */
export function createRefusalLimiter(
  refusalsPerSecond: number,
  nowMs: () => number = () => performance.now(),
  trackedNetworksMax = TRACKED_NETWORKS_MAX,
): RefusalLimiter {
  const limit = {
    requestsPerSecond: refusalsPerSecond,
    burst: Math.max(1, Math.ceil(refusalsPerSecond * BURST_SECONDS)),
  };
  const buckets = new LRUCache<string, number>({ max: trackedNetworksMax });
  // As many entries as there are lookups under way, which are bounded.
  const lookups = new Map<string, number>();
  const end = (network: string) => {
    const left = (lookups.get(network) ?? 1) - 1;
    if (left > 0) lookups.set(network, left);
    else lookups.delete(network);
  };
  return {
    beginLookup(address) {
      const network = networkOf(address);
      const pending = lookups.get(network) ?? 0;
      // Each lookup under way may be a refusal: only as many are begun as would all be allowed.
      const { decision } = takeFromBucket(buckets.get(network) ?? 0, nowMs(), limit);
      if (!decision.allowed) throw tooMany(TOO_MANY_REFUSED, decision, limit);
      if (pending > decision.remaining) throw tooMany(TOO_MANY_NEW, decision, limit);
      lookups.set(network, pending + 1);
      return () => end(network);
    },
    refused(address, error) {
      if (!(error instanceof CairnError) || !COUNTED_STATUSES.has(ERROR_CODES[error.code].status)) return error;
      const network = networkOf(address);
      const { decision, earnedMs } = takeFromBucket(buckets.get(network) ?? 0, nowMs(), limit);
      if (!decision.allowed) return tooMany(TOO_MANY_REFUSED, decision, limit);
      buckets.set(network, earnedMs);
      return error;
    },
  };
}

const TOO_MANY_REFUSED = 'Too many requests from this address were refused.';
const TOO_MANY_NEW = 'Too many new credentials of this address are being looked up.';

function tooMany(detail: string, decision: RateDecision, limit: RateLimit): CairnError {
  return rateLimited(decision, detail, rateHeaders({ ...decision, remaining: 0 }, limit, 'address'));
}
