import { join } from 'node:path';
import { type ConfigOf, variable } from '@cairn/service-kit';
import { z } from 'zod';

const DEFAULT_DATA_DIR = join(import.meta.dirname, '..', '..', '..', '.cairn');

export const variables = {
  dataDir: variable(
    'CAIRN_DATA_DIR',
    z.string().default(DEFAULT_DATA_DIR),
    'Folder of the embedded installation. Default: .cairn in the checkout.',
  ),
  port: variable(
    'CAIRN_PORT',
    z.coerce.number().int().min(0).max(65_535).default(8_080),
    'Port of the gateway; 0 takes a free one.',
  ),
  natsUrl: variable(
    'NATS_URL',
    z.string().optional(),
    'A NATS server to use instead of starting one. All services use this URL then; see `cairn broker`.',
  ),
  cacheDir: variable(
    'CAIRN_CACHE_DIR',
    z.string().optional(),
    'Folder for fetched programs and compiled sources, shared by installations; default: cache in the data folder.',
  ),
  natsServerPath: variable(
    'CAIRN_NATS_SERVER',
    z.string().optional(),
    'The nats-server program. Default: the pinned release, fetched once and verified, or else one that the machine offers.',
  ),
  baseUrl: variable(
    'CAIRN_BASE_URL',
    z.url().optional(),
    'Which installation `ingest` and `ask` call; default: the embedded one.',
  ),
  apiKey: variable(
    'CAIRN_API_KEY',
    z.string().optional(),
    'With which key; default: the first one of the embedded installation.',
  ),
} as const;

export type Config = ConfigOf<typeof variables>;
