import { STREAM } from '../segment/segment-format.ts';
import {
  decodeDocOrdinals,
  decodeNumbers,
  decodeTimes,
  type PageRef,
  type SegmentView,
} from '../segment/segment-view.ts';
import type { IndexFilter, TimeRange } from '../search-index.ts';

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
  if ('and' in filter) return combine(filter.and, view, 1);
  if ('or' in filter) return combine(filter.or, view, 0);
  if ('not' in filter) return negate(evaluateFilter(filter.not, view));
  if ('vaultIds' in filter) return inVaults(filter.vaultIds, view);
  if ('occurredAt' in filter) return withinRange(decodeTimes(view.stream(STREAM.occurred)), filter.occurredAt);
  if ('createdAt' in filter) return withinRange(decodeTimes(view.stream(STREAM.created)), filter.createdAt);
  return inDocuments(filter.docIds, view);
}

/** Starts from all (and) or none (or), which is also what an empty list means. */
function combine(parts: readonly IndexFilter[], view: SegmentView, start: 0 | 1): Uint8Array {
  const result = new Uint8Array(view.chunkCount).fill(start);
  for (const part of parts) {
    const holds = evaluateFilter(part, view);
    if (start === 1) for (let i = 0; i < result.length; i++) result[i]! &= holds[i]!;
    else for (let i = 0; i < result.length; i++) result[i]! |= holds[i]!;
  }
  return result;
}

function negate(holds: Uint8Array): Uint8Array {
  for (let i = 0; i < holds.length; i++) holds[i]! ^= 1;
  return holds;
}

function inVaults(vaultIds: readonly string[], view: SegmentView): Uint8Array {
  const { vaultIds: own } = view.open.header;
  const wanted = Uint8Array.from(own, (vaultId) => Number(vaultIds.includes(vaultId)));
  // Most segments lie in the caller's vaults altogether, or not at all.
  if (!wanted.includes(0)) return new Uint8Array(view.chunkCount).fill(1);
  if (!wanted.includes(1)) return new Uint8Array(view.chunkCount);
  return pickEach(decodeNumbers(view.stream(STREAM.vaults), view.chunkCount), wanted);
}

function inDocuments(docIds: ReadonlySet<string>, view: SegmentView): Uint8Array {
  const wanted = new Uint8Array(view.open.header.docCount);
  for (const docId of docIds) {
    const ordinal = view.ordinalOf(view.open.docIds, STREAM.docIds, docId);
    if (ordinal >= 0) wanted[ordinal] = 1;
  }
  return pickEach(decodeDocOrdinals(view.stream(STREAM.docs)), wanted);
}

function pickEach(column: Uint32Array, wanted: Uint8Array): Uint8Array {
  const holds = new Uint8Array(column.length);
  for (let i = 0; i < column.length; i++) holds[i] = wanted[column[i]!]!;
  return holds;
}

function withinRange(times: Float64Array, range: TimeRange): Uint8Array {
  const from = range.gteMs ?? -Infinity;
  const to = range.ltMs ?? Infinity;
  const holds = new Uint8Array(times.length);
  // A chunk without the time is NaN here and outside of every range.
  for (let i = 0; i < times.length; i++) holds[i] = times[i]! >= from && times[i]! < to ? 1 : 0;
  return holds;
}
