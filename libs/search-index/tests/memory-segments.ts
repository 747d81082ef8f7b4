import { buildSegment } from '../src/segment/build-segment.ts';
import { compareText } from '../src/segment/bytes.ts';
import { statisticsOf } from '../src/segment/manifest.ts';
import { MergeInput } from '../src/merging/merge-input.ts';
import { mergeSegments } from '../src/merging/merge-segments.ts';
import { MemorySink, openPacked, type OpenSegment } from '../src/segment/open-segment.ts';
import { planQuery } from '../src/query/query-plan.ts';
import type { ReferenceChunk } from './reference-index.ts';
import type { FieldWeights } from '../src/segment/scoring.ts';
import type { IndexChunk, IndexFilter, IndexHit } from '../src/search-index.ts';
import { searchViews } from '../src/query/search-views.ts';
import { formatLanguages } from '../src/segment/segment-header.ts';
import { SegmentView } from '../src/segment/segment-view.ts';
import { SPEC_ANALYSER } from './spec-analyser.ts';

interface HeldSegment {
  open: OpenSegment;
  /** By ordinal. */
  chunks: ReferenceChunk[];
}

/** The engine without a database, for specs that run it thousands of times: the same bytes, held in memory. */
export class MemorySegments {
  readonly weights: FieldWeights;
  private readonly builtWith: FieldWeights;
  private segments: HeldSegment[] = [];
  private nextId = 0;

  /** `builtWith` are the weights of the block maxima, `weights` those of every search. */
  constructor(weights: FieldWeights, builtWith: FieldWeights = weights) {
    this.weights = weights;
    this.builtWith = builtWith;
  }

  get all(): ReferenceChunk[] {
    return this.segments.flatMap((segment) => segment.chunks);
  }

  get count(): number {
    return this.segments.length;
  }

  /** Adds chunks as a segment of their own; those that are there already are replaced. */
  add(chunks: readonly IndexChunk[]): void {
    const distinct = [...new Map(chunks.map((chunk) => [chunk.chunkId, chunk])).values()];
    if (distinct.length === 0) return;
    this.remove(distinct.map((chunk) => chunk.chunkId));
    const ordered = distinct.sort((a, b) => compareText(a.chunkId, b.chunkId));
    this.hold(
      buildSegment(distinct, this.builtWith, SPEC_ANALYSER).sink,
      ordered.map((chunk) => ({ chunk, deleted: false })),
    );
  }

  private hold(sink: MemorySink, chunks: ReferenceChunk[]): void {
    this.segments.push({ open: openPacked(`s${this.nextId++}`, new Uint8Array(sink.pack()), this.weights), chunks });
  }

  remove(chunkIds: readonly string[]): void {
    for (const held of this.all) if (chunkIds.includes(held.chunk.chunkId)) held.deleted = true;
  }

  /** Merges the segments at the given places; `meanwhile` runs between reading them and putting the result in place. */
  async merge(places: readonly number[], meanwhile: () => void = () => undefined): Promise<void> {
    const chosen = this.segments.filter((_, place) => places.includes(place));
    if (chosen.length === 0) return;
    const inputs = chosen.map(
      (segment) =>
        new MergeInput(segment.open, aliveBits(segment), () =>
          Promise.reject(new Error('packed segments have no pages')),
        ),
    );
    const sink = new MemorySink();
    const { header, maps } = await mergeSegments(inputs, sink, this.builtWith, () => undefined);
    meanwhile();
    const merged: ReferenceChunk[] = [];
    for (const [i, segment] of chosen.entries()) {
      for (const [ordinal, chunk] of segment.chunks.entries())
        if (maps[i]![ordinal]! >= 0) merged[maps[i]![ordinal]!] = chunk;
    }
    this.segments = this.segments.filter((segment) => !chosen.includes(segment));
    if (header !== null) this.hold(sink, merged);
  }

  get statistics() {
    return statisticsOf(
      this.segments.map(({ open: { header } }) => ({
        ...header,
        byteSize: 0,
        languages: formatLanguages(header.languages),
      })),
      this.weights,
    );
  }

  search(query: { text: string; limit: number; filter?: IndexFilter | undefined }): Promise<IndexHit[]> {
    const { chunkCount, totalLength, languages } = this.statistics;
    return searchViews({
      segments: this.segments.map((segment) => ({ view: new SegmentView(segment.open), alive: aliveBits(segment) })),
      plan: planQuery(query.text, languages, SPEC_ANALYSER),
      filter: query.filter,
      limit: query.limit,
      explain: false,
      weights: this.weights,
      chunkCount,
      totalLength,
      fetch: () => Promise.reject(new Error('packed segments have no pages')),
      signal: undefined,
    });
  }
}

function aliveBits({ chunks }: HeldSegment): Uint8Array | null {
  if (!chunks.some((chunk) => chunk.deleted)) return null;
  const bits = new Uint8Array(Math.ceil(chunks.length / 8));
  for (const [ordinal, chunk] of chunks.entries()) if (!chunk.deleted) bits[ordinal >>> 3]! |= 1 << (ordinal & 7);
  return bits;
}
