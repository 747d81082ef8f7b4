import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

export const variables = {
  ...serviceVariables,
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1), "host:port of tenancy's gRPC server."),
};

export type Config = ConfigOf<typeof variables>;
