import { timeSlice } from '@cairn/background';
import type { Analyser } from '../analyser.ts';
import { ByteWriter, compareText } from './bytes.ts';
import { MemorySink } from './open-segment.ts';
import type { FieldWeights } from './scoring.ts';
import type { FieldCounts, SegmentHeader } from './segment-format.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { IndexChunk } from '../search-index.ts';

/** Chunks a segment built in memory may have; more are split over several segments. */
export const BUILT_CHUNKS_MAX = 2_000;

export interface BuiltSegment {
  header: SegmentHeader;
  sink: MemorySink;
}

/** Fields in the order in which positions are stored. */
const FIELDS = ['title', 'context', 'body'] as const;

/** Positions of a term in one chunk, by field. */
interface TermPositions {
  title: number[];
  context: number[];
  body: number[];
}

export interface AnalysedChunk {
  language: string;
  /** Positions each field takes. */
  counts: FieldCounts;
  terms: Map<string, TermPositions>;
}

/** All terms of a chunk. One language for all its fields: that of title and body together. */
export function analyseChunk(chunk: IndexChunk, analyser: Analyser): AnalysedChunk {
  const language = analyser.detectLanguage(`${chunk.titlePath}\n${chunk.body}`);
  const texts = { title: chunk.titlePath, context: chunk.contextPrefix, body: chunk.body };
  const counts: FieldCounts = { title: 0, context: 0, body: 0 };
  const terms = new Map<string, TermPositions>();
  let wordsLeft = analyser.chunkWordsMax;
  for (const field of FIELDS) {
    if (texts[field] === '' || wordsLeft <= 0) continue;
    for (const { term, position } of analyser.analyse(texts[field], language, wordsLeft)) {
      let positions = terms.get(term);
      if (positions === undefined) {
        positions = { title: [], context: [], body: [] };
        terms.set(term, positions);
      }
      if (positions[field].at(-1) !== position) positions[field].push(position);
      counts[field] = position + 1;
    }
    wordsLeft -= counts[field];
  }
  return { language, counts, terms };
}

/** Builds a segment in memory from at most BUILT_CHUNKS_MAX chunks with distinct ids, in any order. */
export function buildSegment(chunks: readonly IndexChunk[], weights: FieldWeights, analyser: Analyser): BuiltSegment {
  const steps = buildSteps(chunks, weights, analyser);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Terms written between two looks at the clock. */
const TERMS_PER_STEP = 32;

/** As `buildSegment`, and lets others run in between: a chunk takes about half a millisecond. */
export async function buildSegmentInSlices(
  chunks: readonly IndexChunk[],
  weights: FieldWeights,
  analyser: Analyser,
): Promise<BuiltSegment> {
  const steps = buildSteps(chunks, weights, analyser);
  const slice = timeSlice();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slice.isOver) await slice.yieldToEventLoop();
  }
}

/** Builds a segment; stops after every chunk and every few terms. */
function* buildSteps(
  chunks: readonly IndexChunk[],
  weights: FieldWeights,
  analyser: Analyser,
): Generator<void, BuiltSegment> {
  if (chunks.length > BUILT_CHUNKS_MAX)
    throw new RangeError(`a segment is built from at most ${BUILT_CHUNKS_MAX} chunks`);
  const ordered = [...chunks].sort((a, b) => compareText(a.chunkId, b.chunkId));
  const sink = new MemorySink();
  const writer = new SegmentWriter(sink, weights, analyser.version);
  const docIds = [...new Set(ordered.map((chunk) => chunk.docId))].sort(compareText);
  const docOrdinals = new Map(docIds.map((docId, ordinal) => [docId, ordinal]));
  for (const docId of docIds) writer.docId(docId);

  // Per term, flat: ordinal, the three frequencies, then the positions.
  const postings = new Map<string, number[]>();
  for (const [ordinal, chunk] of ordered.entries()) {
    if (ordinal > 0 && ordered[ordinal - 1]!.chunkId === chunk.chunkId)
      throw new RangeError(`chunk ${chunk.chunkId} is added twice`);
    const { language, counts, terms } = analyseChunk(chunk, analyser);
    writer.chunk({ ...chunk, docOrdinal: docOrdinals.get(chunk.docId)!, language, counts });
    for (const [term, { title, context, body }] of terms) {
      let list = postings.get(term);
      if (list === undefined) {
        list = [];
        postings.set(term, list);
      }
      list.push(ordinal, title.length, context.length, body.length, ...title, ...context, ...body);
    }
    yield;
  }
  const positions = new ByteWriter();
  for (const [i, term] of [...postings.keys()].sort(compareText).entries()) {
    writeList(writer, postings.get(term)!, positions);
    writer.term(term);
    if (i % TERMS_PER_STEP === 0) yield;
  }
  return { header: writer.finish(), sink };
}

function writeList(writer: SegmentWriter, list: readonly number[], positions: ByteWriter): void {
  for (let at = 0; at < list.length;) {
    const ordinal = list[at]!;
    const counts = { title: list[at + 1]!, context: list[at + 2]!, body: list[at + 3]! };
    at += 4;
    positions.clear();
    for (const field of FIELDS) {
      let previous = 0;
      for (let i = 0; i < counts[field]; i++) {
        positions.varint(list[at]! - previous);
        previous = list[at++]!;
      }
    }
    writer.posting(ordinal, counts, positions.view());
  }
}
