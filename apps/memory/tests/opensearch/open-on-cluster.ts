import { createOutbound } from '@cairn/outbound';
import type { IndexUnderTest } from '@cairn/search-index/conformance';
import type { OpenSearchCluster } from '@cairn/testing';
import { clusterIndexRegister } from '../../src/opensearch/cluster-index-register.ts';
import { createOpenSearchIndex } from '../../src/opensearch/open-search-index.ts';
import { parseSearchAddress } from '../../src/opensearch/search-address.ts';
import { createSearchCluster, type SearchCluster } from '../../src/opensearch/search-cluster.ts';
import { createSearchIndexer } from '../../src/opensearch/search-indexer.ts';
import { openSpecDatabase, type SpecDatabase } from '../spec-database.ts';
import { storedIndex } from './stored-index.ts';

export interface OpenedOnCluster extends IndexUnderTest {
  cluster: SearchCluster;
  postgres: SpecDatabase;
  /** Failures of the indexer's background work. */
  failures: unknown[];
}

/** The adapter on a real cluster and a real PostgreSQL. */
export async function openOnCluster(nodes: OpenSearchCluster, name: string, spread = 1): Promise<OpenedOnCluster> {
  const postgres = await openSpecDatabase();
  const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'spec' });
  const url = `opensearch+http://${nodes.hosts.join(',')}/${name}?shards=3&replicas=1&spread=${spread}`;
  const register = clusterIndexRegister(postgres.worker);
  const cluster = createSearchCluster(parseSearchAddress(url)!, outbound, register);
  const failures: unknown[] = [];
  const indexer = createSearchIndexer({
    database: postgres.app,
    workerDatabase: postgres.worker,
    cluster,
    onError: (error) => failures.push(error),
  });
  indexer.start();
  return {
    index: storedIndex(createOpenSearchIndex(cluster, indexer, register)),
    database: postgres.app,
    cluster,
    postgres,
    failures,
    settle: (memory) => indexer.publish(memory),
    async close() {
      await indexer.close();
      await cluster.close();
      await outbound.close();
      await postgres.close();
    },
  };
}
