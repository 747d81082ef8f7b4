import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

export const variables = {
  ...serviceVariables,
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
  ingestQueueMax: variable(
    'CAIRN_INGEST_QUEUE_MAX',
    z.coerce.number().int().min(100).default(50_000),
    'Documents of one tenant that may wait; more are refused with 429.',
  ),
};

export type Config = ConfigOf<typeof variables>;
