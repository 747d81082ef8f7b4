import { outboundVariables } from '@cairn/outbound';
import { type ConfigOf, serviceVariables, variable } from '@cairn/service-kit';
import { z } from 'zod';

const perSecond = z.coerce.number().min(0.1).max(1_000_000);
const inFlight = z.coerce.number().int().min(1).max(100_000);

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
  hostStartPerSecond: variable(
    'CAIRN_WEBHOOK_HOST_START_PER_SECOND',
    perSecond.default(10),
    'Deliveries a second from one tenant to a host or address that has not accepted more of them yet, over all replicas. Twice as many from all such tenants together.',
  ),
  hostPerSecondMax: variable(
    'CAIRN_WEBHOOK_HOST_PER_SECOND_MAX',
    perSecond.default(500),
    'Deliveries a second to one host or address at most, from all tenants and over all replicas; reached step by step while it accepts them.',
  ),
  hostInFlightMax: variable(
    'CAIRN_WEBHOOK_HOST_IN_FLIGHT_MAX',
    inFlight.default(128),
    'Requests in flight to one host or address at most, over all replicas.',
  ),
  tenantPerSecondMax: variable(
    'CAIRN_WEBHOOK_TENANT_PER_SECOND_MAX',
    perSecond.default(500),
    'Deliveries a second of one tenant at most, over all replicas; a tenth of it in its test environment.',
  ),
  tenantInFlightMax: variable(
    'CAIRN_WEBHOOK_TENANT_IN_FLIGHT_MAX',
    inFlight.default(128),
    'Requests in flight of one tenant at most, over all replicas; a tenth of it in its test environment.',
  ),
  testPerSecondMax: variable(
    'CAIRN_WEBHOOK_TEST_PER_SECOND_MAX',
    perSecond.default(100),
    'Deliveries a second of all test environments together at most, over all replicas.',
  ),
  testInFlightMax: variable(
    'CAIRN_WEBHOOK_TEST_IN_FLIGHT_MAX',
    inFlight.default(64),
    'Requests in flight of all test environments together at most, over all replicas.',
  ),
  deactivateAfterHours: variable(
    'CAIRN_WEBHOOK_DEACTIVATE_AFTER_HOURS',
    z.coerce.number().min(1).max(8_760).default(120),
    'A webhook whose endpoint has accepted nothing for so long, and has let deliveries become dead letters, is set inactive.',
  ),
  deactivateUnprovenAfterHours: variable(
    'CAIRN_WEBHOOK_DEACTIVATE_UNPROVEN_AFTER_HOURS',
    z.coerce.number().min(1).max(8_760).default(24),
    'The same for a webhook whose endpoint has never accepted a delivery.',
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
