import { join } from 'node:path';
import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

const SHIPPED_PRICES = join(import.meta.dirname, '..', '..', '..', 'config', 'prices.json');

export const variables = {
  ...serviceVariables,
  pricesFile: variable(
    'CAIRN_PRICES_FILE',
    z.string().default(SHIPPED_PRICES),
    'JSON file with the price list, reloaded within seconds of a change. Default: config/prices.json.',
  ),
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1), "host:port of tenancy's gRPC server."),
};

export type Config = ConfigOf<typeof variables>;
