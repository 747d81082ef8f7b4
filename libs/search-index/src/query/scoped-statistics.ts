import { evaluateFilter, missingForFilter } from './filter.ts';
import { languagesByCount, type MemoryStatistics } from '../segment/manifest.ts';
import { NO_MORE, PostingCursor } from '../segment/posting-cursor.ts';
import type { FieldWeights } from '../segment/scoring.ts';
import type { IndexFilter } from '../search-index.ts';
import type { PreparedSegment, SearchedSegment } from './search-request.ts';
import { STREAM } from '../segment/segment-format.ts';
import { decodeNumbers, type PageRef } from '../segment/segment-view.ts';

/** The chunks a caller may see, as if the index held no others. */
interface VisibleSegments {
  /** Segments with something to see; `alive` has the bits of what is seen. */
  segments: SearchedSegment[];
  statistics: MemoryStatistics;
}

/**
 * Narrows a search to what the filter lets through, statistics included: a score then says nothing of the chunks
 * outside, not even how many they are or which words they hold.
 */
export async function restrictToVisible(
  segments: readonly SearchedSegment[],
  filter: IndexFilter,
  fetchPages: (refs: PageRef[]) => Promise<void>,
): Promise<VisibleSegments> {
  const refs: PageRef[] = [];
  for (const { view } of segments) {
    missingForFilter(filter, view, refs);
    view.missingStream(STREAM.languages, refs);
  }
  if (refs.length > 0)
    await fetchPages([...new Map(refs.map((ref) => [`${ref.segmentId}/${ref.kind}/${ref.pageNo}`, ref])).values()]);
  const seen: SearchedSegment[] = [];
  const languages = new Map<string, number>();
  let chunkCount = 0;
  let totalLength = 0;
  for (const segment of segments) {
    const { view } = segment;
    const bits = visibleBits(evaluateFilter(filter, view), segment.alive);
    const codes = [...view.open.header.languages.keys()];
    const places = decodeNumbers(view.stream(STREAM.languages), view.chunkCount);
    let here = 0;
    for (let ordinal = 0; ordinal < view.chunkCount; ordinal++) {
      if (!hasBit(bits, ordinal)) continue;
      here += 1;
      totalLength += view.open.lengths[ordinal]!;
      const code = codes[places[ordinal]!]!;
      languages.set(code, (languages.get(code) ?? 0) + 1);
    }
    chunkCount += here;
    if (here > 0) seen.push({ view, alive: bits });
  }
  return { segments: seen, statistics: { chunkCount, totalLength, languages: languagesByCount(languages) } };
}

function visibleBits(holds: Uint8Array, alive: Uint8Array | null): Uint8Array {
  const bits = new Uint8Array(Math.ceil(holds.length / 8));
  for (let ordinal = 0; ordinal < holds.length; ordinal++)
    if (holds[ordinal] === 1 && (alive === null || hasBit(alive, ordinal))) bits[ordinal >>> 3]! |= 1 << (ordinal & 7);
  return bits;
}

function hasBit(bits: Uint8Array, ordinal: number): boolean {
  return (bits[ordinal >>> 3]! & (1 << (ordinal & 7))) !== 0;
}

/** In how many chunks that are seen the term stands. */
export function visibleFrequency(segment: PreparedSegment, term: string, weights: FieldWeights): number {
  const lists = segment.lists.get(term);
  if (lists === undefined) return 0;
  const bits = segment.alive;
  if (bits === null) return lists.df;
  const cursor = new PostingCursor(segment.view, lists, weights);
  let count = 0;
  let doc = cursor.advance(0);
  while (doc !== NO_MORE) {
    const { docs, size } = cursor;
    for (let at = cursor.at; at < size; at++) if (hasBit(bits, docs[at]!)) count += 1;
    cursor.at = size;
    doc = cursor.nextBlock();
  }
  return count;
}
