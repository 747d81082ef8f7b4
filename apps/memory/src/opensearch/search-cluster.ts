import type { Client } from '@opensearch-project/opensearch';
import type { Outbound } from '@cairn/outbound';
import type { MemoryScope } from '../memories/memory-scope.ts';
import type { ChunkRecord } from './chunk-record.ts';
import type { ClusterIndexRegister } from './cluster-index-register.ts';
import { connect, type ConnectedCluster, unavailable } from './connect-cluster.ts';
import type { SearchAddress } from './search-address.ts';

/** What a chunk is to become in the cluster; `record` null: gone. */
export interface ChunkChange {
  chunkId: string;
  record: ChunkRecord | null;
}

export interface FoundRecord {
  chunkId: string;
  docId: string;
  language: string;
  score: number;
}

export interface ListedRecord {
  chunkId: string;
  vaultId: string;
}

/** The query language of the cluster, as far as it is used here. */
export type Clause = Record<string, unknown>;

/** One cluster. Everything it is asked is about one memory: no request can name none, or two. */
export interface SearchCluster {
  /** Creates the index if there is none; resolves to the identity of the one that is used. */
  prepare(): Promise<string>;
  /** Has the index looked up again before the next request. */
  lookAgain(): void;
  /** Returns the ids that a later version kept from being written. Others are findable when it answers. */
  write(memory: MemoryScope, version: number, changes: readonly ChunkChange[]): Promise<Set<string>>;
  /** Counts and sums over the chunks of the memory that the filters let through. */
  aggregate(memory: MemoryScope, filters: readonly Clause[], aggregations: Clause, signal?: AbortSignal): Promise<Sums>;
  /** The best by `clauses`, their order and scores by `rescore`. */
  find(memory: MemoryScope, filters: readonly Clause[], request: FindRequest): Promise<FoundRecord[]>;
  /** The memory's chunks after one, in the order of their ids. */
  list(memory: MemoryScope, afterChunkId: string, limit: number): Promise<ListedRecord[]>;
  /** Deletes a bounded part of what it has of the memory; true when nothing is left. */
  deleteMemory(memory: MemoryScope): Promise<boolean>;
  /** Rewrites what holds deleted chunks, so that they leave the disks. */
  expunge(): Promise<void>;
  close(): Promise<void>;
}

export interface Sums {
  chunkCount: number;
  aggregations: Record<string, unknown>;
}

interface FindRequest {
  clauses: readonly Clause[];
  rescore: Clause;
  /** How many of each shard are scored exactly. */
  depth: number;
  limit: number;
  signal?: AbortSignal | undefined;
}

const WRITE_TIMEOUT_MS = 60_000;
/** A bulk request waits for the next refresh, and writes on several nodes; not for a shard that is away. */
const BULK = { requestTimeout: 30_000, maxRetries: 1 };
const BULK_SHARDS_WITHIN = '5s';
const DELETED_AT_ONCE = 20_000;

export function createSearchCluster(
  address: SearchAddress,
  outbound: Outbound,
  register: ClusterIndexRegister,
): SearchCluster {
  const connected = connect({ address, outbound, longestMs: WRITE_TIMEOUT_MS, register });
  return {
    prepare: () => connected.prepare(),
    lookAgain: () => connected.lookAgain(),
    write: (memory, version, changes) => write(connected, memory, version, changes),
    async aggregate(memory, filters, aggregations, signal) {
      const body = { size: 0, track_total_hits: true, query: onlyOf(memory, filters), aggs: aggregations };
      const answer = await search(connected, memory, { body, request_cache: true }, signal);
      return { chunkCount: answer.hits.total!.value, aggregations: answer.aggregations ?? {} };
    },
    find: (memory, filters, request) => find(connected, memory, filters, request),
    async list(memory, afterChunkId, limit) {
      const body = {
        size: limit,
        track_total_hits: false,
        _source: false,
        docvalue_fields: ['chunk', 'vault'],
        query: onlyOf(memory, [{ range: { chunk: { gt: afterChunkId } } }]),
        sort: [{ chunk: 'asc' }],
      };
      const { hits } = await search(connected, memory, { body });
      return hits.hits.map(({ fields }) => ({ chunkId: fields!['chunk']![0]!, vaultId: fields!['vault']![0]! }));
    },
    deleteMemory: (memory) => deleteMemory(connected, memory),
    async expunge() {
      const merge = { index: connected.index, only_expunge_deletes: true };
      await connected.request((client) => client.indices.forcemerge(merge, { requestTimeout: WRITE_TIMEOUT_MS }));
    },
    close: () => connected.close(),
  };
}

