/**
 * Options of an `LRUCache` of at most `entriesMax` entries that grows as it is filled. With its option `max` the cache
 * allocates all of its room at once: 3 MiB and 15 ms for 200,000 entries, in every process that starts.
 */
export function growingCacheOptions(entriesMax: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: entriesMax, sizeCalculation: countOne };
}

function countOne(): number {
  return 1;
}
