import { basename } from 'node:path';
import type { MemoryScope } from '../../../../../apps/memory/src/memories/memory-scope.ts';
import { BENCH_MEMORY } from '../bench-memory.ts';
import { type BenchSetup, type IndexName, NAMES } from './bench-setup.ts';
import { readSet, storeSet } from './evaluation-set.ts';
import { ndcgAt10 } from './ndcg.ts';

const LIMIT = 10;

export interface Quality {
  set: string;
  chunks: number;
  questions: number;
  ndcg: Record<IndexName, number>;
  /** Share of the questions whose ten are the same in the same order. */
  same: number;
}

/** Asks both the judged questions of a set of evaluation data, one memory for each of its scopes. */
export async function measureQuality(world: BenchSetup, folder: string): Promise<Quality> {
  const set = basename(folder);
  const memories = [...(await readSet(folder))];
  const questions = memories.reduce((sum, [, { queries }]) => sum + queries.length, 0);
  const quality: Quality = { set, chunks: 0, questions, ndcg: { segments: 0, openSearch: 0 }, same: 0 };
  for (const [scope, { chunks, queries }] of memories) {
    const memory: MemoryScope = { ...BENCH_MEMORY, memoryId: `mem_${set}_${scope}` };
    await storeSet(world.deps.app, world.both, memory, chunks);
    await world.indexer.publish(memory);
    quality.chunks += chunks.length;
    for (const { text, judgements } of queries) {
      const rankings: string[] = [];
      for (const name of NAMES) {
        const ranking = (await world.find(name, memory, text, LIMIT)).map((hit) => hit.docId);
        quality.ndcg[name] += ndcgAt10(ranking, judgements) / questions;
        rankings.push(ranking.join());
      }
      if (rankings[0] === rankings[1]) quality.same += 1 / questions;
    }
  }
  return quality;
}
