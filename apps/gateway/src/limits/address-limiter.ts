import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { isBounded, type RateDecision, type RateLimit, takeFromBucket } from './gcra.ts';

/** Limits the requests of an address that names no credential. */
export interface AddressLimiter {
  take(address: string, limit: RateLimit): RateDecision;
}

const TRACKED_NETWORKS_MAX = 200_000;
const IPV6_NETWORK_GROUPS = 4;

export function createAddressLimiter(
  nowMs: () => number = () => performance.now(),
  trackedNetworksMax = TRACKED_NETWORKS_MAX,
): AddressLimiter {
  const buckets = new LRUCache<string, number>({ max: trackedNetworksMax });
  return {
    take(address, limit) {
      // Without a rate there is no bound to hold, so nothing is admitted.
      if (!isBounded(limit)) return { allowed: false, remaining: 0, retryAfterSeconds: 1, resetSeconds: 1 };
      const network = networkOf(address);
      const { decision, earnedMs } = takeFromBucket(buckets.get(network) ?? 0, nowMs(), limit);
      if (decision.allowed) buckets.set(network, earnedMs);
      return decision;
    },
  };
}

/** Whoever has one IPv6 address has the 64 bits below it, too. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts.slice(0, IPV6_NETWORK_GROUPS).join(':');
}
