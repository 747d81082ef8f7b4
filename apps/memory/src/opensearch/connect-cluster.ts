import type { Client } from '@opensearch-project/opensearch';
import { CairnError } from '@cairn/errors';
import type { Outbound } from '@cairn/outbound';
import type { ClusterIndexRegister } from './cluster-index-register.ts';
import type { SearchAddress } from './search-address.ts';

/** The client of a cluster, and the index there. */
export interface ConnectedCluster {
  index: string;
  /** Finds the index or creates it; resolves to its identity. */
  prepare(): Promise<string>;
  /** Before the next request. */
  lookAgain(): void;
  /** Throws `unavailable` for whatever fails. */
  request<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** For what an answer says went wrong in part. */
  refuse(error: { type: string; reason: string }): never;
  close(): Promise<void>;
}

interface Opened {
  client: Client;
  uuid: string;
  /** Than this process used before. */
  isAnother: boolean;
}

interface ConnectOptions {
  address: SearchAddress;
  outbound: Outbound;
  /** Of a request. */
  longestMs: number;
  register: ClusterIndexRegister;
}

/** Another one may have taken its place without a request that failed. */
const LOOKED_UP_EVERY_MS = 60_000;
const RETRY_AFTER_SECONDS = 2;
const INDEX_MISSING = 'index_not_found_exception';

export function connect({ address, outbound, longestMs, register }: ConnectOptions): ConnectedCluster {
  let opened: Client | null = null;
  let prepared: { opened: Promise<Opened>; isOpen: boolean; until: number } | null = null;
  let usedUuid: string | null = null;
  let isClosed = false;
  const open = async (): Promise<Opened> => {
    // 550 modules, which most installations need none of.
    const modules = await import('./open-client.ts');
    if (isClosed) throw new Error('the connection to the cluster is closed');
    opened ??= modules.openClient(address, outbound, longestMs);
    const client = opened;
    const find = () => modules.findIndex(client, address);
    const create = () => modules.createIndex(client, address);
    const uuid = await lookUp(find, create, register);
    const isAnother = usedUuid !== null && usedUuid !== uuid;
    usedUuid = uuid;
    return { client, uuid, isAnother };
  };
  const prepare = () => {
    if (prepared !== null && performance.now() <= prepared.until) return prepared;
    const begun = { opened: open(), isOpen: false, until: performance.now() + LOOKED_UP_EVERY_MS };
    prepared = begun;
    begun.opened.then(
      () => {
        begun.isOpen = true;
      },
      () => {
        if (prepared === begun) prepared = null;
      },
    );
    return begun;
  };
  /** Who asks while the index is looked up has read what was known of the one before. */
  const clientOf = async (): Promise<Client> => {
    const { opened: opening, isOpen } = prepare();
    const { client, isAnother } = await opening;
    if (isAnother && !isOpen) throw unavailable(new Error(`${address.indexName} is another index than before`));
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
    prepare: () => forgetting(async () => (await prepare().opened).uuid),
    lookAgain() {
      prepared = null;
    },
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

/** The index that is there, or else a new one, once it is known what was lost with the one before. */
async function lookUp(
  find: () => Promise<string | null>,
  create: () => Promise<void>,
  register: ClusterIndexRegister,
): Promise<string> {
  const seen = await find();
  if (seen !== null && seen === (await register.known())) return seen;
  return register.alone(async () => {
    const found = await find();
    await register.note(found);
    if (found !== null) return found;
    await create();
    const made = await find();
    if (made === null) throw new Error('the index was created, and its alias is not there');
    await register.note(made);
    return made;
  });
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

/** The error for the caller. The client's own errors contain the request, including its credentials. */
export function unavailable(error: unknown): CairnError {
  if (error instanceof CairnError) return error;
  const { name, message } = error as Error;
  return new CairnError('unavailable', 'Search in this memory is unavailable right now.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: `OpenSearch: ${name}: ${message}`,
  });
}
