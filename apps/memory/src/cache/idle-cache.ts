import { LRUCache } from 'lru-cache';

/** Longest an entry stays that nobody reads: what was erased is never read again. */
const IDLE_MAX_MS = 3_600_000;
/** Reading the clock for every entry would cost more than the entry. */
const CLOCK_STEP_MS = 1_000;

/** Least recently used first out, bounded by the sum of the sizes; `purgeStale` lets go of what was idle for an hour. */
export function createIdleCache<Value extends object>(
  maxSize: number,
  sizeOf: (value: Value) => number,
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({
    maxSize,
    sizeCalculation: sizeOf,
    ttl: IDLE_MAX_MS,
    ttlResolution: CLOCK_STEP_MS,
    updateAgeOnGet: true,
  });
}
