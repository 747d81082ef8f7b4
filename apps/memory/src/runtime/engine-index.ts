import type { Outbound } from '@cairn/outbound';
import type { Database } from '@cairn/postgres';
import type { SearchIndex } from '@cairn/search-index';
import { closeInReverse, type Logger, type Running } from '@cairn/service-kit';
import type { ManagedSearch } from '../memories/managed-search.ts';
import { manageSearch } from '../opensearch/manage-search.ts';
import { clusterIndexRegister } from '../opensearch/cluster-index-register.ts';
import { createOpenSearchIndex } from '../opensearch/open-search-index.ts';
import { createPlacedIndex } from '../opensearch/placed-index.ts';
import { parseSearchAddress } from '../opensearch/search-address.ts';
import { absentCluster, createSearchCluster } from '../opensearch/search-cluster.ts';
import { createSearchIndexer } from '../opensearch/search-indexer.ts';
import { startSearchPlacementWorker } from '../opensearch/search-placement-worker.ts';

interface EngineIndexDeps {
  segments: SearchIndex;
  database: Database;
  workerDatabase: Database;
  /** For addresses of the operator's configuration. */
  outbound: Outbound;
  logger: Logger;
}

/** The index of an engine, and what keeps it up to date. */
interface EngineIndex extends Running {
  index: SearchIndex;
  /** Null without a search engine. */
  search: ManagedSearch | null;
}

/** Segments in PostgreSQL, and beside them OpenSearch where the operator has named a cluster for the engine. */
export function startEngineIndex(searchUrl: string | null, deps: EngineIndexDeps): EngineIndex {
  const { segments, database, workerDatabase, logger } = deps;
  const address = searchUrl === null ? null : parseSearchAddress(searchUrl);
  const register = clusterIndexRegister(workerDatabase);
  const cluster = address === null ? absentCluster() : createSearchCluster(address, deps.outbound, register);
  const keepsSegments = address?.keepsSegments ?? false;
  const onError = (error: unknown) => logger.warn({ err: error }, 'opensearch: sending changes failed; retrying');
  const onFallback = (error: unknown) =>
    logger.warn({ err: error }, 'opensearch: a search was answered from the segments in PostgreSQL');
  const indexer = createSearchIndexer({ database, workerDatabase, cluster, onError });
  const openSearch = createOpenSearchIndex(cluster, indexer, register);
  const begins = { phase: address === null ? 'segments' : 'serving', keepsSegments } as const;
  const index = createPlacedIndex({ database, segments, openSearch, begins, onFallback });
  if (address === null) return { index, search: null, close: async () => undefined };
  const mover = startSearchPlacementWorker({ database, workerDatabase, segments, openSearch, onError });
  indexer.start();
  const wake = () => {
    indexer.wake();
    mover.wake();
  };
  return {
    index,
    search: { manage: (memory, action) => manageSearch({ database, cluster, keepsSegments, wake }, memory, action) },
    close: closeInReverse([cluster, indexer, mover]).close,
  };
}
