import type { Client } from '@opensearch-project/opensearch';
import type { Outbound } from '@cairn/outbound';
import type { SearchAddress } from './search-address.ts';

/** The client of a cluster, and its index. */
export interface ConnectedCluster {
  index: string;
  /** Its index is there when it resolves. */
  client(): Promise<Client>;
  close(): Promise<void>;
}

export function connect(address: SearchAddress, outbound: Outbound, longestMs: number): ConnectedCluster {
  let opened: Client | null = null;
  let prepared: Promise<Client> | null = null;
  let isClosed = false;
  const prepare = async () => {
    // 550 modules, which most installations need none of.
    const { createIndex, openClient } = await import('./open-client.ts');
    if (isClosed) throw new Error('the connection to the cluster is closed');
    opened ??= openClient(address, outbound, longestMs);
    await createIndex(opened, address);
    return opened;
  };
  return {
    index: address.indexName,
    client() {
      prepared ??= prepare().catch((error: unknown) => {
        prepared = null;
        throw error;
      });
      return prepared;
    },
    async close() {
      isClosed = true;
      await opened?.close();
    },
  };
}
