import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

export const variables = {
  ...serviceVariables,
  baseUrl: variable(
    'CAIRN_BASE_URL',
    z.url({ protocol: /^https?$/ }),
    'Public URL of the gateway; the issuer of OAuth tokens.',
  ),
  sessionIdleHours: variable(
    'CAIRN_SESSION_IDLE_HOURS',
    z.coerce.number().min(0.25).max(168).default(8),
    'A session of the console that is not used for as long ends.',
  ),
  sessionDays: variable(
    'CAIRN_SESSION_DAYS',
    z.coerce.number().min(0.25).max(90).default(7),
    'How long a session of the console lives at most.',
  ),
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1), "host:port of tenancy's gRPC server."),
};

export type Config = ConfigOf<typeof variables>;
