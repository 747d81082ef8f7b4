import { LRUCache } from 'lru-cache';
import type { OpenSegment } from './open-segment.ts';
import type { PageRef } from './segment-view.ts';

/** What an entry takes beside its bytes: key, list node, typed array. Measured with --expose-gc. */
const ENTRY_OVERHEAD_BYTES = 900;

/** Longest that an entry stays unread: what another replica erased is never read again. */
const IDLE_MAX_MS = 3_600_000;
/** Reading the clock for every entry would cost more than the entry. */
const CLOCK_STEP_MS = 1_000;

/**
 * Opened segments and pages, bounded in bytes, least recently used first out. Both never change, so an entry is
 * valid for ever; a caller must have read the segment's id from a manifest under row-level security.
 */
export class PageCache {
  private readonly entries: LRUCache<string, OpenSegment | Uint8Array>;

  constructor(maxBytes: number) {
    this.entries = new LRUCache<string, OpenSegment | Uint8Array>({
      maxSize: maxBytes,
      sizeCalculation: (entry) =>
        ENTRY_OVERHEAD_BYTES + (entry instanceof Uint8Array ? entry.byteLength : entry.memoryBytes),
      ttl: IDLE_MAX_MS,
      ttlResolution: CLOCK_STEP_MS,
      updateAgeOnGet: true,
    });
  }

  segment(segmentId: string): OpenSegment | undefined {
    const entry = this.entries.get(segmentId);
    return entry instanceof Uint8Array ? undefined : entry;
  }

  cacheSegment(open: OpenSegment): void {
    this.entries.set(open.segmentId, open);
  }

  page(ref: PageRef): Uint8Array | undefined {
    const entry = this.entries.get(pageKey(ref));
    return entry instanceof Uint8Array ? entry : undefined;
  }

  cachePage(ref: PageRef, bytes: Uint8Array): void {
    this.entries.set(pageKey(ref), bytes);
  }

  /** Evicts segments that no longer exist. */
  forget(segmentIds: readonly string[]): void {
    const gone = new Set(segmentIds);
    for (const key of this.entries.keys()) if (gone.has(key.split('/', 1)[0]!)) this.entries.delete(key);
  }

  /** Evicts what was not read for an hour. */
  purgeIdle(): void {
    this.entries.purgeStale();
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.entries.calculatedSize;
  }
}

function pageKey(ref: PageRef): string {
  return `${ref.segmentId}/${ref.kind}/${ref.pageNo}`;
}
