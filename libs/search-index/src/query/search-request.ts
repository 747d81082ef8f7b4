import { PostingCursor } from '../segment/posting-cursor.ts';
import type { QueryPlan, QueryWord } from './query-plan.ts';
import type { FieldWeights } from '../segment/scoring.ts';
import type { IndexFilter, ScoredWord } from '../search-index.ts';
import type { ScoringGroup } from './segment-scorer.ts';
import type { PageRef, SegmentView, TermLists } from '../segment/segment-view.ts';

/** One segment of a search: its view, and the bits of chunks that were not deleted (null: none were). */
export interface SearchedSegment {
  view: SegmentView;
  alive: Uint8Array | null;
}

export interface SearchRequest {
  segments: SearchedSegment[];
  plan: QueryPlan;
  filter: IndexFilter | undefined;
  limit: number;
  explain: boolean;
  weights: FieldWeights;
  /** Chunks of the memory and the sum of their weighted lengths, deleted ones included until they are merged away. */
  chunkCount: number;
  totalLength: number;
  /** Frequencies count the chunks that are alive, not all that a list names. */
  seenOnly?: boolean | undefined;
  onWords?: ((words: readonly ScoredWord[]) => void) | undefined;
  /** Hands the pages to the views; one round trip, or none when all are cached. */
  fetch: (refs: PageRef[]) => Promise<void>;
  signal: AbortSignal | undefined;
}

/** A segment that holds words of the query, and where their lists are. */
export interface PreparedSegment extends SearchedSegment {
  lists: Map<string, TermLists>;
}

/** A hit that was found but not yet named. */
export interface FoundHit {
  segment: PreparedSegment;
  ordinal: number;
  score: number;
}

export interface WeightedWord extends QueryWord {
  df: number;
  idf: number;
}

/** The cursors of a word over one segment; none where the segment lacks it. */
export function groupFor(word: WeightedWord, segment: PreparedSegment, weights: FieldWeights): ScoringGroup {
  const cursors = word.terms.flatMap((term) => {
    const lists = segment.lists.get(term);
    return lists === undefined ? [] : [new PostingCursor(segment.view, lists, weights)];
  });
  return { weight: word.idf * word.weight, cursors };
}
