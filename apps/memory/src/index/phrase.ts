import { ByteReader } from './bytes.ts';
import { readCounts } from './open-segment.ts';
import type { QueryPhrase } from './query-plan.ts';
import { BLOCK_POSTINGS, STREAM } from './segment-format.ts';
import type { FieldCounts } from './segment-format.ts';
import type { PageRef, SegmentView, TermLists } from './segment-view.ts';

/** Positions of a term by chunk ordinal. Fields lie apart, so that no phrase crosses from one into the next. */
type PositionsByChunk = Map<number, number[]>;

/** Above any position in a field. */
const FIELD_SPAN = 0x10_0000;

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
 * taken rarest first, and only chunks that all slots before hold are read on.
 */
export function chunksWithPhrase(
  phrase: QueryPhrase,
  view: SegmentView,
  lists: ReadonlyMap<string, TermLists>,
): Set<number> {
  const slots = phrase.slots
    .map((slot) => ({ offset: slot.offset, lists: slot.terms.flatMap((term) => lists.get(term) ?? []) }))
    .map((slot) => ({ ...slot, df: slot.lists.reduce((sum, list) => sum + list.df, 0) }))
    .sort((a, b) => a.df - b.df);
  let starts: PositionsByChunk | null = null;
  for (const slot of slots) {
    const found: PositionsByChunk = new Map();
    for (const list of slot.lists) readPositions(view, list, slot.offset, starts, found);
    starts = found;
    if (starts.size === 0) break;
  }
  return new Set(starts?.keys());
}

/** Adds where the phrase would start if its slot stood at each position; only starts among `known`. */
function readPositions(
  view: SegmentView,
  list: TermLists,
  offset: number,
  known: PositionsByChunk | null,
  found: PositionsByChunk,
): void {
  const positions = new ByteReader(view.bytes(STREAM.positions, list.positionOffset, list.positionBytes));
  for (const { ordinal, counts } of readPostings(view, list)) {
    const candidates = known?.get(ordinal);
    const wanted = known === null || candidates !== undefined;
    let field = 1;
    for (const count of [counts.title, counts.context, counts.body]) {
      let position = 0;
      for (let i = 0; i < count; i++) {
        position += positions.varint();
        const start = field * FIELD_SPAN + position - offset;
        if (!wanted || (candidates !== undefined && !candidates.includes(start))) continue;
        const starts = found.get(ordinal);
        if (starts === undefined) found.set(ordinal, [start]);
        else starts.push(start);
      }
      field++;
    }
  }
}

/** All postings of a list with their frequencies by field; `counts` is reused from one to the next. */
export function* readPostings(view: SegmentView, list: TermLists): Generator<{ ordinal: number; counts: FieldCounts }> {
  const input = new ByteReader(view.bytes(STREAM.postings, list.postingOffset, list.postingBytes));
  if (list.df <= BLOCK_POSTINGS) skipFront(input);
  const posting = { ordinal: -1, counts: { title: 0, context: 0, body: 0 } };
  for (let i = 0; i < list.df; i++) {
    readPosting(input, posting);
    yield posting;
  }
}

/** Steps over the maxima that a list of one block starts with. */
export function skipFront(input: ByteReader): void {
  for (let numbers = input.varint() * 2; numbers > 0; numbers--) input.varint();
}

export function readPosting(input: ByteReader, posting: { ordinal: number; counts: FieldCounts }): void {
  const code = input.varint();
  posting.ordinal += Math.floor(code / 2) + 1;
  if (code % 2 === 1) {
    posting.counts.title = 0;
    posting.counts.context = 0;
    posting.counts.body = 1;
  } else {
    readCounts(input, posting.counts);
  }
}
