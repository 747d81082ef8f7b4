import { LRUCache } from 'lru-cache';
import { growingCacheOptions } from './growing-cache-options.ts';
import { type LookupPoolBounds, LookupPools } from './lookup-pools.ts';

/** The result of a lookup: what the name stands for, or why it stands for nothing. */
export type Lookup<Hit, Denial> = { ok: true; hit: Hit } | { ok: false; denial: Denial };

export interface LookupCacheBounds extends LookupPoolBounds {
  hitsMax: number;
  hitTtlMs: number;
  negativesMax: number;
  negativeTtlMs: number;
}

/**
 * Called before a name is looked up that was never seen good; throws what refuses the caller instead. What it returns
 * is called when the lookup has ended.
 */
export type BeginUnknownLookup = () => () => void;

interface LookupCacheOptions<Hit, Denial> {
  bounds: LookupCacheBounds;
  /** Looks a name up past every cache; `seenGood`: it was good before. What it throws is not cached. */
  lookUp: (name: string, seenGood: boolean) => Promise<Lookup<Hit, Denial>>;
  /** Whether a result may be cached when it arrives; by default always. */
  mayCache?: (result: Lookup<Hit, Denial>) => boolean;
  nowMs: () => number;
  /** Thrown when the pool of a name is full. */
  overloaded: () => Error;
}

const ANY_CALLER: BeginUnknownLookup = () => () => undefined;
const NOTHING_BEGUN = () => undefined;

/**
 * A loading cache with negative entries. Results of both kinds expire after a time that counts from the beginning of
 * their lookup, and concurrent requests for one name share one lookup. Negative entries have a cache of their own, so
 * that guesses cannot evict what is good.
 */
export class LookupCache<Hit, Denial> {
  private readonly options: LookupCacheOptions<Hit, Denial>;
  private readonly hits: LRUCache<string, Lookup<Hit, Denial>>;
  private readonly negatives: LRUCache<string, Lookup<Hit, Denial>>;
  private readonly pools: LookupPools;
  private pending = new Map<string, Promise<Lookup<Hit, Denial>>>();

  constructor(options: LookupCacheOptions<Hit, Denial>) {
    const { bounds } = options;
    const clock = { perf: { now: options.nowMs }, ttlResolution: 0 };
    this.options = options;
    this.hits = new LRUCache({ ...growingCacheOptions(bounds.hitsMax), ttl: bounds.hitTtlMs, ...clock });
    this.negatives = new LRUCache({ ...growingCacheOptions(bounds.negativesMax), ttl: bounds.negativeTtlMs, ...clock });
    this.pools = new LookupPools(bounds);
  }

  /** The cached result, or that of one lookup which all concurrent callers share. */
  async get(name: string, beginUnknown: BeginUnknownLookup = ANY_CALLER): Promise<Lookup<Hit, Denial>> {
    const cached = this.negatives.get(name) ?? this.hits.get(name);
    if (cached !== undefined) return cached;
    return this.pending.get(name) ?? this.share(name, this.begin(name, beginUnknown));
  }

  /** A lookup of its own, whose result is not cached. */
  async getUncached(name: string, beginUnknown: BeginUnknownLookup = ANY_CALLER): Promise<Lookup<Hit, Denial>> {
    return this.lookUp(name, this.begin(name, beginUnknown));
  }

  /** Drops a hit, and lets the next caller begin a lookup of its own. */
  delete(name: string): void {
    this.hits.delete(name);
    this.pending.delete(name);
  }

  /** Drops everything. Callers that wait keep their lookup, whose result is not cached any more. */
  clear(): void {
    this.hits.clear();
    this.negatives.clear();
    this.pending = new Map();
  }

  /** Throws for this caller alone: others share a lookup only once it has begun. */
  private begin(name: string, beginUnknown: BeginUnknownLookup): () => void {
    return this.pools.wasGood(name) ? NOTHING_BEGUN : beginUnknown();
  }

  private share(name: string, end: () => void): Promise<Lookup<Hit, Denial>> {
    const { pending } = this;
    const start = this.options.nowMs();
    const lookup = this.lookUp(name, end)
      .then((result) => {
        // Not after `clear`, which leaves another map of pending lookups.
        if (pending === this.pending && this.options.mayCache?.(result) !== false)
          (result.ok ? this.hits : this.negatives).set(name, result, { start });
        return result;
      })
      .finally(() => {
        if (pending.get(name) === lookup) pending.delete(name);
      });
    pending.set(name, lookup);
    return lookup;
  }

  private async lookUp(name: string, end: () => void): Promise<Lookup<Hit, Denial>> {
    const slot = this.pools.begin(name);
    try {
      if (slot === null) throw this.options.overloaded();
      const result = await this.options.lookUp(name, slot.seenGood);
      this.pools.remember(name, result.ok);
      return result;
    } finally {
      slot?.end();
      end();
    }
  }
}
