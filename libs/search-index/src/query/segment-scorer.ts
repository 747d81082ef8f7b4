import type { PostingCursor } from '../segment/posting-cursor.ts';
import { contribution, contributionBound, type LengthNorm } from '../segment/scoring.ts';
import { ScoreHeap, SegmentHits } from './top-k.ts';

/** One word of the query in one segment: a list per spelling of it. Frequencies add up before saturation. */
export interface ScoringGroup {
  /** Inverse document frequency times the word's weight in the query. */
  weight: number;
  cursors: PostingCursor[];
}

/** Chunks scored together. Small enough for the accumulators to stay in the first cache. */
const WINDOW_CHUNKS = 2_048;

/** Accumulators of a window. Empty between windows, so that the scorers of a search share them. */
interface WindowScratch {
  scores: Float64Array;
  sums: Float64Array;
}

export function windowScratch(): WindowScratch {
  return { scores: new Float64Array(WINDOW_CHUNKS), sums: new Float64Array(WINDOW_CHUNKS) };
}

interface GroupState extends ScoringGroup {
  bound: number;
  wholeBound: number;
}

/**
 * Scores one segment, window by window. In a window the groups are parted as MaxScore does (Turtle and Flood
 * 1995; over block maxima as in Ding and Suel 2011 and Lucene's MaxScoreBulkScorer): those that even together
 * cannot lift a chunk to the threshold are only looked up for chunks the others found.
 */
export class SegmentScorer {
  readonly hits: SegmentHits;
  private readonly groups: GroupState[];
  private readonly lengths: Float64Array;
  private readonly norm: LengthNorm;
  private readonly allowed: Uint8Array | null;
  private readonly best: ScoreHeap;
  private readonly scores: Float64Array;
  private readonly sums: Float64Array;
  private next = 0;

  /** `allowed` has a bit per chunk that may be a hit; null allows all. `best` is shared by the segments of a search. */
  constructor(
    groups: ScoringGroup[],
    lengths: Float64Array,
    norm: LengthNorm,
    allowed: Uint8Array | null,
    best: ScoreHeap,
    limit: number,
    scratch: WindowScratch,
  ) {
    this.lengths = lengths;
    this.scores = scratch.scores;
    this.sums = scratch.sums;
    this.norm = norm;
    this.allowed = allowed;
    this.best = best;
    this.hits = new SegmentHits(limit);
    this.groups = groups
      .filter((group) => group.cursors.length > 0)
      .map((group) => ({ ...group, bound: 0, wholeBound: groupBound(group, norm) }));
  }

  /** No chunk of the segment scores higher. */
  get bound(): number {
    return this.groups.reduce((sum, group) => sum + group.wholeBound, 0);
  }

  /** Scores until all is done (true) or `mayGoOn` says no between two windows. */
  run(mayGoOn: () => boolean): boolean {
    const end = this.lengths.length;
    while (this.next < end) {
      const to = Math.min(this.next + WINDOW_CHUNKS, end);
      this.scoreWindow(this.next, to);
      this.next = to;
      if (this.next < end && !mayGoOn()) return false;
    }
    return true;
  }

  private scoreWindow(from: number, to: number): void {
    const { groups } = this;
    let total = 0;
    for (const group of groups) {
      group.bound =
        group.cursors.length === 1 ? group.cursors[0]!.boundWithin(from, to) : this.unionBound(group, from, to);
      total += group.bound;
    }
    const threshold = this.best.threshold;
    if (total === 0 || total < threshold) return;
    groups.sort((a, b) => a.bound - b.bound);
    let essential = 0;
    let below = 0;
    while (essential < groups.length - 1 && below + groups[essential]!.bound < threshold)
      below += groups[essential++]!.bound;
    for (let g = essential; g < groups.length; g++) this.accumulate(groups[g]!, from, to);
    this.collect(from, to, essential, below);
  }

