import { join } from 'node:path';
import { outboundVariables } from '@cairn/outbound';
import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

const SHIPPED_PLANS = join(import.meta.dirname, '..', '..', '..', 'config', 'plans.json');

export const variables = {
  ...serviceVariables,
  allowPrivateNetwork: outboundVariables.allowPrivateNetwork,
  plansFile: variable(
    'CAIRN_PLANS_FILE',
    z.string().default(SHIPPED_PLANS),
    'JSON file with the plans and their limits. Default: config/plans.json.',
  ),
  keysGrpc: variable('CAIRN_KEYS_GRPC', z.string().min(1), "host:port of keys' gRPC server."),
  memoryGrpc: variable('CAIRN_MEMORY_GRPC', z.string().min(1), "host:port of the memory service's gRPC server."),
  webhooksGrpc: variable('CAIRN_WEBHOOKS_GRPC', z.string().min(1), "host:port of webhooks' gRPC server."),
  researchGrpc: variable('CAIRN_RESEARCH_GRPC', z.string().min(1), "host:port of research's gRPC server."),
  usageGrpc: variable('CAIRN_USAGE_GRPC', z.string().min(1), "host:port of usage's gRPC server."),
  baseUrl: variable(
    'CAIRN_BASE_URL',
    z.url().transform((url) => url.replace(/(?<!\/)\/+$/, '')),
    'Public URL of the gateway, and the base of the URLs in responses.',
  ),
  keyEncryptionKeysFile: variable(
    'CAIRN_KEY_ENCRYPTION_KEYS_FILE',
    z.string().min(1),
    'JWK set of 256-bit oct keys. Stored secrets are encrypted with the first and decrypted with any of them.',
  ),
  enginesFolder: variable(
    'CAIRN_ENGINES_DIR',
    z.string().min(1).optional(),
    'Folder for the PostgreSQL servers of dedicated memories, which this service starts. Without it, and without `CAIRN_DEDICATED_ENGINE_URL`, dedicated memories are not available.',
  ),
  dedicatedEngineUrl: variable(
    'CAIRN_DEDICATED_ENGINE_URL',
    z.url({ protocol: /^postgres(?:ql)?$/ }).optional(),
    'PostgreSQL URL of a superuser of the server on which each dedicated memory gets a database and roles of its own. Only one of this and `CAIRN_ENGINES_DIR` can be set.',
  ),
};

export type Config = ConfigOf<typeof variables>;
