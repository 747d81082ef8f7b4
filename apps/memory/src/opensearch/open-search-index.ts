import { setTimeout as sleep } from 'node:timers/promises';
import type { SearchIndex } from '@cairn/search-index';
import { LRUCache } from 'lru-cache';
import { findHits } from './find-hits.ts';
import { clearSends, holdSends, isBeingSent } from './index-sends.ts';
import { clearAllChanges, recordChanges } from './search-changes.ts';
import { unavailable } from './connect-cluster.ts';
import type { SearchCluster } from './search-cluster.ts';
import type { SearchIndexer } from './search-indexer.ts';
import { type ClusterIndexRegister, readClusterIndex } from './cluster-index-register.ts';
import type { KnownLanguages } from './search-statistics.ts';

const CACHED_LANGUAGES_MAX = 10_000;
/** Before another look whether requests that are under way have ended. */
const SENDS_WAIT_MS = 100;

/**
 * The index of the largest memories, in OpenSearch. PostgreSQL has the chunks; `add` and `remove` note in the
 * caller's transaction which ones changed, and the indexer sends what they are by then. So a search does not see
 * what its own transaction has written, and after a commit only once `publish` has resolved.
 */
export function createOpenSearchIndex(
  cluster: SearchCluster,
  indexer: SearchIndexer,
  register: ClusterIndexRegister,
): SearchIndex {
  const languages: KnownLanguages = new LRUCache({ max: CACHED_LANGUAGES_MAX });
  const assertSame = (used: string, known: string | null) => {
    if (used === known) return;
    cluster.lookAgain();
    throw unavailable(new Error('the index is another one than before'));
  };
  return {
    async add(tx, memory, chunks) {
      const ids = chunks.map((chunk) => chunk.chunkId);
      if (new Set(ids).size < ids.length) throw new RangeError('a chunk is added twice');
      await recordChanges(tx, memory, ids);
      indexer.wake();
    },
    async remove(tx, memory, chunkIds) {
      await recordChanges(tx, memory, [...new Set(chunkIds)]);
      indexer.wake();
    },
    async drop(tx, memory) {
      // One that is under way would bring back what we delete; those that come find nothing to send.
      await holdSends(tx, memory);
      await clearAllChanges(tx, memory);
      if (await isBeingSent(tx, memory)) {
        await sleep(SENDS_WAIT_MS);
        return false;
      }
      if (!(await cluster.deleteMemory(memory))) return false;
      await clearSends(tx, memory);
      return true;
    },
    async expunge(tx) {
      const [row] = await tx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      return row!.now;
    },
    async expunged(tx, memory, mark) {
      await indexer.publish(memory);
      // The versions of what is gone are not remembered over a restart of a node.
      if (await isBeingSent(tx, memory, mark)) return false;
      await cluster.expunge();
      return true;
    },
    async search(snapshot, memory, query) {
      const uuid = await cluster.prepare();
      // Another index than the snapshot's may be empty, and the snapshot does not know yet that words were lost.
      assertSame(uuid, await readClusterIndex(snapshot));
      const hits = await findHits({ cluster, languages }, snapshot, memory, query);
      assertSame(uuid, await register.known());
      return hits;
    },
    publish: (memory) => indexer.publish(memory),
  };
}
