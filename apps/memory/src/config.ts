import { outboundVariables } from '@cairn/outbound';
import {
  type ConfigOf,
  databaseUrl,
  migrationVariables as commonMigrationVariables,
  serviceVariables,
  variable,
} from '@cairn/service-kit';
import { z } from 'zod';
import { parseSearchAddress } from './opensearch/search-address.ts';

export const variables = {
  ...serviceVariables,
  ...outboundVariables,
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1), "host:port of tenancy's gRPC server."),
  databaseReplicaUrl: variable(
    'DATABASE_REPLICA_URL',
    databaseUrl.optional(),
    'Streaming replicas of the PostgreSQL server of `DATABASE_URL`, as the same role; every host is one of them. Searches, lists and other reads use them whenever they have replayed what was committed before.',
  ),
  indexCacheMaxBytes: variable(
    'CAIRN_INDEX_CACHE_MAX_BYTES',
    z.coerce
      .number()
      .int()
      .min(1_048_576)
      .default(256 * 1_048_576),
    'Size of the cache of decoded index pages.',
  ),
  graphCacheMaxBytes: variable(
    'CAIRN_GRAPH_CACHE_MAX_BYTES',
    z.coerce
      .number()
      .int()
      .min(1_048_576)
      .default(160 * 1_048_576),
    'Size of the cache of graphs that were explored; those of one tenant take half of it at most. A graph takes about 24 bytes for a link and 200 for a name; one that does not fit is explored by SQL.',
  ),
  enginePollMs: variable(
    'CAIRN_ENGINE_POLL_MS',
    z.coerce.number().int().min(50).default(5_000),
    'How often the directory of engines is fetched from tenancy.',
  ),
  enginePoolMax: variable(
    'CAIRN_ENGINE_POOL_MAX',
    z.coerce.number().int().min(1).max(500).default(4),
    'Connections that the request pool of each additional engine holds at most; DATABASE_POOL_MAX applies to the default engine.',
  ),
  engineWorkerPoolMax: variable(
    'CAIRN_ENGINE_WORKER_POOL_MAX',
    z.coerce.number().int().min(2).max(500).default(3),
    'Connections that the background work of each additional engine holds at most, besides two for LISTEN.',
  ),
  openSearchUrl: variable(
    'CAIRN_OPENSEARCH_URL',
    z
      .string()
      .refine((text) => parseSearchAddress(text) !== null, { error: 'must be an opensearch:// URL' })
      .optional(),
    'OpenSearch cluster for the lexical index of new memories on the default engine: opensearch://user:password@host:9200/index, `opensearch+http` without TLS. Other engines get theirs by `cairn operator engine add --search`.',
  ),
  tombstoneRetentionMs: variable(
    'CAIRN_DELETED_KEEP_MS',
    z.coerce.number().int().min(0).default(3_600_000),
    'Longest time that words of a deleted document stay in the index before their segment is rebuilt.',
  ),
  eraseBudgetMs: variable(
    'CAIRN_ERASE_BUDGET_MS',
    z.coerce.number().int().min(1).max(20_000).default(2_000),
    'About how long one EraseScope call of tenancy works before it returns.',
  ),
  graphSettleMs: variable(
    'CAIRN_GRAPH_SETTLE_MS',
    z.coerce.number().int().min(0).default(5_000),
    'How long a memory must be unchanged before its communities, centrality and health are recomputed.',
  ),
  modelsFile: variable(
    'CAIRN_MODELS_FILE',
    z.string().min(1).optional(),
    'JSON file that lists model providers, language models, the embedding model and the reranker. Without it no models are used.',
  ),
  modelStallMs: variable(
    'CAIRN_MODEL_STALL_MS',
    z.coerce.number().int().min(50).default(15_000),
    'Longest wait for the next chunk of a streamed model response before the call counts as failed.',
  ),
  embeddingTimeoutMs: variable(
    'CAIRN_EMBEDDING_TIMEOUT_MS',
    z.coerce.number().int().min(50).max(60_000).default(3_000),
    "Longest a search waits for its question's embedding before it goes on without.",
  ),
  rerankerTimeoutMs: variable(
    'CAIRN_RERANKER_TIMEOUT_MS',
    z.coerce.number().int().min(50).max(60_000).default(4_000),
    'Longest a search waits for the reranker before it keeps its own order.',
  ),
  answerTimeoutMs: variable(
    'CAIRN_ANSWER_TIMEOUT_MS',
    z.coerce.number().int().min(1_000).max(240_000).default(45_000),
    'Longest a language model may take for one answer before the search ends with what is there, or with an extractive answer.',
  ),
  ingestQueueMax: variable(
    'CAIRN_INGEST_QUEUE_MAX',
    z.coerce.number().int().min(100).default(50_000),
    'Documents of one tenant that may wait in the queue; more are rejected with 429.',
  ),
  ingestQueueMaxBytes: variable(
    'CAIRN_INGEST_QUEUE_MAX_BYTES',
    z.coerce
      .number()
      .int()
      .min(1_048_576)
      .default(4 * 1_073_741_824),
    'Bytes of documents of one tenant that may wait in the queue; more are rejected with 429.',
  ),
  ingestKeysFile: variable(
    'CAIRN_INGEST_KEYS_FILE',
    z.string().min(1),
    'JWK set of 256-bit oct keys. Queued documents are encrypted with the first and decrypted with any of them; all replicas share it.',
  ),
  ingestWorkers: variable(
    'CAIRN_INGEST_THREADS',
    z.coerce.number().int().min(2).max(64).optional(),
    'Worker processes that parse, screen and read documents. One tenant gets at most half as many as there are processors, and leaves one to the others. Default: processors minus one, at least 3.',
  ),
  failedContentRetentionDays: variable(
    'CAIRN_FAILED_CONTENT_KEEP_DAYS',
    z.coerce.number().int().min(0).max(365).default(7),
    'How long the submitted text or file of a document that failed is kept, encrypted, so that it can be tried again. With 0 it is deleted when the document fails.',
  ),
  ingestTimeoutMs: variable(
    'CAIRN_INGEST_TIMEOUT_MS',
    z.coerce.number().int().min(100).default(30_000),
    'Processor time that parsing one document may take, after which it fails with `reading_timed_out`; it also fails after ten times that in wall-clock time.',
  ),
  ingestMemoryMaxMb: variable(
    'CAIRN_INGEST_MEMORY_MAX_MB',
    z.coerce.number().int().min(64).default(384),
    'Heap of one such process, which may use 192 MB in addition; a document that needs more fails with `needs_too_much_memory`. Of both, the model that reads documents for the graph takes 90 MB.',
  ),
};

/** Migrating also creates the vector index of the embedding model. */
export const migrationVariables = { ...commonMigrationVariables, modelsFile: variables.modelsFile } as const;

export type Config = ConfigOf<typeof variables>;
