/** A segment as the policy sees it. */
interface MergeCandidate {
  segmentId: string;
  /** Chunks that are not deleted, and those that are. */
  alive: number;
  deleted: number;
  byteSize: number;
  /** True when deleted chunks of it have had their time on the disk. */
  overdue: boolean;
}

export interface MergeLimits {
  /** Segments of one size class that make a merge due; search looks every term up in every segment. */
  segmentsPerTier: number;
  /** Segments read by one merge. */
  mergeAtOnceMax: number;
  /** Chunks a merge may write: bounds its time, its memory and what one page table row set holds. */
  mergedChunksMax: number;
  mergedBytesMax: number;
  /** Share of deleted chunks above which a segment is rewritten by itself. */
  deletedShareMax: number;
  /** Longest that a deleted chunk's words stay in a segment before it is rewritten for them alone. */
  tombstoneRetentionMs: number;
}

/** Lanes merge different segments of a memory at the same time; numbers as in index_merge_leases. */
export const MERGE_LANES = { small: 0, large: 1 } as const;
export type MergeLane = (typeof MERGE_LANES)[keyof typeof MERGE_LANES];

/** Living chunks from which a segment belongs to the large lane. */
const LARGE_SEGMENT_CHUNKS = 1_000;
/** Chunks a merge of the small lane may write: it is done in about a second. */
const SMALL_LANE_MERGED_CHUNKS = 10_000;

export const MERGE_LIMITS: Readonly<MergeLimits> = {
  segmentsPerTier: 10,
  mergeAtOnceMax: 50,
  mergedChunksMax: 250_000,
  mergedBytesMax: 256 * 1024 * 1024,
  deletedShareMax: 0.25,
  tombstoneRetentionMs: 3_600_000,
};

/**
 * Chooses what to merge next, or null: a segment whose deleted chunks have had their time; the smallest size class
 * that has too many segments, smallest segments first; a segment with too many deleted chunks. Classes are powers
 * of `segmentsPerTier`, so that a chunk is rewritten about once per class. After Lucene's TieredMergePolicy.
 */
export function chooseMerge(
  segments: readonly MergeCandidate[],
  lane: MergeLane,
  limits: MergeLimits = MERGE_LIMITS,
): string[] | null {
  const small = lane === MERGE_LANES.small;
  const inLane = segments.filter((segment) => segment.alive < LARGE_SEGMENT_CHUNKS === small);
  return chooseAmong(
    inLane,
    small ? { ...limits, mergedChunksMax: Math.min(limits.mergedChunksMax, SMALL_LANE_MERGED_CHUNKS) } : limits,
  );
}

function chooseAmong(segments: readonly MergeCandidate[], limits: MergeLimits): string[] | null {
  const bySize = [...segments].sort((a, b) => a.alive - b.alive || (a.segmentId < b.segmentId ? -1 : 1));
  // Alone and before all else: what is to be erased waits for no other merge, and for no merge that is too large.
  const overdue = bySize.find((segment) => segment.overdue);
  if (overdue !== undefined) return [overdue.segmentId];
  const tiers = new Map<number, MergeCandidate[]>();
  for (const segment of bySize) {
    // One that is half full would be rewritten for little.
    if (segment.alive > limits.mergedChunksMax / 2 || segment.byteSize > limits.mergedBytesMax / 2) continue;
    const tier = Math.floor(Math.log(Math.max(1, segment.alive)) / Math.log(limits.segmentsPerTier) + 1e-9);
    tiers.set(tier, [...(tiers.get(tier) ?? []), segment]);
  }
  for (const tier of [...tiers.keys()].sort((a, b) => a - b)) {
    const members = tiers.get(tier)!;
    if (members.length < limits.segmentsPerTier) continue;
    const fitting = fitWithin(members, limits);
    if (fitting.length > 1) return fitting.map((segment) => segment.segmentId);
  }
  const worst = bySize.find((segment) => segment.deleted > (segment.alive + segment.deleted) * limits.deletedShareMax);
  return worst === undefined ? null : [worst.segmentId];
}

function fitWithin(segments: readonly MergeCandidate[], limits: MergeLimits): MergeCandidate[] {
  const chosen: MergeCandidate[] = [];
  let chunks = 0;
  let bytes = 0;
  for (const segment of segments) {
    chunks += segment.alive;
    bytes += segment.byteSize;
    if (chosen.length === limits.mergeAtOnceMax || chunks > limits.mergedChunksMax || bytes > limits.mergedBytesMax)
      break;
    chosen.push(segment);
  }
  return chosen;
}
