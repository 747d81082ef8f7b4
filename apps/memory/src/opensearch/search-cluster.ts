import { Client, errors } from '@opensearch-project/opensearch';
import { CairnError } from '@cairn/errors';
import type { Outbound } from '@cairn/outbound';
import type { MemoryScope } from '../memories/memory-scope.ts';
import type { ChunkRecord } from './chunk-record.ts';
import { indexDefinition } from './index-definition.ts';
import { outboundConnection } from './outbound-connection.ts';
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
  /** Creates the index if there is none. */
  prepare(): Promise<void>;
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

const TIMEOUT_MS = 10_000;
/** A bulk request waits for the next refresh, and writes on several nodes. */
const WRITE_TIMEOUT_MS = 60_000;
const RETRY_AFTER_SECONDS = 2;
const RETRIES_MAX = 3;
const DELETED_AT_ONCE = 20_000;
const EXISTS = 'resource_already_exists_exception';

export function createSearchCluster(address: SearchAddress, outbound: Outbound): SearchCluster {
  const client = new Client({
    nodes: address.nodes.map((url) => ({ url: new URL(url) })),
    ...(address.credentials === null ? {} : { auth: address.credentials }),
    Connection: outboundConnection(outbound, WRITE_TIMEOUT_MS),
    maxRetries: RETRIES_MAX,
    requestTimeout: TIMEOUT_MS,
  });
  const index = address.indexName;
  let prepared: Promise<void> | null = null;

  const search = async (memory: MemoryScope, body: Clause, querystring: Clause, signal?: AbortSignal) => {
    await prepare();
    signal?.throwIfAborted();
    const asked = client.search({
      index,
      body,
      routing: routingOf(memory),
      // Part of the shards would be part of the hits.
      allow_partial_search_results: false,
      ...querystring,
    } as Parameters<Client['search']>[0]);
    const stop = () => void (asked as unknown as { abort(): void }).abort();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return (await asked).body as unknown as SearchAnswer;
    } catch (error) {
      signal?.throwIfAborted();
      throw unavailable(error);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  };

  function prepare(): Promise<void> {
    prepared ??= create().catch((error: unknown) => {
      prepared = null;
      throw unavailable(error);
    });
    return prepared;
  }

  async function create(): Promise<void> {
    if ((await client.indices.exists({ index })).body) return;
    try {
      await client.indices.create({ index, body: indexDefinition(address) } as Parameters<
        Client['indices']['create']
      >[0]);
    } catch (error) {
      if (!(error instanceof errors.ResponseError) || error.body?.error?.type !== EXISTS) throw error;
    }
  }

  return {
    prepare,
    async write(memory, version, changes) {
      await prepare();
      const lines = changes.flatMap(({ chunkId, record }): object[] => {
        const target = {
          _id: recordIdOf(memory, chunkId),
          routing: routingOf(memory),
          version,
          version_type: 'external',
        };
        return record === null ? [{ delete: target }] : [{ index: target }, record];
      });
      const bulk = client.bulk({ index, refresh: 'wait_for', body: lines } as Parameters<Client['bulk']>[0], {
        requestTimeout: WRITE_TIMEOUT_MS,
      });
      const { body } = await bulk.catch((error: unknown) => {
        throw unavailable(error);
      });
      const items = body.items as { index?: BulkItem; delete?: BulkItem }[];
      const outdated = new Set<string>();
      for (const [at, item] of items.entries()) {
        const { status, error } = (item.index ?? item.delete)!;
        if (status === 409) outdated.add(changes[at]!.chunkId);
        else if (error !== undefined && status !== 404) throw unavailable(new Error(`${error.type}: ${error.reason}`));
      }
      return outdated;
    },
    async aggregate(memory, filters, aggregations, signal) {
      const body = { size: 0, track_total_hits: true, query: onlyOf(memory, filters), aggs: aggregations };
      const answer = await search(memory, body, { request_cache: true }, signal);
      return { chunkCount: answer.hits.total!.value, aggregations: answer.aggregations ?? {} };
    },
    async find(memory, filters, { clauses, rescore, depth, limit, signal }) {
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
      return (await search(memory, body, {}, signal)).hits.hits.map((hit) => ({
        chunkId: hit.fields!['chunk']![0]!,
        docId: hit.fields!['doc']![0]!,
        language: hit.fields!['language']![0]!,
        score: hit._score,
      }));
    },
    async list(memory, afterChunkId, limit) {
      const body = {
        size: limit,
        track_total_hits: false,
        _source: false,
        docvalue_fields: ['chunk', 'vault'],
        query: onlyOf(memory, [{ range: { chunk: { gt: afterChunkId } } }]),
        sort: [{ chunk: 'asc' }],
      };
      return (await search(memory, body, {})).hits.hits.map((hit) => ({
        chunkId: hit.fields!['chunk']![0]!,
        vaultId: hit.fields!['vault']![0]!,
      }));
    },
    async deleteMemory(memory) {
      await prepare();
      const request = {
        index,
        routing: routingOf(memory),
        conflicts: 'proceed',
        refresh: true,
        max_docs: DELETED_AT_ONCE,
        body: { query: onlyOf(memory, []) },
      };
      try {
        await client.deleteByQuery(request as Parameters<Client['deleteByQuery']>[0], {
          requestTimeout: WRITE_TIMEOUT_MS,
        });
      } catch (error) {
        throw unavailable(error);
      }
      const { hits } = await search(memory, { size: 0, track_total_hits: true, query: onlyOf(memory, []) }, {});
      return hits.total!.value === 0;
    },
    async expunge() {
      try {
        await client.indices.forcemerge({ index, only_expunge_deletes: true }, { requestTimeout: WRITE_TIMEOUT_MS });
      } catch (error) {
        throw unavailable(error);
      }
    },
    async close() {
      await client.close();
    },
  };
}

interface BulkItem {
  status: number;
  error?: { type: string; reason: string };
}

interface SearchAnswer {
  hits: {
    total?: { value: number };
    hits: { _score: number; fields?: Record<string, string[]> }[];
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
  const refuse = () => Promise.reject(unavailable(new Error('the engine has no opensearch:// URL')));
  return {
    prepare: refuse,
    write: refuse,
    aggregate: refuse,
    find: refuse,
    list: refuse,
    deleteMemory: refuse,
    expunge: refuse,
    close: async () => undefined,
  };
}

function unavailable(error: unknown): CairnError {
  if (error instanceof CairnError) return error;
  // The client's own errors carry the request, and with it the credentials.
  const { name, message } = error as Error;
  return new CairnError('unavailable', 'Search in this memory is unavailable right now.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: `OpenSearch: ${name}: ${message}`,
  });
}
