import type { Tx } from '@cairn/postgres';
import { weigh } from './posting-writer.ts';
import type { FieldWeights } from './scoring.ts';
import type { MemoryRef } from './search-index.ts';
import { parseLanguages } from './segment-header.ts';

/** A segment as its manifest row describes it. */
export interface SegmentRow {
  segmentId: string;
  chunkCount: number;
  titleTokens: number;
  contextTokens: number;
  bodyTokens: number;
  byteSize: number;
  analyserVersion: number;
  languages: string;
}

/** What a memory's index consists of in one snapshot. */
export interface Manifest {
  /** Another one means another index: the memory's was dropped and made again. */
  incarnation: string;
  tombstoneVersion: number;
  /** False when this transaction has written: what it sees may be rolled back and must not be cached. */
  committed: boolean;
  segments: SegmentRow[];
}

interface ManifestRow {
  incarnation: string;
  tombstone_version: number;
  committed: boolean;
  segment_id: string | null;
  chunk_count: number;
  title_tokens: number;
  context_tokens: number;
  body_tokens: number;
  byte_size: number;
  analyser_version: number;
  languages: string;
}

/** Reads the manifest under the transaction's row-level security; null when the memory has no index yet. */
export async function readManifest(tx: Tx, memory: MemoryRef): Promise<Manifest | null> {
  const rows = await tx.query<ManifestRow>({
    name: 'index_manifest',
    text: `SELECT m.incarnation, m.tombstone_version, pg_current_xact_id_if_assigned() IS NULL AS committed, s.segment_id, s.chunk_count,
                  s.title_tokens, s.context_tokens, s.body_tokens, s.byte_size, s.analyser_version, s.languages
             FROM index_memories m
             LEFT JOIN index_segments s ON s.tenant_id = m.tenant_id AND s.memory_id = m.memory_id
            WHERE m.tenant_id = $1 AND m.memory_id = $2`,
    values: [memory.tenantId, memory.memoryId],
  });
  const first = rows[0];
  if (first === undefined) return null;
  return {
    incarnation: first.incarnation,
    tombstoneVersion: first.tombstone_version,
    committed: first.committed,
    segments: rows.flatMap((row) => (row.segment_id === null ? [] : [segmentRow(row, row.segment_id)])),
  };
}

function segmentRow(row: ManifestRow, segmentId: string): SegmentRow {
  return {
    segmentId,
    chunkCount: row.chunk_count,
    titleTokens: row.title_tokens,
    contextTokens: row.context_tokens,
    bodyTokens: row.body_tokens,
    byteSize: row.byte_size,
    analyserVersion: row.analyser_version,
    languages: row.languages,
  };
}

export interface MemoryStatistics {
  chunkCount: number;
  totalLength: number;
  /** Most frequent first; ties by code. */
  languages: string[];
}

/** Sums over a manifest. Deleted chunks count until they are merged away, in all of the sums alike. */
export function statisticsOf(
  segments: readonly Omit<SegmentRow, 'segmentId'>[],
  weights: FieldWeights,
): MemoryStatistics {
  const counts = new Map<string, number>();
  let chunkCount = 0;
  let totalLength = 0;
  for (const segment of segments) {
    chunkCount += segment.chunkCount;
    totalLength += weigh(
      { title: segment.titleTokens, context: segment.contextTokens, body: segment.bodyTokens },
      weights,
    );
    for (const [language, count] of parseLanguages(segment.languages))
      counts.set(language, (counts.get(language) ?? 0) + count);
  }
  const languages = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([language]) => language);
  return { chunkCount, totalLength, languages };
}
