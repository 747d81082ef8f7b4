import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

export const variables = {
  ...serviceVariables,
  baseUrl: variable(
    'CAIRN_BASE_URL',
    z.url({ protocol: /^https?$/ }),
    'Public URL of the gateway; the issuer of OAuth tokens.',
  ),
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1), "host:port of tenancy's gRPC server."),
};

export type Config = ConfigOf<typeof variables>;
