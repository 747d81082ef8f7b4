import { Client, errors } from '@opensearch-project/opensearch';
import type { Outbound } from '@cairn/outbound';
import { indexDefinition } from './index-definition.ts';
import { outboundConnection } from './outbound-connection.ts';
import type { SearchAddress } from './search-address.ts';

const TIMEOUT_MS = 10_000;
/** Each on another node. */
const RETRIES_MAX = 3;
const EXISTS = 'resource_already_exists_exception';
const MISSING = 'index_not_found_exception';

export function openClient(address: SearchAddress, outbound: Outbound, longestMs: number): Client {
  return new Client({
    nodes: address.nodes.map((url) => ({ url: new URL(url) })),
    ...(address.credentials === null ? {} : { auth: address.credentials }),
    Connection: outboundConnection(outbound, longestMs),
    maxRetries: RETRIES_MAX,
    requestTimeout: TIMEOUT_MS,
  });
}

/**
 * The identity of the index, null when there is none. Its name is an alias: a cluster creates indexes of any name by
 * itself, with fields of its own choice, but no alias.
 */
export async function findIndex(client: Client, { indexName }: SearchAddress): Promise<string | null> {
  const answer = await client.indices.getSettings({ index: indexName }).catch((error: unknown) => {
    // Another 404 may be a proxy's.
    if (isRefusal(error, MISSING)) return null;
    throw error;
  });
  if (answer === null) return null;
  const found = Object.entries(answer.body);
  const [name, settings] = found[0] ?? [];
  if (found.length !== 1 || name === indexName) throw new Error(`${indexName} is not an alias of one index`);
  return (settings as { settings: { index: { uuid: string } } }).settings.index.uuid;
}

/** Creates the index, unless another process has done that meanwhile. */
export async function createIndex(client: Client, address: SearchAddress): Promise<void> {
  const body = { ...indexDefinition(address), aliases: { [address.indexName]: {} } };
  const request = { index: `${address.indexName}-1`, body } as Parameters<Client['indices']['create']>[0];
  try {
    await client.indices.create(request);
  } catch (error) {
    if (!isRefusal(error, EXISTS)) throw error;
  }
}

function isRefusal(error: unknown, type: string): boolean {
  return error instanceof errors.ResponseError && error.body?.error?.type === type;
}
