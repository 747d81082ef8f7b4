import { Client, errors } from '@opensearch-project/opensearch';
import type { Outbound } from '@cairn/outbound';
import { indexDefinition } from './index-definition.ts';
import { outboundConnection } from './outbound-connection.ts';
import type { SearchAddress } from './search-address.ts';

const TIMEOUT_MS = 10_000;
/** Each on another node. */
const RETRIES_MAX = 3;
const EXISTS = 'resource_already_exists_exception';

export function openClient(address: SearchAddress, outbound: Outbound, longestMs: number): Client {
  return new Client({
    nodes: address.nodes.map((url) => ({ url: new URL(url) })),
    ...(address.credentials === null ? {} : { auth: address.credentials }),
    Connection: outboundConnection(outbound, longestMs),
    maxRetries: RETRIES_MAX,
    requestTimeout: TIMEOUT_MS,
  });
}

/** Creates the index if there is none. */
export async function createIndex(client: Client, address: SearchAddress): Promise<void> {
  const index = address.indexName;
  if ((await client.indices.exists({ index })).body) return;
  const request = { index, body: indexDefinition(address) } as Parameters<Client['indices']['create']>[0];
  try {
    await client.indices.create(request);
  } catch (error) {
    if (!(error instanceof errors.ResponseError) || error.body?.error?.type !== EXISTS) throw error;
  }
}
