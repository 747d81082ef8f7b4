import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';
import { DEFAULT_DATA_DIR } from './user/places.ts';

export const variables = {
  dataDir: variable(
    'CAIRN_DATA_DIR',
    z.string().default(DEFAULT_DATA_DIR),
    'Folder of the embedded installation. Default: .cairn in the checkout.',
  ),
  port: variable(
    'CAIRN_PORT',
    z.coerce.number().int().min(0).max(65_535).default(8_080),
    'Port of the gateway; 0 picks a free one.',
  ),
  natsUrl: variable(
    'NATS_URL',
    z.string().optional(),
    'An existing NATS server to use instead of starting one. All services then use this URL; see `cairn operator broker`.',
  ),
  metricsPort: variable(
    'CAIRN_METRICS_PORT',
    z.coerce.number().int().min(0).max(65_535).optional(),
    'First of the ports at which `up` has the services show their metrics; 0 picks free ones. Without it no metrics are served.',
  ),
  cacheDir: variable(
    'CAIRN_CACHE_DIR',
    z.string().optional(),
    'Folder for downloaded programs and compiled sources, which installations can share. Default: cache in the data folder.',
  ),
  walArchiveDir: variable(
    'CAIRN_WAL_ARCHIVE_DIR',
    z.string().optional(),
    'Absolute path of a folder, best on another disk, that the write-ahead log of the embedded PostgreSQL is archived in; with it `cairn restore --to-time` can go to any instant after a backup. Nothing is ever deleted there.',
  ),
  natsServerPath: variable(
    'CAIRN_NATS_SERVER',
    z.string().optional(),
    'Path of the nats-server program. Default: the pinned version, fetched once and verified, otherwise one installed on the machine.',
  ),
  baseUrl: variable(
    'CAIRN_BASE_URL',
    z.url().optional(),
    'URL of the installation that commands for users call. Default: that of the current context, else the embedded one.',
  ),
  apiKey: variable(
    'CAIRN_API_KEY',
    z.string().optional(),
    'API key that commands for users send. Default: that of the current context, else the first key of the embedded installation.',
  ),
  contextsFile: variable(
    'CAIRN_CONTEXTS_FILE',
    z.string().min(1).optional(),
    'File that `login` keeps addresses and keys in, readable by its owner only. Default: cairn/contexts.json in XDG_CONFIG_HOME, or in ~/.config.',
  ),
  operatorKeyFile: variable(
    'CAIRN_OPERATOR_KEY_FILE',
    z.string().min(1).optional(),
    "The operator's private signing key, for operator commands to an installation that is not the embedded one; each command calls those of the four addresses below that it needs.",
  ),
  keysGrpc: variable('CAIRN_KEYS_GRPC', z.string().min(1).optional(), "host:port of keys' gRPC server."),
  tenancyGrpc: variable('CAIRN_TENANCY_GRPC', z.string().min(1).optional(), "host:port of tenancy's gRPC server."),
  memoryGrpc: variable(
    'CAIRN_MEMORY_GRPC',
    z.string().min(1).optional(),
    "host:port of memory's gRPC server, for `operator events replay`.",
  ),
  researchGrpc: variable(
    'CAIRN_RESEARCH_GRPC',
    z.string().min(1).optional(),
    "host:port of research's gRPC server, for `operator events replay`.",
  ),
  webhooksGrpc: variable('CAIRN_WEBHOOKS_GRPC', z.string().min(1).optional(), "host:port of webhooks' gRPC server."),
  usageGrpc: variable('CAIRN_USAGE_GRPC', z.string().min(1).optional(), "host:port of usage's gRPC server."),
  tlsCertFile: serviceVariables.tlsCertFile,
  tlsKeyFile: serviceVariables.tlsKeyFile,
  tlsCaFile: serviceVariables.tlsCaFile,
  databaseAdminUrl: variable(
    'CAIRN_DATABASE_ADMIN_URL',
    z.string().min(1).optional(),
    'postgres:// URL of a superuser, for `operator provision` without --admin-url, which other users of the machine could read.',
  ),
  natsAdminUrl: variable(
    'CAIRN_NATS_ADMIN_URL',
    z.string().min(1).optional(),
    'nats:// URL of the user with all permissions, for `operator broker prepare` without --admin-url.',
  ),
} as const;

export type Config = ConfigOf<typeof variables>;
