export type { Analyser } from './analyser.ts';
export { createIndexCaches, type IndexCaches } from './index-caches.ts';
export { MERGE_LIMITS } from './merging/merge-policy.ts';
export { createMerger, type Merger } from './merging/merger.ts';
export type { ChunkSource } from './merging/reindex-job.ts';
export { planQuery, type QueryPlan, type QueryWord } from './query/query-plan.ts';
export type {
  HitExplanation,
  IndexChunk,
  IndexFilter,
  IndexHit,
  IndexQuery,
  ScoredWord,
  SearchIndex,
  TimeRange,
} from './search-index.ts';
export { createSegmentIndex, type SegmentIndex } from './segment-index.ts';
export { analyseChunk } from './segment/build-segment.ts';
export { compareText } from './segment/bytes.ts';
export { languagesByCount, type MemoryStatistics } from './segment/manifest.ts';
export { weightedFrequency } from './segment/posting-writer.ts';
export {
  BM25_B,
  BM25_K1,
  contribution,
  FIELD_WEIGHTS,
  inverseDocumentFrequency,
  type LengthNorm,
  lengthNorm,
} from './segment/scoring.ts';
export type { FieldCounts } from './segment/segment-format.ts';
