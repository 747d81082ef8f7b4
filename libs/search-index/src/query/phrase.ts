import { NO_MORE } from '../segment/posting-cursor.ts';
import { PositionCursor } from '../segment/position-cursor.ts';
import type { QueryPhrase } from './query-plan.ts';
import { STREAM } from '../segment/segment-format.ts';
import type { PageRef, SegmentView, TermLists } from '../segment/segment-view.ts';

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

interface SlotCursors {
  offset: number;
  cursors: PositionCursor[];
}

/**
 * The ordinals of chunks that contain a phrase: every slot's terms at their offsets, in one field. Walks the
 * rarest slot and asks the others for its chunks only; positions are read where all slots are present.
 */
export function chunksWithPhrase(
  phrase: QueryPhrase,
  view: SegmentView,
  lists: ReadonlyMap<string, TermLists>,
): number[] {
  const slots: SlotCursors[] = phrase.slots
    .map((slot) => ({ offset: slot.offset, lists: slot.terms.flatMap((term) => lists.get(term) ?? []) }))
    .map((slot) => ({ ...slot, df: slot.lists.reduce((sum, list) => sum + list.df, 0) }))
    .sort((a, b) => a.df - b.df)
    .map((slot) => ({ offset: slot.offset, cursors: slot.lists.map((list) => new PositionCursor(view, list)) }));
  const found: number[] = [];
  const [rarest, ...others] = slots;
  if (rarest === undefined) return found;
  for (let ordinal = advance(rarest, 0); ordinal !== NO_MORE; ordinal = advance(rarest, ordinal + 1)) {
    if (others.every((slot) => holds(slot, ordinal)) && startsSomewhere(slots, ordinal)) found.push(ordinal);
  }
  return found;
}

function advance(slot: SlotCursors, target: number): number {
  let first = NO_MORE;
  for (const cursor of slot.cursors) first = Math.min(first, cursor.advance(target));
  return first;
}

function holds(slot: SlotCursors, ordinal: number): boolean {
  for (const cursor of slot.cursors) if (cursor.advance(ordinal) === ordinal) return true;
  return false;
}

function startsSomewhere(slots: readonly SlotCursors[], ordinal: number): boolean {
  let starts: number[] | null = null;
  for (const slot of slots) {
    const here: number[] = [];
    for (const cursor of slot.cursors) if (cursor.advance(ordinal) === ordinal) cursor.addStarts(slot.offset, here);
    starts = starts === null ? here : starts.filter((start) => here.includes(start));
    if (starts.length === 0) return false;
  }
  return starts !== null;
}
