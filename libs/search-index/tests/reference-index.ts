import type { MemoryLanguages } from '../src/segment/manifest.ts';
import { analyseChunk, type AnalysedChunk } from '../src/segment/build-segment.ts';
import { compareText } from '../src/segment/bytes.ts';
import { weightedFrequency } from '../src/segment/posting-writer.ts';
import { planQuery, type QueryPhrase } from '../src/query/query-plan.ts';
import {
  contribution,
  FIELD_WEIGHTS,
  inverseDocumentFrequency,
  lengthNorm,
  type FieldWeights,
} from '../src/segment/scoring.ts';
import type { IndexChunk, IndexFilter, TimeRange } from '../src/search-index.ts';
import { SPEC_ANALYSER } from './spec-analyser.ts';

/** A chunk the statistics still count; a deleted one is no hit. */
export interface ReferenceChunk {
  chunk: IndexChunk;
  deleted: boolean;
}

interface ReferenceQuery {
  text: string;
  limit: number;
  filter?: IndexFilter | undefined;
  languages: MemoryLanguages;
  weights?: FieldWeights;
}

const analysed = new WeakMap<IndexChunk, AnalysedChunk>();

function analysisOf(chunk: IndexChunk): AnalysedChunk {
  let analysis = analysed.get(chunk);
  if (analysis === undefined) {
    analysis = analyseChunk(chunk, SPEC_ANALYSER);
    analysed.set(chunk, analysis);
  }
  return analysis;
}

/** What the engine must answer, computed by looking at every chunk: no postings, no blocks, no bounds. */
export function searchByBruteForce(
  chunks: readonly ReferenceChunk[],
  query: ReferenceQuery,
): { chunkId: string; score: number }[] {
  const weights = query.weights ?? FIELD_WEIGHTS;
  const plan = planQuery(query.text, query.languages, SPEC_ANALYSER);
  const lengths = chunks.map(({ chunk }) => weightedFrequency(analysisOf(chunk).counts, weights));
  const norm = lengthNorm(lengths.reduce((sum, length) => sum + length, 0) / chunks.length);
  const words = plan.words.map((word) => {
    const df = word.terms.reduce(
      (sum, term) => sum + chunks.filter(({ chunk }) => analysisOf(chunk).terms.has(term)).length,
      0,
    );
    return { terms: word.terms, weight: inverseDocumentFrequency(chunks.length, df) * word.weight };
  });
  const hits: { chunkId: string; score: number }[] = [];
  for (const [i, { chunk, deleted }] of chunks.entries()) {
    if (deleted || (query.filter !== undefined && !matches(query.filter, chunk))) continue;
    const { terms } = analysisOf(chunk);
    if (!plan.phrases.every((phrase) => containsPhrase(phrase, terms))) continue;
    let score = 0;
    for (const word of words) {
      const frequency = word.terms.reduce((sum, term) => sum + frequencyOf(terms.get(term), weights), 0);
      if (frequency > 0) score += contribution(word.weight, frequency, lengths[i]!, norm);
    }
    if (score > 0) hits.push({ chunkId: chunk.chunkId, score });
  }
  return hits.sort((a, b) => b.score - a.score || compareText(a.chunkId, b.chunkId)).slice(0, query.limit);
}

type Positions = { title: number[]; context: number[]; body: number[] };

function frequencyOf(positions: Positions | undefined, weights: FieldWeights): number {
  if (positions === undefined) return 0;
  return weightedFrequency(
    { title: positions.title.length, context: positions.context.length, body: positions.body.length },
    weights,
  );
}

function containsPhrase(phrase: QueryPhrase, terms: ReadonlyMap<string, Positions>): boolean {
  const [first, ...rest] = phrase.slots;
  return (['title', 'context', 'body'] as const).some((field) => {
    const at = (slot: { terms: string[] }, position: number) =>
      slot.terms.some((term) => terms.get(term)?.[field].includes(position) === true);
    const starts = first!.terms.flatMap((term) => terms.get(term)?.[field] ?? []);
    return starts.some((start) => rest.every((slot) => at(slot, start + slot.offset)));
  });
}

function matches(filter: IndexFilter, chunk: IndexChunk): boolean {
  if ('and' in filter) return filter.and.every((part) => matches(part, chunk));
  if ('or' in filter) return filter.or.some((part) => matches(part, chunk));
  if ('not' in filter) return !matches(filter.not, chunk);
  if ('vaultIds' in filter) return filter.vaultIds.includes(chunk.vaultId);
  if ('docIds' in filter) return filter.docIds.has(chunk.docId);
  return 'occurredAt' in filter
    ? inRange(filter.occurredAt, chunk.occurredAtMs)
    : inRange(filter.createdAt, chunk.createdAtMs);
}

function inRange(range: TimeRange, ms: number | null): boolean {
  return ms !== null && ms >= (range.gteMs ?? -Infinity) && ms < (range.ltMs ?? Infinity);
}
