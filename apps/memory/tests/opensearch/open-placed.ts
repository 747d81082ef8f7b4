import { randomUUID } from 'node:crypto';
import { createSegmentIndex, type SearchIndex } from '@cairn/search-index';
import type { MemoryScope } from '../../src/memories/memory-scope.ts';
import { manageSearch } from '../../src/opensearch/manage-search.ts';
import { clusterIndexRegister } from '../../src/opensearch/cluster-index-register.ts';
import { createOpenSearchIndex } from '../../src/opensearch/open-search-index.ts';
import { createPlacedIndex } from '../../src/opensearch/placed-index.ts';
import { createSearchIndexer } from '../../src/opensearch/search-indexer.ts';
import { startSearchPlacementWorker } from '../../src/opensearch/search-placement-worker.ts';
import type { SpecDatabase } from '../spec-database.ts';
import { InMemoryCluster } from './in-memory-cluster.ts';
import { storedIndex } from './stored-index.ts';
import { ANALYSER } from '../../src/text/analyser.ts';

const LIMIT = 1_000;

/** What an engine with a cluster runs, on a cluster that the spec can break; `keepsSegments`: with `fallback=segments`. */
export function openPlaced(postgres: SpecDatabase, keepsSegments: boolean, cluster?: InMemoryCluster) {
  const register = clusterIndexRegister(postgres.worker);
  const used = cluster ?? new InMemoryCluster(register);
  const deps = { database: postgres.app, workerDatabase: postgres.worker, cluster: used };
  const failures: unknown[] = [];
  const onError = (error: unknown) => void failures.push(error);
  const indexer = createSearchIndexer({ ...deps, onError });
  const openSearch = createOpenSearchIndex(used, indexer, register);
  const segments = createSegmentIndex({ analyser: ANALYSER });
  const begins = { phase: 'serving', keepsSegments } as const;
  const onFallback = () => undefined;
  const index = createPlacedIndex({ database: postgres.app, segments, openSearch, begins, onFallback });
  const mover = startSearchPlacementWorker({ ...deps, segments, openSearch, onError });
  indexer.start();
  const wake = () => {
    indexer.wake();
    mover.wake();
  };
  const stored = storedIndex(index);
  return {
    cluster: used,
    segments,
    index: stored,
    add: (memory: MemoryScope, ...ids: string[]) => add(postgres, memory, stored, ...ids),
    find: (memory: MemoryScope) => find(postgres, memory, stored),
    manage: (memory: MemoryScope, action: Parameters<typeof manageSearch>[2]) =>
      manageSearch({ database: postgres.app, cluster: used, keepsSegments, wake }, memory, action),
    async close() {
      await mover.close();
      await indexer.close();
    },
  };
}

export function newMemory(): MemoryScope {
  return { tenantId: `ten_${randomUUID()}`, memoryId: `mem_${randomUUID()}` };
}

function chunk(chunkId: string) {
  const text = { titlePath: '', contextPrefix: '', body: 'the ferry sails' };
  return { chunkId, docId: `doc_${chunkId}`, vaultId: 'vlt_1', ...text, occurredAtMs: null, createdAtMs: 1_000 };
}

export function add(postgres: SpecDatabase, memory: MemoryScope, index: SearchIndex, ...ids: string[]) {
  return postgres.app.withTenant(memory.tenantId, (tx) => index.add(tx, memory, ids.map(chunk)));
}

/** The ids of what the index finds. */
export async function find(postgres: SpecDatabase, memory: MemoryScope, index: SearchIndex): Promise<string[]> {
  const hits = await postgres.app.withTenant(
    memory.tenantId,
    (tx) => index.search(tx, memory, { text: 'ferry', limit: LIMIT }),
    { mode: 'snapshot' },
  );
  return hits.map((hit) => hit.chunkId).sort();
}
