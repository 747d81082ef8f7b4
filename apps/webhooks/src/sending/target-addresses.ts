import type { ResolveName } from '@cairn/outbound';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

/** A short-lived DNS cache: the addresses that a delivery is charged to and those it connects to must be the same. */
export interface TargetAddresses {
  /** The cached addresses of a host; empty when it has none, undefined when it must be resolved. */
  cached(host: string): readonly string[] | undefined;
  /** Those that a host had when it was resolved last, however long ago. */
  lastKnown(host: string): readonly string[];
  refresh(host: string): Promise<void>;
  /** For the connector: the charged addresses, as long as a claimed delivery may still connect. */
  resolve: ResolveName;
}

const HOSTS_MAX = 20_000;
const TTL_MS = 30_000;
/** As long as a claim lasts: a delivery connects to the addresses that it was charged for. */
const CONNECT_GRACE_MS = 15_000;
/**
 * A first attempt that was charged to no address fails, because it must not reach one that the name has a moment later.
 * Both together are less than the second after which the first retry comes: each retry looks a failed name up again.
 */
const FAILURE_TTL_MS = 400;
const FAILURE_GRACE_MS = 500;
/** Further addresses are neither charged nor connected to. */
const ADDRESSES_MAX = 4;

type Resolved = { addresses: string[]; error: null } | { addresses: []; error: unknown };

export function createTargetAddresses(deps: { clock: Clock; resolve: ResolveName }): TargetAddresses {
  const cache = new LRUCache<string, { resolved: Resolved; atMs: number }>({ max: HOSTS_MAX });
  const resolveHost = async (host: string): Promise<Resolved> => {
    const resolved = await deps.resolve(host).then(
      (addresses): Resolved => ({ addresses: addresses.slice(0, ADDRESSES_MAX), error: null }),
      (error: unknown): Resolved => ({ addresses: [], error }),
    );
    cache.set(host, { resolved, atMs: deps.clock.now().getTime() });
    return resolved;
  };
  const lookUp = (host: string, isConnecting: boolean): Resolved | undefined => {
    const entry = cache.get(host);
    if (entry === undefined) return undefined;
    const [ttlMs, graceMs] =
      entry.resolved.error === null ? [TTL_MS, CONNECT_GRACE_MS] : [FAILURE_TTL_MS, FAILURE_GRACE_MS];
    const ageMs = deps.clock.now().getTime() - entry.atMs;
    return ageMs <= ttlMs + (isConnecting ? graceMs : 0) ? entry.resolved : undefined;
  };
  return {
    cached: (host) => lookUp(host, false)?.addresses,
    lastKnown: (host) => cache.get(host)?.resolved.addresses ?? [],
    async refresh(host) {
      await resolveHost(host);
    },
    async resolve(host) {
      const resolved = lookUp(host, true) ?? (await resolveHost(host));
      if (resolved.error !== null) throw resolved.error;
      return resolved.addresses;
    },
  };
}
