import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { WEBHOOK_EVENTS } from '../events/public-events.ts';
import { timestamp } from './shared.ts';
import { webhooksOperation } from './webhooks.ts';

const STATS_HOURS_MAX = 168;

const EndpointStats = z
  .object({
    webhook_id: z.string(),
    deliveries: z.number().int().meta({ description: 'Created in these hours; pings are not counted.' }),
    delivered: z.number().int(),
    dead_lettered: z.number().int(),
    waiting: z.number().int(),
    attempts: z.number().int().meta({ description: 'Those that have ended.' }),
    failed_attempts: z.number().int(),
    success_rate: z
      .number()
      .nullable()
      .meta({ description: 'Attempts that were accepted, of those that ended; null when none has.' }),
    p50_ms: z.number().nullable().meta({ description: 'Half of the attempts took no longer.' }),
    p95_ms: z.number().nullable(),
  })
  .meta({ id: 'EndpointStats' });

export const getWebhookStats = defineOperation({
  ...webhooksOperation,
  id: 'getWebhookStats',
  sdk: 'webhooks.stats',
  method: 'GET',
  path: '/api/v1/webhooks/stats',
  summary: 'Read how well the endpoints answer',
  description:
    'Returns for each webhook what became of the deliveries of the last hours, how many attempts were accepted, and how long the endpoint took. At most the latest 10,000 deliveries of each webhook are looked at.',
  action: 'read',
  scope: 'webhooks:read',
  query: z.strictObject({
    hours: z.coerce.number().int().min(1).max(STATS_HOURS_MAX).default(24),
  }),
  response: { kind: 'json', status: 200, schema: z.object({ from: timestamp, webhooks: z.array(EndpointStats) }) },
});

const EventType = z
  .object({
    event: z.enum(WEBHOOK_EVENTS),
    description: z.string(),
    schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema of the body of a delivery.' }),
    example: z.record(z.string(), z.unknown()).meta({ description: 'A body. Its ids exist nowhere.' }),
  })
  .meta({ id: 'WebhookEventType' });

export const listWebhookEventTypes = defineOperation({
  ...webhooksOperation,
  id: 'listWebhookEventTypes',
  sdk: 'webhooks.eventTypes',
  method: 'GET',
  path: '/api/v1/webhooks/event-types',
  summary: 'List the events that a webhook can receive',
  description: 'Returns each type of event with a description, the JSON Schema of what is delivered, and an example.',
  action: 'read',
  scope: 'webhooks:read',
  query: z.strictObject({}),
  response: { kind: 'json', status: 200, schema: z.object({ event_types: z.array(EventType) }) },
});
