import { createOutbound } from '@cairn/outbound';
import type { IndexHit, SearchIndex } from '@cairn/search-index';
import { type OpenSearchCluster, startOpenSearchCluster } from '@cairn/testing';
import type { MemoryScope } from '../../../../../apps/memory/src/memories/memory-scope.ts';
import { clusterIndexRegister } from '../../../../../apps/memory/src/opensearch/cluster-index-register.ts';
import { createOpenSearchIndex } from '../../../../../apps/memory/src/opensearch/open-search-index.ts';
import { parseSearchAddress } from '../../../../../apps/memory/src/opensearch/search-address.ts';
import { createSearchCluster } from '../../../../../apps/memory/src/opensearch/search-cluster.ts';
import { createSearchIndexer, type SearchIndexer } from '../../../../../apps/memory/src/opensearch/search-indexer.ts';
import { type BenchDeps, openBenchDeps } from '../bench-memory.ts';
import { type BenchServer, startBenchServer } from '../bench-server.ts';

export const INDEX = 'bench';
export const NAMES = ['segments', 'openSearch'] as const;
export type IndexName = (typeof NAMES)[number];

/** Our index and OpenSearch on three nodes, over the same rows. */
export interface BenchSetup {
  server: BenchServer;
  deps: BenchDeps;
  nodes: OpenSearchCluster;
  indexer: SearchIndexer;
  /** Writes to both. */
  both: SearchIndex;
  find(index: IndexName, memory: MemoryScope, text: string, limit: number): Promise<IndexHit[]>;
  close(): Promise<void>;
}

export async function startBenchSetup(classPath: string, say: (line: string) => void): Promise<BenchSetup> {
  const server = await startBenchServer();
  const nodes = await startOpenSearchCluster(classPath, 'measuring');
  const deps = await openBenchDeps(server.urls);
  const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'bench' });
  const url = `opensearch+http://${nodes.hosts.join(',')}/${INDEX}?shards=3&spread=2`;
  const register = clusterIndexRegister(deps.worker);
  const cluster = createSearchCluster(parseSearchAddress(url)!, outbound, register);
  const onError = (error: unknown) => say(`indexer: ${String(error)}`);
  const indexer = createSearchIndexer({ database: deps.app, workerDatabase: deps.worker, cluster, onError });
  indexer.start();
  const indexes = { segments: deps.index, openSearch: createOpenSearchIndex(cluster, indexer, register) };
  return {
    server,
    deps,
    nodes,
    indexer,
    both: {
      ...indexes.openSearch,
      async add(tx, memory, chunks) {
        for (const name of NAMES) await indexes[name].add(tx, memory, chunks);
      },
    },
    find: (name, memory, text, limit) =>
      deps.app.withTenant(memory.tenantId, (tx) => indexes[name].search(tx, memory, { text, limit }), {
        mode: 'snapshot',
      }),
    async close() {
      await indexer.close();
      await cluster.close();
      await outbound.close();
      await deps.close();
      await nodes.close();
      await server.remove();
    },
  };
}
