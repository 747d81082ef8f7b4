import type { Client } from '@opensearch-project/opensearch';
import { CairnError } from '@cairn/errors';
import type { Outbound } from '@cairn/outbound';
import type { SearchAddress } from './search-address.ts';

/** The client of a cluster, and the index there. */
export interface ConnectedCluster {
  index: string;
  /** Finds the index or creates it. */
  prepare(): Promise<void>;
  /** Throws `unavailable` for whatever fails. */
  request<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** For what an answer says went wrong in part. */
  refuse(error: { type: string; reason: string }): never;
  close(): Promise<void>;
}

/**
 * Told of the index that is used from now on, before it is; null: there is none, and it will be created. Resolves to
 * whether it is another one than was known.
 */
export type OnIndex = (uuid: string | null) => Promise<boolean>;

interface Opened {
  client: Client;
  isAnother: boolean;
}

interface ConnectOptions {
  address: SearchAddress;
  outbound: Outbound;
  /** Of a request. */
  longestMs: number;
  onIndex: OnIndex;
}

/** Another one may have taken its place without a request that failed. */
const LOOKED_UP_EVERY_MS = 60_000;
const RETRY_AFTER_SECONDS = 2;
const INDEX_MISSING = 'index_not_found_exception';

export function connect({ address, outbound, longestMs, onIndex }: ConnectOptions): ConnectedCluster {
  let opened: Client | null = null;
  let prepared: { opened: Promise<Opened>; isOpen: boolean; until: number } | null = null;
  let usedUuid: string | null = null;
  let isClosed = false;
  const open = async (): Promise<Opened> => {
    // 550 modules, which most installations need none of.
    const { findIndex, createIndex, openClient } = await import('./open-client.ts');
    if (isClosed) throw new Error('the connection to the cluster is closed');
    opened ??= openClient(address, outbound, longestMs);
    let uuid = await findIndex(opened, address);
    let isAnother = await onIndex(uuid);
    if (uuid === null) {
      await createIndex(opened, address);
      uuid = await findIndex(opened, address);
      if (uuid === null) throw new Error(`the index was created, and there is no ${address.indexName}`);
      isAnother = (await onIndex(uuid)) || isAnother;
    }
    isAnother ||= usedUuid !== null && usedUuid !== uuid;
    usedUuid = uuid;
    return { client: opened, isAnother };
  };
  const prepare = (): Promise<Opened> => {
    if (prepared === null || performance.now() > prepared.until) {
      const begun = { opened: open(), isOpen: false, until: performance.now() + LOOKED_UP_EVERY_MS };
      begun.opened.then(
        () => (begun.isOpen = true),
        () => undefined,
      );
      prepared = begun;
    }
    return prepared.opened;
  };
  /** Who asks while the index is looked up has read what was known of the one before. */
  const clientOf = async (): Promise<Client> => {
    const wasOpen = prepared?.isOpen === true;
    const { client, isAnother } = await prepare();
    if (isAnother && !wasOpen) throw unavailable(new Error(`${address.indexName} is another index than before`));
    return client;
  };
  const forgetting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (isDoubtful(error)) prepared = null;
      throw unavailable(error);
    }
  };
  return {
    index: address.indexName,
    prepare: () => forgetting(async () => void (await prepare())),
    request: (work) => forgetting(async () => work(await clientOf())),
    refuse({ type, reason }) {
      if (type === INDEX_MISSING) prepared = null;
      throw unavailable(new Error(`${type}: ${reason}`));
    },
    async close() {
      isClosed = true;
      await opened?.close();
    },
  };
}

/** Whether the index may not be there any more. Other answers that are errors say nothing against it. */
function isDoubtful(error: unknown): boolean {
  const { name, statusCode, body } = error as FailedRequest;
  if (error instanceof CairnError || name === 'RequestAbortedError') return false;
  return statusCode === undefined || body?.error?.type === INDEX_MISSING;
}

/** As the client throws them, without its modules. */
interface FailedRequest {
  name: string;
  statusCode?: number;
  body?: { error?: { type?: string } };
}

/** What the caller is told: the client's own errors carry the request, and with it the credentials. */
export function unavailable(error: unknown): CairnError {
  if (error instanceof CairnError) return error;
  const { name, message } = error as Error;
  return new CairnError('unavailable', 'Search in this memory is unavailable right now.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: `OpenSearch: ${name}: ${message}`,
  });
}
