import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareText } from '../segment/bytes.ts';
import { explainHits } from './explain.ts';
import { evaluateFilter, missingForFilter } from './filter.ts';
import { chunksWithPhrase, missingForPhrase } from './phrase.ts';
import { termsOfPlan, type QueryPlan } from './query-plan.ts';
import { inverseDocumentFrequency, lengthNorm, type LengthNorm } from '../segment/scoring.ts';
import type { IndexHit } from '../search-index.ts';
import { DOC_ORDINAL_BYTES, STREAM } from '../segment/segment-format.ts';
import { SegmentScorer, windowScratch } from './segment-scorer.ts';
import {
  groupFor,
  type FoundHit,
  type PreparedSegment,
  type SearchRequest,
  type WeightedWord,
} from './search-request.ts';
import type { PageRef, TermLists } from '../segment/segment-view.ts';
import { ScoreHeap } from './top-k.ts';
import { visibleFrequency } from './scoped-statistics.ts';

/**
 * How long scoring may hold the event loop before it lets others run. Slices instead of worker threads: over
 * 100,000 chunks a whole search of 3 to 12 words took 2.7 ms (p50) and 4.5 ms (p95), on two cores shared with others.
 */
const SLICE_MAX_MS = 8;

/** Finds the `limit` best chunks: at most four fetches, whatever the number of segments and terms. */
export async function searchViews(request: SearchRequest): Promise<IndexHit[]> {
  const { plan, limit, signal } = request;
  if (limit <= 0 || plan.words.length === 0 || request.chunkCount === 0) return [];
  const prepared = await prepare(request);
  const words = weighWords(plan, prepared, request);
  request.onWords?.(words);
  const norm = lengthNorm(request.totalLength / request.chunkCount);
  const found = await score(request, prepared, words, norm);
  const hits = await nameHits(request, found);
  signal?.throwIfAborted();
  if (request.explain) explainHits(hits, words, norm, request);
  return hits.map(({ hit }) => hit);
}

/** Looks all terms up and brings in what scoring reads, for the segments that hold a word of the query. */
async function prepare(request: SearchRequest): Promise<PreparedSegment[]> {
  const terms = termsOfPlan(request.plan);
  await fetchMissing(request, (into) => {
    for (const { view } of request.segments) for (const term of terms) view.missingForTerm(term, into);
  });
  const prepared: PreparedSegment[] = [];
  for (const segment of request.segments) {
    const lists = new Map<string, TermLists>();
    for (const term of terms) {
      const found = segment.view.lookUp(term);
      if (found !== null) lists.set(term, found);
    }
    if (lists.size > 0) prepared.push({ ...segment, lists });
  }
  await fetchMissing(request, (into) => {
    for (const { view, lists } of prepared) {
      for (const list of lists.values()) {
        view.missing(STREAM.postings, list.postingOffset, list.postingBytes, into);
        view.missing(STREAM.skips, list.skipOffset, list.skipBytes, into);
      }
      for (const phrase of request.plan.phrases) missingForPhrase(phrase, view, lists, into);
      if (request.filter !== undefined) missingForFilter(request.filter, view, into);
    }
  });
  return prepared;
}

async function fetchMissing(request: SearchRequest, collect: (into: PageRef[]) => void): Promise<void> {
  request.signal?.throwIfAborted();
  const refs: PageRef[] = [];
  collect(refs);
  if (refs.length === 0) return;
  const distinct = new Map(refs.map((ref) => [`${ref.segmentId}/${ref.kind}/${ref.pageNo}`, ref]));
  await request.fetch([...distinct.values()]);
  request.signal?.throwIfAborted();
}

function weighWords(plan: QueryPlan, prepared: readonly PreparedSegment[], request: SearchRequest): WeightedWord[] {
  const { chunkCount, weights } = request;
  return plan.words.map((word) => {
    let df = 0;
    for (const segment of prepared)
      for (const term of word.terms)
        df += request.seenOnly === true ? visibleFrequency(segment, term, weights) : (segment.lists.get(term)?.df ?? 0);
    df = Math.min(df, chunkCount);
    return { ...word, df, idf: inverseDocumentFrequency(chunkCount, df) };
  });
}

