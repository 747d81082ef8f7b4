import type { ResolveName } from '@cairn/outbound';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

/** A short-lived DNS cache: the addresses that a delivery is charged to and those it connects to must be the same. */
export interface TargetAddresses {
  /** The cached addresses of a host; empty when it has none, undefined when it must be resolved. */
  cached(host: string): readonly string[] | undefined;
  refresh(host: string): Promise<void>;
  /** For the connector: the charged addresses, as long as a claimed delivery may still connect. */
  resolve: ResolveName;
}

const HOSTS_MAX = 20_000;
const TTL_MS = 30_000;
/** Every retry resolves a failed name again: the first one comes after a second. */
const FAILURE_TTL_MS = 900;
/** As long as a claim lasts: a delivery connects to the addresses that it was charged for. */
const CONNECT_GRACE_MS = 15_000;
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
  const lookUp = (host: string, graceMs: number): Resolved | undefined => {
    const entry = cache.get(host);
    if (entry === undefined) return undefined;
    const ttlMs = entry.resolved.error === null ? TTL_MS : FAILURE_TTL_MS;
    return deps.clock.now().getTime() - entry.atMs <= ttlMs + graceMs ? entry.resolved : undefined;
  };
  return {
    cached: (host) => lookUp(host, 0)?.addresses,
    async refresh(host) {
      await resolveHost(host);
    },
    async resolve(host) {
      const resolved = lookUp(host, CONNECT_GRACE_MS) ?? (await resolveHost(host));
      if (resolved.error !== null) throw resolved.error;
      return resolved.addresses;
    },
  };
}
