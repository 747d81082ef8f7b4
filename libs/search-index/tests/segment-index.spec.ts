import { describeSearchIndex } from './search-index.conformance.ts';
import { createMerger } from '../src/merging/merger.ts';
import { createIndexCaches } from '../src/index-caches.ts';
import { createSegmentIndex } from '../src/segment-index.ts';
import { openSpecDatabase } from './spec-database.ts';
import { SPEC_ANALYSER } from './spec-analyser.ts';

function fail(error: unknown): never {
  throw error;
}

async function open(pageCacheMaxBytes: number) {
  const { app, worker, close } = await openSpecDatabase();
  const limits = {
    segmentsPerTier: 2,
    mergeAtOnceMax: 10,
    mergedChunksMax: 10_000,
    mergedBytesMax: 1_000_000,
    deletedShareMax: 0,
    tombstoneRetentionMs: 3_600_000,
  };
  const merger = createMerger({ analyser: SPEC_ANALYSER, database: worker, onError: fail, limits });
  return {
    index: createSegmentIndex({
      analyser: SPEC_ANALYSER,
      caches: createIndexCaches({ pageMaxBytes: pageCacheMaxBytes }),
    }),
    database: app,
    settle: async (memory: { tenantId: string; memoryId: string }) => {
      while ((await merger.mergeOnce(memory)) !== null);
    },
    close,
  };
}

describeSearchIndex('the segment index', () => open(64 * 1024 * 1024));
describeSearchIndex('the segment index without a cache to speak of', () => open(1));
