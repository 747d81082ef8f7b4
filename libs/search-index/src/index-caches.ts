import { PageCache } from './segment/page-cache.ts';
import { TombstoneCache } from './segment/tombstones.ts';

/** The parts of segments that a process caches between searches, over all memories and databases. */
export interface IndexCaches {
  pages: PageCache;
  tombstones: TombstoneCache;
  /** Evicts what was not read for an hour: what another replica erased is never read again. */
  purgeIdle(): void;
}

const DEFAULT_PAGE_CACHE_BYTES = 256 * 1024 * 1024;
const DEFAULT_TOMBSTONE_CACHE_BYTES = 32 * 1024 * 1024;

/** Bounded in bytes: `pageMaxBytes` of pages and opened segments, `tombstoneMaxBytes` of deletion marks. */
export function createIndexCaches(bounds: { pageMaxBytes?: number; tombstoneMaxBytes?: number } = {}): IndexCaches {
  const pages = new PageCache(bounds.pageMaxBytes ?? DEFAULT_PAGE_CACHE_BYTES);
  const tombstones = new TombstoneCache(bounds.tombstoneMaxBytes ?? DEFAULT_TOMBSTONE_CACHE_BYTES);
  return { pages, tombstones, purgeIdle: () => pages.purgeIdle() };
}
