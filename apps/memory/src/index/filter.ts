import { STREAM } from './segment-format.ts';
import { decodeDocOrdinals, decodeNumbers, decodeTimes } from './segment-view.ts';
import type { PageRef, SegmentView } from './segment-view.ts';
import type { IndexFilter, TimeRange } from './search-index.ts';

/** Asks for the pages of a segment that a filter reads. */
export function missingForFilter(filter: IndexFilter, view: SegmentView, into: PageRef[]): void {
  if ('and' in filter) for (const part of filter.and) missingForFilter(part, view, into);
  else if ('or' in filter) for (const part of filter.or) missingForFilter(part, view, into);
  else if ('not' in filter) missingForFilter(filter.not, view, into);
  else if ('vaultIds' in filter) view.missingStream(STREAM.vaults, into);
  else if ('occurredAt' in filter) view.missingStream(STREAM.occurred, into);
  else if ('createdAt' in filter) view.missingStream(STREAM.created, into);
  else {
    view.missingStream(STREAM.docs, into);
    if (readsWholeDocTable(filter.docIds, view)) view.missingStream(STREAM.docIds, into);
    else for (const docId of filter.docIds) view.missingForKey(view.open.docIds, STREAM.docIds, docId, into);
  }
}

/** Above this share of a segment's documents, one pass over its table costs less than a look-up per document. */
const WHOLE_TABLE_SHARE = 0.02;

function readsWholeDocTable(docIds: ReadonlySet<string>, view: SegmentView): boolean {
  return docIds.size > view.open.header.docCount * WHOLE_TABLE_SHARE;
}

/** One byte per chunk, 1 where the filter holds. */
export function evaluateFilter(filter: IndexFilter, view: SegmentView): Uint8Array {
  const count = view.chunkCount;
  if ('and' in filter) return combine(filter.and, view, 1);
  if ('or' in filter) return combine(filter.or, view, 0);
  if ('not' in filter) return evaluateFilter(filter.not, view).map((holds) => 1 - holds);
  if ('vaultIds' in filter) {
    const wanted = Uint8Array.from(view.open.header.vaultIds, (vaultId) => Number(filter.vaultIds.includes(vaultId)));
    // Most segments lie in the caller's vaults altogether, or not at all.
    if (!wanted.includes(0)) return new Uint8Array(count).fill(1);
    if (!wanted.includes(1)) return new Uint8Array(count);
    return Uint8Array.from(decodeNumbers(view.stream(STREAM.vaults), count), (vault) => wanted[vault]!);
  }
  if ('occurredAt' in filter) return withinRange(decodeTimes(view.stream(STREAM.occurred), count), filter.occurredAt);
  if ('createdAt' in filter) return withinRange(decodeTimes(view.stream(STREAM.created), count), filter.createdAt);
  const wanted = new Uint8Array(view.open.header.docCount);
  for (const docId of filter.docIds) {
    const ordinal = view.ordinalOf(view.open.docIds, STREAM.docIds, docId);
    if (ordinal >= 0) wanted[ordinal] = 1;
  }
  return Uint8Array.from(decodeDocOrdinals(view.stream(STREAM.docs)), (doc) => wanted[doc]!);
}

/** Starts from all (and) or none (or), which is also what an empty list means. */
function combine(parts: readonly IndexFilter[], view: SegmentView, start: 0 | 1): Uint8Array {
  const result = new Uint8Array(view.chunkCount).fill(start);
  for (const part of parts) {
    const holds = evaluateFilter(part, view);
    for (let i = 0; i < result.length; i++) result[i] = start === 1 ? result[i]! & holds[i]! : result[i]! | holds[i]!;
  }
  return result;
}

function withinRange(times: Float64Array, range: TimeRange): Uint8Array {
  const from = range.gteMs ?? -Infinity;
  const to = range.ltMs ?? Infinity;
  // A chunk without the time is NaN here and outside of every range.
  return Uint8Array.from(times, (time) => Number(time >= from && time < to));
}
