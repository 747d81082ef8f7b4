import { outboundVariables } from '@cairn/outbound';
import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

export const variables = {
  ...serviceVariables,
  ...outboundVariables,
  keyEncryptionKeysFile: variable(
    'CAIRN_KEY_ENCRYPTION_KEYS_FILE',
    z.string().min(1),
    'JWK set of 256-bit oct keys. Signing secrets are sealed with the first and opened with any of them.',
  ),
  endpointConcurrencyMax: variable(
    'CAIRN_WEBHOOK_CONCURRENCY',
    z.coerce.number().int().min(1).max(1_000).default(16),
    'Requests in flight to one webhook at most, for each replica. One that fails is asked less often at once.',
  ),
  inFlightMax: variable(
    'CAIRN_WEBHOOK_IN_FLIGHT_MAX',
    z.coerce.number().int().min(2).max(20_000).default(512),
    'Requests in flight to all webhooks at most, for each replica. Failing and slow ones take up to half of them.',
  ),
  deliveredKeepDays: variable(
    'CAIRN_WEBHOOK_DELIVERED_KEEP_DAYS',
    z.coerce.number().int().min(1).max(365).default(7),
    'How long what was delivered stays in the list of deliveries.',
  ),
  deadLetterKeepDays: variable(
    'CAIRN_WEBHOOK_DEAD_LETTER_KEEP_DAYS',
    z.coerce.number().int().min(14).max(365).default(30),
    'How long a dead letter can be replayed.',
  ),
};

export type Config = ConfigOf<typeof variables>;
