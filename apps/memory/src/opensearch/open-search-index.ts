import { LRUCache } from 'lru-cache';
import type { SearchIndex } from '../memories/search-index.ts';
import { findHits } from './find-hits.ts';
import { forgetAllChanges, noteChanges } from './search-changes.ts';
import type { SearchCluster } from './search-cluster.ts';
import type { SearchIndexer } from './search-indexer.ts';
import type { KnownLanguages } from './search-statistics.ts';

const LANGUAGES_KEPT_MAX = 10_000;

/**
 * The index of the largest memories, in OpenSearch. PostgreSQL has the chunks; `add` and `remove` note in the
 * caller's transaction which ones changed, and the indexer sends what they are by then. So a search does not see
 * what its own transaction has written, and after a commit only once `publish` has resolved.
 */
export function createOpenSearchIndex(cluster: SearchCluster, indexer: SearchIndexer): SearchIndex {
  const languages: KnownLanguages = new LRUCache({ max: LANGUAGES_KEPT_MAX });
  return {
    async add(tx, memory, chunks) {
      const ids = chunks.map((chunk) => chunk.chunkId);
      if (new Set(ids).size < ids.length) throw new RangeError('a chunk is added twice');
      await noteChanges(tx, memory, ids);
      indexer.wake();
    },
    async remove(tx, memory, chunkIds) {
      await noteChanges(tx, memory, [...new Set(chunkIds)]);
      indexer.wake();
    },
    async drop(tx, memory) {
      await forgetAllChanges(tx, memory);
      return cluster.deleteMemory(memory);
    },
    expunge: async () => new Date(),
    async expunged(_tx, memory) {
      await indexer.publish(memory);
      await cluster.expunge();
      return true;
    },
    search: (snapshot, memory, query) => findHits({ cluster, languages }, snapshot, memory, query),
    publish: (memory) => indexer.publish(memory),
  };
}
