import { LRUCache } from 'lru-cache';
import { growingCacheOptions } from './growing-cache-options.ts';

export interface LookupPoolBounds {
  /** Names remembered as good; beyond it the least recently used is forgotten. */
  rememberedMax: number;
  /** Concurrent lookups of names that were good before. */
  seenGoodPendingMax: number;
  /** Concurrent lookups of all other names. */
  otherPendingMax: number;
}

interface PoolLookup {
  /** Whether the name was good when it was looked up last. */
  seenGood: boolean;
  /** Call once, when the lookup has ended. */
  end(): void;
}

/**
 * Bounds concurrent lookups in two pools, so that names which were good before never wait behind unknown ones, of which
 * anybody can invent as many as they like. What is remembered selects the pool only: it does not say whether a name is
 * good now.
 */
export class LookupPools {
  private readonly bounds: LookupPoolBounds;
  private readonly remembered: LRUCache<string, true>;
  private readonly pending = { seenGood: 0, other: 0 };

  constructor(bounds: LookupPoolBounds) {
    this.bounds = bounds;
    this.remembered = new LRUCache(growingCacheOptions(bounds.rememberedMax));
  }

  wasGood(name: string): boolean {
    return this.remembered.get(name) === true;
  }

  /** Null when the pool of the name is full. */
  begin(name: string): PoolLookup | null {
    const seenGood = this.wasGood(name);
    const pool = seenGood ? 'seenGood' : 'other';
    const max = seenGood ? this.bounds.seenGoodPendingMax : this.bounds.otherPendingMax;
    if (this.pending[pool] >= max) return null;
    this.pending[pool] += 1;
    return {
      seenGood,
      end: () => {
        this.pending[pool] -= 1;
      },
    };
  }

  remember(name: string, good: boolean): void {
    if (good) this.remembered.set(name, true);
    else this.remembered.delete(name);
  }
}
