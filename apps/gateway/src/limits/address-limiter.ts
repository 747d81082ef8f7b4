import { growingCacheOptions } from '@cairn/revocation';
import { LRUCache } from 'lru-cache';
import { networkOf } from './address-network.ts';
import { type RateDecision, takeFromBucket } from './gcra.ts';
import { isBounded, type RateLimit } from './rate-limit.ts';

/** Limits requests to public operations by the caller's address. */
export interface AddressLimiter {
  take(address: string, limit: RateLimit): RateDecision;
}

const TRACKED_NETWORKS_MAX = 200_000;

export function createAddressLimiter(
  nowMs: () => number = () => performance.now(),
  trackedNetworksMax = TRACKED_NETWORKS_MAX,
): AddressLimiter {
  const buckets = new LRUCache<string, number>(growingCacheOptions(trackedNetworksMax));
  return {
    take(address, limit) {
      // Without a rate there is no limit to enforce, so nothing is admitted.
      if (!isBounded(limit)) return { allowed: false, remaining: 0, retryAfterSeconds: 1, resetSeconds: 1 };
      const network = networkOf(address);
      const { decision, earnedMs } = takeFromBucket(buckets.get(network) ?? 0, nowMs(), limit);
      if (decision.allowed) buckets.set(network, earnedMs);
      return decision;
    },
  };
}
