import { analyseChunk, FIELD_WEIGHTS, type FieldCounts, type IndexChunk, weightedFrequency } from '@cairn/search-index';
import type { MemoryScope } from '../memories/memory-scope.ts';
import { SPELLING_SEPARATOR } from './index-definition.ts';
import { ANALYSER } from '../text/analyser.ts';

/** Stands where a field has a position without a word. No text has the character. */
const NO_WORD = '\uE001';
const FIELDS = ['title', 'context', 'body'] as const;

/** A chunk as OpenSearch keeps it. */
export interface ChunkRecord {
  tenant: string;
  memory: string;
  chunk: string;
  doc: string;
  vault: string;
  language: string;
  length: number;
  occurred_at: number | null;
  created_at: number;
  /** A value for each time that a field counts; phrases do not reach from one into the next. */
  words: string[];
}

export function chunkRecord({ tenantId, memoryId }: MemoryScope, chunk: IndexChunk): ChunkRecord {
  const { language, counts, terms } = analyseChunk(chunk, ANALYSER);
  const slots = { title: slotsOf(counts, 'title'), context: slotsOf(counts, 'context'), body: slotsOf(counts, 'body') };
  for (const [term, positions] of terms)
    for (const field of FIELDS) for (const position of positions[field]) slots[field][position]!.push(term);
  return {
    tenant: tenantId,
    memory: memoryId,
    chunk: chunk.chunkId,
    doc: chunk.docId,
    vault: chunk.vaultId,
    language,
    length: weightedFrequency(counts, FIELD_WEIGHTS),
    occurred_at: chunk.occurredAtMs,
    created_at: chunk.createdAtMs,
    words: FIELDS.filter((field) => counts[field] > 0).flatMap((field) =>
      Array.from({ length: FIELD_WEIGHTS[field] }, () => wordsOf(slots[field])),
    ),
  };
}

function slotsOf(counts: FieldCounts, field: keyof FieldCounts): string[][] {
  return Array.from({ length: counts[field] }, () => []);
}

/** Words as the index's analyser takes them apart again, each with its spellings. */
export function wordsOf(slots: readonly (readonly string[])[]): string {
  return slots.map((terms) => (terms.length === 0 ? NO_WORD : terms.join(SPELLING_SEPARATOR))).join(' ');
}
