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
  let opened: Promise<Client> | null = null;
  let prepared: Promise<Client> | null = null;
  const open = async () => {
    // 550 modules, which most installations need none of.
    const { openClient } = await import('./open-client.ts');
    return openClient(address, outbound, longestMs);
  };
  const prepare = async () => {
    const { createIndex } = await import('./open-client.ts');
    const client = await (opened ??= open());
    await createIndex(client, address);
    return client;
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
      await (await opened)?.close();
    },
  };
}