async function search(
  connected: ConnectedCluster,
  memory: MemoryScope,
  request: Clause,
  signal?: AbortSignal,
): Promise<SearchAnswer> {
  const searched = connected.request(async (client) => {
    signal?.throwIfAborted();
    const asked = client.search({
      index: connected.index,
      routing: routingOf(memory),
      // Part of the shards would be part of the hits.
      allow_partial_search_results: false,
      ...request,
    } as Parameters<typeof client.search>[0]);
    const stop = () => void (asked as unknown as { abort(): void }).abort();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return (await asked).body as unknown as SearchAnswer;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  });
  return searched.catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}

async function find(
  connected: ConnectedCluster,
  memory: MemoryScope,
  filters: readonly Clause[],
  { clauses, rescore, depth, limit, signal }: FindRequest,
): Promise<FoundRecord[]> {
  const body = {
    size: limit,
    track_total_hits: false,
    _source: false,
    docvalue_fields: ['chunk', 'doc', 'language'],
    query: onlyOf(memory, filters, { bool: { should: clauses, minimum_should_match: 1 } }),
    rescore: {
      window_size: depth,
      query: { query_weight: 0, rescore_query_weight: 1, rescore_query: rescore },
    },
  };
  const { hits } = await search(connected, memory, { body }, signal);
  return hits.hits.map(({ fields, [SCORE]: score }) => ({
    chunkId: fields!['chunk']![0]!,
    docId: fields!['doc']![0]!,
    language: fields!['language']![0]!,
    score,
  }));
}

async function write(
  connected: ConnectedCluster,
  memory: MemoryScope,
  version: number,
  changes: readonly ChunkChange[],
): Promise<Set<string>> {
  // The cluster would make an index for deletions alone, whatever they require: an update of what is not there is refused.
  const refused = changes.some(({ record }) => record !== null)
    ? []
    : [{ update: { _id: recordIdOf(memory, ''), routing: routingOf(memory) } }, { doc: {} }];
  const actions = changes.flatMap(({ chunkId, record }): object[] => {
    const target = { _id: recordIdOf(memory, chunkId), routing: routingOf(memory), version, version_type: 'external' };
    return record === null ? [{ delete: target }] : [{ index: target }, record];
  });
  const bulk = {
    index: connected.index,
    require_alias: true,
    refresh: 'wait_for',
    timeout: BULK_SHARDS_WITHIN,
    body: [...actions, ...refused],
  } as BulkRequest;
  const answer = await connected.request((client) => client.bulk(bulk, BULK));
  const items = answer.body.items as { index?: BulkItem; delete?: BulkItem }[];
  const outdated = new Set<string>();
  for (const [at, item] of items.slice(0, changes.length).entries()) {
    const { status, error } = (item.index ?? item.delete)!;
    if (status === 409) outdated.add(changes[at]!.chunkId);
    // A delete that finds nothing is none.
    else if (error !== undefined) connected.refuse(error);
  }
  return outdated;
}

async function deleteMemory(connected: ConnectedCluster, memory: MemoryScope): Promise<boolean> {
  const query = onlyOf(memory, []);
  const request = {
    index: connected.index,
    routing: routingOf(memory),
    conflicts: 'proceed',
    refresh: true,
    max_docs: DELETED_AT_ONCE,
    body: { query },
  } as DeleteRequest;
  await connected.request((client) => client.deleteByQuery(request, { requestTimeout: WRITE_TIMEOUT_MS }));
  const left = await search(connected, memory, { body: { size: 0, track_total_hits: true, query } });
  return left.hits.total!.value === 0;
}

/** As OpenSearch names it. */
const SCORE = '_score';

type BulkRequest = Parameters<Client['bulk']>[0];
type DeleteRequest = Parameters<Client['deleteByQuery']>[0];

interface BulkItem {
  status: number;
  error?: { type: string; reason: string };
}

interface SearchAnswer {
  hits: {
    total?: { value: number };
    hits: { [SCORE]: number; fields?: Record<string, string[]> }[];
  };
  aggregations?: Record<string, unknown>;
}

/** The filters on tenant and memory, which nothing is asked without. */
function onlyOf({ tenantId, memoryId }: MemoryScope, filters: readonly Clause[], must?: Clause): Clause {
  const filter = [{ term: { tenant: tenantId } }, { term: { memory: memoryId } }, ...filters];
  return { bool: { filter, ...(must === undefined ? {} : { must: [must] }) } };
}

function routingOf({ memoryId }: MemoryScope): string {
  return memoryId;
}

function recordIdOf({ tenantId, memoryId }: MemoryScope, chunkId: string): string {
  return `${tenantId}/${memoryId}/${chunkId}`;
}

/** Where memories are in a cluster that the configuration does not name any more. */
export function absentCluster(): SearchCluster {
  const absent = () => Promise.reject(unavailable(new Error('the engine has no opensearch:// URL')));
  return {
    prepare: absent,
    lookAgain: () => undefined,
    write: absent,
    aggregate: absent,
    find: absent,
    list: absent,
    deleteMemory: absent,
    expunge: absent,
    close: async () => undefined,
  };
}