  private unionBound(group: GroupState, from: number, to: number): number {
    for (const cursor of group.cursors) if (cursor.boundWithin(from, to) > 0) return group.wholeBound;
    return 0;
  }

  private accumulate(group: GroupState, from: number, to: number): void {
    if (group.bound === 0) return;
    const { scores, lengths, norm } = this;
    const { weight } = group;
    if (group.cursors.length === 1) {
      const cursor = group.cursors[0]!;
      let doc = cursor.advance(from);
      while (doc < to) {
        const { docs, frequencies, size } = cursor;
        let at = cursor.at;
        for (; at < size && docs[at]! < to; at++) {
          const ordinal = docs[at]!;
          scores[ordinal - from]! += contribution(weight, frequencies[at]!, lengths[ordinal]!, norm);
        }
        cursor.at = at;
        doc = at < size ? docs[at]! : cursor.nextBlock();
      }
      return;
    }
    this.sumFrequencies(group, from, to);
    const { sums } = this;
    for (let i = 0; i < to - from; i++) {
      if (sums[i] === 0) continue;
      scores[i]! += contribution(weight, sums[i]!, lengths[from + i]!, norm);
      sums[i] = 0;
    }
  }

  private sumFrequencies(group: GroupState, from: number, to: number): void {
    const { sums } = this;
    for (const cursor of group.cursors) {
      let doc = cursor.advance(from);
      while (doc < to) {
        const { docs, frequencies, size } = cursor;
        let at = cursor.at;
        for (; at < size && docs[at]! < to; at++) sums[docs[at]! - from]! += frequencies[at]!;
        cursor.at = at;
        doc = at < size ? docs[at]! : cursor.nextBlock();
      }
    }
  }

  private collect(from: number, to: number, essential: number, below: number): void {
    const { scores, allowed, best, hits } = this;
    for (let i = 0; i < to - from; i++) {
      let score = scores[i]!;
      if (score === 0) continue;
      scores[i] = 0;
      if (score + below < best.threshold) continue;
      const ordinal = from + i;
      if (allowed !== null && (allowed[ordinal >>> 3]! & (1 << (ordinal & 7))) === 0) continue;
      score = this.complete(ordinal, score, essential, below);
      if (score < best.threshold) continue;
      best.offer(score);
      hits.offer(ordinal, score);
    }
  }

  /** Adds what the groups below `essential` contribute, as long as the chunk may still reach the threshold. */
  private complete(ordinal: number, start: number, essential: number, below: number): number {
    let score = start;
    let remaining = below;
    for (let g = essential - 1; g >= 0; g--) {
      if (score + remaining < this.best.threshold) return -1;
      const group = this.groups[g]!;
      remaining -= group.bound;
      score += contributionOf(group, ordinal, this.lengths[ordinal]!, this.norm);
    }
    return score;
  }
}

/** What a group adds to the score of one chunk; its cursors move up to the chunk. */
export function contributionOf(group: ScoringGroup, ordinal: number, length: number, norm: LengthNorm): number {
  const frequency = frequencyOf(group, ordinal);
  return frequency === 0 ? 0 : contribution(group.weight, frequency, length, norm);
}

export function frequencyOf(group: ScoringGroup, ordinal: number): number {
  let frequency = 0;
  for (const cursor of group.cursors) {
    if (cursor.advance(ordinal) === ordinal) frequency += cursor.frequencies[cursor.at]!;
  }
  return frequency;
}

function groupBound(group: ScoringGroup, norm: LengthNorm): number {
  if (group.cursors.length === 1) return group.cursors[0]!.setBounds(group.weight, norm);
  let frequency = 0;
  let length = Infinity;
  for (const cursor of group.cursors) {
    cursor.setBounds(group.weight, norm);
    const extremes = cursor.extremes();
    frequency += extremes.frequency;
    length = Math.min(length, extremes.length);
  }
  if (frequency === Infinity) return contributionBound(group.weight, 1, 0, { base: 0, slope: 0 });
  return contributionBound(group.weight, frequency, length, norm);
}
