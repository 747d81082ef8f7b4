import type { ResolveName } from '@cairn/outbound';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

/** Where host names lead, remembered for a moment: what a delivery is charged to and what is dialled must be the same. */
export interface TargetAddresses {
  /** The addresses of a host that were looked up a moment ago; empty when it has none, undefined when it must be looked up. */
  known(host: string): readonly string[] | undefined;
  lookUp(host: string): Promise<void>;
  /** For the connector: what was charged, as long as a claimed delivery may still be dialled. */
  resolve: ResolveName;
}

const HOSTS_MAX = 20_000;
const KEPT_MS = 30_000;
/** Each retry looks a name up again that could not be resolved: the first one comes after a second. */
const FAILURE_KEPT_MS = 900;
/** As long as a claim lasts: a delivery that was charged is dialled where it was charged. */
const DIALLED_AFTERWARDS_MS = 15_000;
/** More than that are neither charged nor dialled. */
const ADDRESSES_MAX = 4;

type Found = { addresses: string[]; error: null } | { addresses: []; error: unknown };

export function createTargetAddresses(parts: { clock: Clock; resolve: ResolveName }): TargetAddresses {
  const cache = new LRUCache<string, { found: Found; atMs: number }>({ max: HOSTS_MAX });
  const lookUp = async (host: string): Promise<Found> => {
    const found = await parts.resolve(host).then(
      (addresses): Found => ({ addresses: addresses.slice(0, ADDRESSES_MAX), error: null }),
      (error: unknown): Found => ({ addresses: [], error }),
    );
    cache.set(host, { found, atMs: parts.clock.now().getTime() });
    return found;
  };
  const kept = (host: string, longerMs: number): Found | undefined => {
    const entry = cache.get(host);
    if (entry === undefined) return undefined;
    const keptMs = entry.found.error === null ? KEPT_MS : FAILURE_KEPT_MS;
    return parts.clock.now().getTime() - entry.atMs <= keptMs + longerMs ? entry.found : undefined;
  };
  return {
    known: (host) => kept(host, 0)?.addresses,
    async lookUp(host) {
      await lookUp(host);
    },
    async resolve(host) {
      const found = kept(host, DIALLED_AFTERWARDS_MS) ?? (await lookUp(host));
      if (found.error !== null) throw found.error;
      return found.addresses;
    },
  };
}
