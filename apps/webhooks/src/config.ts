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
    'JWK set of 256-bit oct keys. Signing secrets are encrypted with the first and decrypted with any of them.',
  ),
  endpointConcurrencyMax: variable(
    'CAIRN_WEBHOOK_CONCURRENCY',
    z.coerce.number().int().min(1).max(1_000).default(16),
    'Maximum first attempts in flight to one webhook, per replica. A failing webhook gets fewer.',
  ),
  inFlightMax: variable(
    'CAIRN_WEBHOOK_IN_FLIGHT_MAX',
    z.coerce.number().int().min(2).max(20_000).default(512),
    'Maximum first attempts in flight to all webhooks, per replica. Failing and slow ones use at most half of them. As many retries may be in flight beside them.',
  ),
  hostStartPerSecond: variable(
    'CAIRN_WEBHOOK_HOST_START_PER_SECOND',
    perSecond.default(10),
    'Initial first attempts per second from one tenant to a host or address, until it has accepted more, across all replicas. Endpoints that accept nothing get a fifth of it, after a burst of three seconds; those of all tenants together twice as much, after six seconds.',
  ),
  hostPerSecondMax: variable(
    'CAIRN_WEBHOOK_HOST_PER_SECOND_MAX',
    perSecond.default(500),
    'Maximum first attempts per second to one host or address, from all tenants and across all replicas; reached gradually while it accepts them.',
  ),
  hostInFlightMax: variable(
    'CAIRN_WEBHOOK_HOST_IN_FLIGHT_MAX',
    inFlight.default(128),
    'Maximum first attempts in flight to one host or address, across all replicas; one tenant uses at most half of them.',
  ),
  tenantPerSecondMax: variable(
    'CAIRN_WEBHOOK_TENANT_PER_SECOND_MAX',
    perSecond.default(500),
    'Maximum first attempts per second of one tenant, across all replicas; a tenth of it in its test environment.',
  ),
  tenantInFlightMax: variable(
    'CAIRN_WEBHOOK_TENANT_IN_FLIGHT_MAX',
    inFlight.default(128),
    'Maximum first attempts in flight of one tenant, across all replicas; half of it in its test environment.',
  ),
  testPerSecondMax: variable(
    'CAIRN_WEBHOOK_TEST_PER_SECOND_MAX',
    perSecond.default(100),
    'Maximum first attempts per second of all test environments together, across all replicas.',
  ),
  testInFlightMax: variable(
    'CAIRN_WEBHOOK_TEST_IN_FLIGHT_MAX',
    inFlight.default(64),
    'Maximum first attempts in flight of all test environments together, across all replicas.',
  ),
  deactivateAfterHours: variable(
    'CAIRN_WEBHOOK_DEACTIVATE_AFTER_HOURS',
    z.coerce.number().min(1).max(8_760).default(120),
    'Hours after which a webhook is deactivated whose endpoint has accepted nothing and has caused dead letters.',
  ),
  deactivateUnprovenAfterHours: variable(
    'CAIRN_WEBHOOK_DEACTIVATE_UNPROVEN_AFTER_HOURS',
    z.coerce.number().min(1).max(8_760).default(24),
    'The same for a webhook whose endpoint has never accepted a delivery.',
  ),
  deliveredRetentionDays: variable(
    'CAIRN_WEBHOOK_DELIVERED_KEEP_DAYS',
    z.coerce.number().int().min(1).max(365).default(7),
    'How long completed deliveries are kept.',
  ),
  deadLetterRetentionDays: variable(
    'CAIRN_WEBHOOK_DEAD_LETTER_KEEP_DAYS',
    z.coerce.number().int().min(14).max(365).default(30),
    'How long dead letters are kept and can be replayed.',
  ),
};

export type Config = ConfigOf<typeof variables>;
