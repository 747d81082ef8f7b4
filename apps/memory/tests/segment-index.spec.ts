import { createMerger, createSegmentIndex, MERGE_LIMITS } from '@cairn/search-index';
import { describeSearchIndex } from '@cairn/search-index/conformance';
import { isSettled, wasRefusedAsMoving } from '../src/memories/moving-memories.ts';
import { ANALYSER } from '../src/text/analyser.ts';
import { openSpecDatabase } from './spec-database.ts';

function fail(error: unknown): never {
  throw error;
}

describeSearchIndex("the segment index with memory's analyser", async () => {
  const { app, worker, close } = await openSpecDatabase();
  const merger = createMerger({
    database: worker,
    analyser: ANALYSER,
    permission: { condition: isSettled, isRefusal: wasRefusedAsMoving },
    limits: { ...MERGE_LIMITS, segmentsPerTier: 2, deletedShareMax: 0 },
    onError: fail,
  });
  return {
    index: createSegmentIndex({ analyser: ANALYSER }),
    database: app,
    settle: async (memory) => {
      while ((await merger.mergeOnce(memory)) !== null);
    },
    close,
  };
});
