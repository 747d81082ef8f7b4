import { outboundVariables } from '@cairn/outbound';
import {
  type ConfigOf,
  migrationVariables as commonMigrationVariables,
  serviceVariables,
  variable,
} from '@cairn/service-kit';
import { z } from 'zod';

export const variables = {
  ...serviceVariables,
  ...outboundVariables,
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1), "host:port of tenancy's gRPC server."),
  indexCacheMaxBytes: variable(
    'CAIRN_INDEX_CACHE_MAX_BYTES',
    z.coerce
      .number()
      .int()
      .min(1_048_576)
      .default(256 * 1_048_576),
    'Memory the index keeps decoded pages in.',
  ),
  enginePollMs: variable(
    'CAIRN_ENGINE_POLL_MS',
    z.coerce.number().int().min(50).default(5_000),
    'How often tenancy is asked for further engines, and for those that moved or are gone.',
  ),
  enginePoolMax: variable(
    'CAIRN_ENGINE_POOL_MAX',
    z.coerce.number().int().min(1).max(500).default(4),
    "Connections the serving pool of each further engine holds at most; DATABASE_POOL_MAX is the default engine's.",
  ),
  engineWorkerPoolMax: variable(
    'CAIRN_ENGINE_WORKER_POOL_MAX',
    z.coerce.number().int().min(2).max(500).default(3),
    'Connections the background work of each further engine holds at most, beside two that listen.',
  ),
  deletedKeepMs: variable(
    'CAIRN_DELETED_KEEP_MS',
    z.coerce.number().int().min(0).default(3_600_000),
    'Longest that words of a deleted document stay in the index before their segment is written anew.',
  ),
  eraseBudgetMs: variable(
    'CAIRN_ERASE_BUDGET_MS',
    z.coerce.number().int().min(1).max(20_000).default(2_000),
    'About how long one call of tenancy erases before it answers.',
  ),
  graphSettleMs: variable(
    'CAIRN_GRAPH_SETTLE_MS',
    z.coerce.number().int().min(0).default(5_000),
    'How long nothing must change in a memory before its communities, centrality and health are computed anew.',
  ),
  modelsFile: variable(
    'CAIRN_MODELS_FILE',
    z.string().min(1).optional(),
    'JSON file that lists model providers, language models, the embedding model and the reranker. Without it there are none.',
  ),
  modelStallMs: variable(
    'CAIRN_MODEL_STALL_MS',
    z.coerce.number().int().min(50).default(15_000),
    'Longest wait for the next piece of a streamed answer before the model counts as failed.',
  ),
  ingestQueueMax: variable(
    'CAIRN_INGEST_QUEUE_MAX',
    z.coerce.number().int().min(100).default(50_000),
    'Documents of one tenant that may wait; more are refused with 429.',
  ),
  ingestQueueMaxBytes: variable(
    'CAIRN_INGEST_QUEUE_MAX_BYTES',
    z.coerce
      .number()
      .int()
      .min(1_048_576)
      .default(4 * 1_073_741_824),
    'Bytes of waiting documents of one tenant; more are refused with 429.',
  ),
  ingestKeysFile: variable(
    'CAIRN_INGEST_KEYS_FILE',
    z.string().min(1),
    'JWK set of 256-bit oct keys. What waits to be ingested is sealed with the first and opened with any of them; all replicas share it.',
  ),
  ingestWorkers: variable(
    'CAIRN_INGEST_THREADS',
    z.coerce.number().int().min(2).max(64).optional(),
    'Worker processes that read and screen documents; one tenant has half as many as there are processors, and leaves one to the others. Default: processors less one, at least 3.',
  ),
  ingestTimeoutMs: variable(
    'CAIRN_INGEST_TIMEOUT_MS',
    z.coerce.number().int().min(100).default(30_000),
    'Processor time that reading one document may take; it fails with `reading_timed_out` then, and after ten times as long by the clock.',
  ),
  ingestMemoryMaxMb: variable(
    'CAIRN_INGEST_MEMORY_MAX_MB',
    z.coerce.number().int().min(64).default(384),
    'Heap of one such process, which may have 192 MB besides; a document that needs more fails with `needs_too_much_memory`.',
  ),
};

/** Migrating also creates the vector index of the embedding model. */
export const migrationVariables = { ...commonMigrationVariables, modelsFile: variables.modelsFile } as const;

export type Config = ConfigOf<typeof variables>;
