import { NO_MORE } from './posting-cursor.ts';
import { PositionCursor } from './position-cursor.ts';
import type { QueryPhrase } from './query-plan.ts';
import { STREAM } from './segment-format.ts';
import type { PageRef, SegmentView, TermLists } from './segment-view.ts';

/** Where the phrase may start, by chunk ordinal, ascending. */
type StartsByChunk = Map<number, number[]>;

/** Asks for the position pages of a phrase's terms. */
export function missingForPhrase(
  phrase: QueryPhrase,
  view: SegmentView,
  lists: ReadonlyMap<string, TermLists>,
  into: PageRef[],
): void {
  for (const slot of phrase.slots) {
    for (const term of slot.terms) {
      const list = lists.get(term);
      if (list !== undefined) view.missing(STREAM.positions, list.positionOffset, list.positionBytes, into);
    }
  }
}

/**
 * The ordinals of chunks that contain a phrase: every slot's terms at their offsets, in one field. Slots are
 * taken rarest first; of the others only blocks that may hold a remaining chunk are read.
 */
export function chunksWithPhrase(
  phrase: QueryPhrase,
  view: SegmentView,
  lists: ReadonlyMap<string, TermLists>,
): Iterable<number> {
  const slots = phrase.slots
    .map((slot) => ({ offset: slot.offset, lists: slot.terms.flatMap((term) => lists.get(term) ?? []) }))
    .map((slot) => ({ ...slot, df: slot.lists.reduce((sum, list) => sum + list.df, 0) }))
    .sort((a, b) => a.df - b.df);
  let starts: StartsByChunk | null = null;
  for (const slot of slots) {
    const cursors = slot.lists.map((list) => new PositionCursor(view, list));
    starts = starts === null ? firstStarts(cursors, slot.offset) : remainingStarts(starts, cursors, slot.offset);
    if (starts.size === 0) break;
  }
  return starts?.keys() ?? [];
}

function firstStarts(cursors: readonly PositionCursor[], offset: number): StartsByChunk {
  const starts: StartsByChunk = new Map();
  for (const cursor of cursors) {
    for (let ordinal = cursor.advance(0); ordinal !== NO_MORE; ordinal = cursor.advance(ordinal + 1)) {
      const found = starts.get(ordinal) ?? [];
      cursor.addStarts(offset, found);
      starts.set(ordinal, found);
    }
  }
  // Several lists may each be ascending and together not.
  return cursors.length < 2 ? starts : new Map([...starts].sort(([a], [b]) => a - b));
}

function remainingStarts(known: StartsByChunk, cursors: readonly PositionCursor[], offset: number): StartsByChunk {
  const remaining: StartsByChunk = new Map();
  for (const [ordinal, candidates] of known) {
    const found: number[] = [];
    for (const cursor of cursors) if (cursor.advance(ordinal) === ordinal) cursor.addStarts(offset, found);
    const both = candidates.filter((start) => found.includes(start));
    if (both.length > 0) remaining.set(ordinal, both);
  }
  return remaining;
}
