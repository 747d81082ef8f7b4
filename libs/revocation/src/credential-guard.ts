import type { GatewayLease } from './gateway-lease.ts';
import type { CredentialSubject } from './invalidation.ts';
import type { InvalidationLog } from './invalidation-log.ts';
import { type BeginUnknownLookup, type Lookup, LookupCache, type LookupCacheBounds } from './lookup-cache.ts';

interface CredentialGuardOptions<Hit, Denial> {
  lease: Pick<GatewayLease, 'id' | 'isLive'>;
  log: InvalidationLog;
  /** Looks a credential up at keys; `seenGood`: it was good before. Throws when keys cannot be reached. */
  lookUp: (digest: string, seenGood: boolean) => Promise<Lookup<Hit, Denial>>;
  subjectOf: (hit: Hit) => CredentialSubject;
  /** The denial of what an invalidation denied. */
  denied: Denial;
  nowMs: () => number;
  bounds: LookupCacheBounds;
  /** Thrown when too many lookups are under way. */
  overloaded: () => Error;
}

/** Decides for each request whether its credential is good now. */
export interface CredentialGuard<Hit, Denial> {
  admit(digest: string, beginUnknown?: BeginUnknownLookup): Promise<Lookup<Hit, Denial>>;
  /** Drops everything that is cached; called when the lease is lost. */
  clear(): void;
}

/** How often a lookup is repeated because its result was invalidated meanwhile. */
const LOOKUPS_MAX = 4;

/** A result, and the version of the invalidation log that it is sure to reflect. */
interface Versioned<Hit> {
  value: Hit;
  version: number;
}

/**
 * The gateway's half of admission. Under a live lease it answers from its cache, and caches a result only if nothing
 * that it depends on was invalidated since its lookup began. Without a lease it looks each credential up by itself and
 * caches nothing. What was denied is refused whatever else is cached.
 */
export function createCredentialGuard<Hit, Denial>(
  options: CredentialGuardOptions<Hit, Denial>,
): CredentialGuard<Hit, Denial> {
  const { lease, log, subjectOf, denied } = options;
  const isStale = ({ value, version }: Versioned<Hit>) => log.isOutdated(subjectOf(value), version);
  const cache = new LookupCache<Versioned<Hit>, Denial>({
    bounds: options.bounds,
    async lookUp(digest, seenGood) {
      const version = log.version();
      const result = await options.lookUp(digest, seenGood);
      return result.ok ? { ok: true, hit: { value: result.hit, version } } : result;
    },
    mayCache: (result) => lease.isLive() && (!result.ok || !isStale(result.hit)),
    nowMs: options.nowMs,
    overloaded: options.overloaded,
  });
  return {
    async admit(digest, beginUnknown) {
      for (let attempt = 0; attempt < LOOKUPS_MAX; attempt += 1) {
        const result = await (lease.isLive()
          ? cache.get(digest, beginUnknown)
          : cache.getUncached(digest, beginUnknown));
        if (!result.ok) return result;
        if (log.isDenied(subjectOf(result.hit.value))) return { ok: false, denial: denied };
        if (!isStale(result.hit)) return { ok: true, hit: result.hit.value };
        cache.delete(digest);
      }
      throw options.overloaded();
    },
    clear: () => cache.clear(),
  };
}
