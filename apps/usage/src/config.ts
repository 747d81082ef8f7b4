import { join } from 'node:path';
import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

const SHIPPED_PRICES = join(import.meta.dirname, '..', '..', '..', 'config', 'prices.json');

export const variables = {
  ...serviceVariables,
  pricesFile: variable(
    'CAIRN_PRICES_FILE',
    z.string().default(SHIPPED_PRICES),
    'The price book. A change holds within seconds, without a restart. Default: config/prices.json.',
  ),
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1), "host:port of tenancy's gRPC server."),
};

export type Config = ConfigOf<typeof variables>;