async function score(
  request: SearchRequest,
  prepared: PreparedSegment[],
  words: WeightedWord[],
  norm: LengthNorm,
): Promise<FoundHit[]> {
  const best = new ScoreHeap(request.limit);
  const scratch = windowScratch();
  const scorers = prepared.map((segment) => {
    const groups = words.map((word) => groupFor(word, segment, request.weights));
    const allowed = allowedChunks(request, segment);
    return {
      segment,
      scorer: new SegmentScorer(groups, segment.view.open.lengths, norm, allowed, best, request.limit, scratch),
    };
  });
  // Promising segments first: their scores raise the threshold for the others.
  scorers.sort((a, b) => b.scorer.bound - a.scorer.bound);
  let sliceStart = performance.now();
  for (const { scorer } of scorers) {
    if (scorer.bound < best.threshold) continue;
    while (!scorer.run(() => performance.now() - sliceStart < SLICE_MAX_MS)) {
      await nextTurn();
      request.signal?.throwIfAborted();
      sliceStart = performance.now();
    }
  }
  return scorers.flatMap(({ segment, scorer }) =>
    scorer.hits.atLeast(best.threshold).map((hit) => ({ segment, ...hit })),
  );
}

/** Bits of the chunks that may be hits; null when all may. */
function allowedChunks(request: SearchRequest, { view, alive, lists }: PreparedSegment): Uint8Array | null {
  let bits = alive;
  if (request.filter !== undefined) bits = onlyThose(bits, toBits(evaluateFilter(request.filter, view)));
  for (const phrase of request.plan.phrases) {
    const holds = new Uint8Array(Math.ceil(view.chunkCount / 8));
    for (const ordinal of chunksWithPhrase(phrase, view, lists)) holds[ordinal >>> 3]! |= 1 << (ordinal & 7);
    bits = onlyThose(bits, holds);
  }
  return bits;
}

function toBits(bytes: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(bytes.length / 8));
  for (let i = 0; i < bytes.length; i++) bits[i >>> 3]! |= bytes[i]! << (i & 7);
  return bits;
}

function onlyThose(bits: Uint8Array | null, others: Uint8Array): Uint8Array {
  if (bits !== null) for (let i = 0; i < others.length; i++) others[i]! &= bits[i]!;
  return others;
}

/** Reads the ids of what was found, orders it, and cuts ties at the limit by chunk id. */
async function nameHits(request: SearchRequest, found: FoundHit[]): Promise<{ hit: IndexHit; found: FoundHit }[]> {
  await fetchMissing(request, (into) => {
    for (const { segment, ordinal } of found) {
      segment.view.missingForOrdinal(segment.view.open.chunkIds, STREAM.chunkIds, ordinal, into);
      segment.view.missing(STREAM.docs, ordinal * DOC_ORDINAL_BYTES, DOC_ORDINAL_BYTES, into);
    }
  });
  const named = found
    .map((hit) => ({
      found: hit,
      chunkId: hit.segment.view.keyOf(hit.segment.view.open.chunkIds, STREAM.chunkIds, hit.ordinal),
    }))
    .sort((a, b) => b.found.score - a.found.score || compareText(a.chunkId, b.chunkId))
    .slice(0, request.limit);
  await fetchMissing(request, (into) => {
    for (const { found: hit } of named) {
      hit.segment.view.missingForOrdinal(hit.segment.view.open.docIds, STREAM.docIds, docOrdinalOf(hit), into);
      hit.segment.view.missing(STREAM.languages, hit.ordinal, LANGUAGE_BYTES, into);
    }
  });
  return named.map(({ found: hit, chunkId }) => ({
    found: hit,
    hit: {
      chunkId,
      docId: hit.segment.view.keyOf(hit.segment.view.open.docIds, STREAM.docIds, docOrdinalOf(hit)),
      score: hit.score,
      language: languageOf(hit),
    },
  }));
}

/** A language's place is a varint, and there are fewer of them than one byte counts. */
const LANGUAGE_BYTES = 1;

function languageOf({ segment: { view }, ordinal }: FoundHit): string {
  const place = view.bytes(STREAM.languages, ordinal, LANGUAGE_BYTES)[0]!;
  return [...view.open.header.languages.keys()][place]!;
}

function docOrdinalOf({ segment, ordinal }: FoundHit): number {
  const bytes = segment.view.bytes(STREAM.docs, ordinal * DOC_ORDINAL_BYTES, DOC_ORDINAL_BYTES);
  return new DataView(bytes.buffer, bytes.byteOffset, DOC_ORDINAL_BYTES).getUint32(0, true);
}
