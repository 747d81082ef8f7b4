import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { WEBHOOK_EVENTS } from '../events/public-events.ts';
import { id, nextCursor, pageById, pathId, shownText, timestamp } from './shared.ts';

/** What a test ping is called; nobody subscribes to it. */
export const WEBHOOK_TEST_EVENT = 'webhook.test';

export const DELIVERY_STATES = ['pending', 'delivering', 'delivered', 'dead_lettered', 'test_failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** How an attempt ended. */
export const ATTEMPT_OUTCOMES = [
  'delivered',
  'refused_by_receiver',
  'timed_out',
  'connection_failed',
  'tls_failed',
  'not_allowed',
  'interrupted',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** `failing` is still delivered to; an `inactive` one is not. */
export const WEBHOOK_STATUSES = ['active', 'failing', 'inactive'] as const;

/** Who or what set a webhook inactive. */
export const INACTIVE_REASONS = ['switched_off', 'endpoint_failing'] as const;
export type InactiveReason = (typeof INACTIVE_REASONS)[number];

const URL_MAX_CHARS = 2_048;
const url = z
  .url({ protocol: /^https?$/ })
  .max(URL_MAX_CHARS)
  .meta({ description: 'HTTPS endpoint; without user information.' });
const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1)
  .max(WEBHOOK_EVENTS.length * 2)
  .transform((names) => [...new Set(names)])
  .meta({ description: 'Names of the events that are delivered.' });
const description = shownText(500).trim();
const autoReplay = z.boolean().meta({
  description: 'Deliver dead letters again by itself once the endpoint answers again; each at most three times.',
});

export const Webhook = z
  .object({
    webhook_id: z.string(),
    url: z.string(),
    events: z.array(z.enum(WEBHOOK_EVENTS)),
    description: z.string(),
    active: z.boolean(),
    status: z.enum(WEBHOOK_STATUSES).meta({
      description:
        '`failing` while deliveries end as dead letters and none is accepted; `inactive` when `active` is false.',
    }),
    failing_since: timestamp.nullable().meta({
      description: 'The first dead letter since the endpoint last accepted a delivery.',
    }),
    inactive_since: timestamp.nullable(),
    inactive_reason: z.enum(INACTIVE_REASONS).nullable().meta({
      description:
        '`switched_off` by a request; `endpoint_failing` when the endpoint had accepted nothing for too long. `active: true` brings it back.',
    }),
    auto_replay: z.boolean(),
    livemode: z.boolean(),
    dead_letters: z.number().int().meta({ description: 'Deliveries that wait for a replay.' }),
    secret_rotates_at: timestamp.nullable().meta({ description: 'When a secret that was rotated stops signing.' }),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Webhook' });

const WebhookWithSecret = Webhook.extend({
  secret: z
    .string()
    .optional()
    .meta({ description: 'The signing secret. In the answer that made it and never again.' }),
}).meta({ id: 'WebhookWithSecret' });

export const DeliveryAttempt = z
  .object({
    retry: z.number().int().meta({ description: '0 for the first attempt, then 1 to 5.' }),
    round: z.number().int().meta({ description: '1, and one more for each replay.' }),
    started_at: timestamp,
    outcome: z
      .enum(ATTEMPT_OUTCOMES)
      .nullable()
      .meta({ description: 'null while it is under way; `interrupted` when we were, which costs no retry.' }),
    status: z.number().int().nullable().meta({ description: "The answer's HTTP status, if one came." }),
    latency_ms: z.number().int().nullable(),
    error: z.string().nullable().meta({ description: 'What went wrong, in words.' }),
    answer: z.string().nullable().meta({ description: 'The first 4 KiB of the answer, as UTF-8.' }),
    answer_truncated: z.boolean(),
  })
  .meta({ id: 'DeliveryAttempt' });

export const Delivery = z
  .object({
    delivery_id: z.string(),
    webhook_id: z.string(),
    event_id: z.string(),
    event: z.string(),
    state: z.enum(DELIVERY_STATES),
    next_attempt_at: timestamp.nullable(),
    dead_lettered_at: timestamp.nullable(),
    created_at: timestamp,
    attempts: z.array(DeliveryAttempt).meta({ description: 'Oldest first; the last 30.' }),
  })
  .meta({ id: 'Delivery' });

const DeliveryWithRequest = Delivery.extend({
  request: z
    .object({
      body: z.string().meta({ description: 'Exactly what is sent and signed, the same at each attempt.' }),
      headers: z.record(z.string(), z.string()).meta({
        description:
          'Those that are the same at each attempt. Time and signatures are another at each and are not kept.',
      }),
    })
    .nullable()
    .meta({ description: 'Null when the event was erased with what it is about.' }),
}).meta({ id: 'DeliveryWithRequest' });

export const webhooksOperation = { service: 'webhooks', app: 'webhooks', tag: 'Webhooks', reach: 'tenant' } as const;
const webhookPath = z.strictObject({ webhook_id: pathId });

export const createWebhook = defineOperation({
  ...webhooksOperation,
  id: 'createWebhook',
  sdk: 'webhooks.create',
  method: 'POST',
  path: '/api/v1/webhooks',
  summary: 'Create a webhook',
  description:
    'Registers an HTTPS endpoint for event types. The signing secret is returned once. A tenant has at most 100 webhooks.',
  errors: ['conflict'],
  action: 'write',
  scope: 'webhooks:write',
  idempotent: true,
  body: z.strictObject({
    url,
    events,
    description: description.default(''),
    active: z.boolean().default(true),
    auto_replay: autoReplay.default(false),
  }),
  response: { kind: 'json', status: 201, schema: WebhookWithSecret },
});

export const listWebhooks = defineOperation({
  ...webhooksOperation,
  id: 'listWebhooks',
  sdk: 'webhooks.list',
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'List the webhooks of the tenant',
  description: 'Lists the webhooks with the health of their endpoints, without their secrets.',
  action: 'read',
  scope: 'webhooks:read',
  query: z.strictObject(pageById('webhook')),
  response: { kind: 'json', status: 200, schema: z.object({ webhooks: z.array(Webhook), next_cursor: nextCursor }) },
});

export const getWebhook = defineOperation({
  ...webhooksOperation,
  id: 'getWebhook',
  sdk: 'webhooks.get',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook_id}',
  summary: 'Read one webhook',
  description: 'Returns one webhook with the health of its endpoint.',
  errors: ['not_found'],
  action: 'read',
  scope: 'webhooks:read',
  params: webhookPath,
  response: { kind: 'json', status: 200, schema: Webhook },
});

export const updateWebhook = defineOperation({
  ...webhooksOperation,
  id: 'updateWebhook',
  sdk: 'webhooks.update',
  method: 'PATCH',
  path: '/api/v1/webhooks/{webhook_id}',
  summary: 'Change, pause or resume a webhook',
  description:
    'Changes only the fields that are given. While a webhook is not active no event is recorded for it, and deliveries that wait go on waiting.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'webhooks:write',
  params: webhookPath,
  body: z.strictObject({
    url: url.optional(),
    events: events.optional(),
    description: description.optional(),
    active: z.boolean().optional(),
    auto_replay: autoReplay.optional(),
  }),
  response: { kind: 'json', status: 200, schema: Webhook },
});

export const deleteWebhook = defineOperation({
  ...webhooksOperation,
  id: 'deleteWebhook',
  sdk: 'webhooks.delete',
  method: 'DELETE',
  path: '/api/v1/webhooks/{webhook_id}',
  summary: 'Delete a webhook with its deliveries',
  description:
    'Deletes a webhook; a request that is under way may still arrive, and none after it. Its deliveries are erased in the background.',
  errors: ['not_found'],
  action: 'write',
  scope: 'webhooks:write',
  params: webhookPath,
  response: { kind: 'json', status: 200, schema: z.object({ webhook_id: z.string(), deleted: z.literal(true) }) },
});

/** A week. */
const SECRET_OVERLAP_MAX_SECONDS = 604_800;

export const rotateWebhookSecret = defineOperation({
  ...webhooksOperation,
  id: 'rotateWebhookSecret',
  sdk: 'webhooks.rotateSecret',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/rotate-secret',
  summary: 'Rotate the signing secret of a webhook',
  description:
    'Creates a new signing secret and returns it once. Until the overlap ends every request carries both signatures, so that receivers can change over.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'webhooks:write',
  idempotent: true,
  params: webhookPath,
  body: z.strictObject({
    overlap_seconds: z
      .number()
      .int()
      .min(0)
      .max(SECRET_OVERLAP_MAX_SECONDS)
      .default(86_400)
      .meta({ description: 'How long the old secret goes on signing; 0 ends it, and a rotation under way, at once.' }),
  }),
  response: { kind: 'json', status: 200, schema: WebhookWithSecret },
});

export const testWebhook = defineOperation({
  ...webhooksOperation,
  id: 'testWebhook',
  sdk: 'webhooks.test',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/test',
  summary: 'Send a test event',
  description:
    "Sends one test event at once, without retries, and returns the endpoint's response: a ping, or with `event` that type's example, whose ids exist nowhere.",
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'webhooks:write',
  idempotent: true,
  params: webhookPath,
  body: z.strictObject({
    event: z.enum(WEBHOOK_EVENTS).optional().meta({ description: 'Whether it is subscribed to or not.' }),
  }),
  response: { kind: 'json', status: 200, schema: Delivery },
});

export const DELIVERIES_DEFAULT_LIMIT = 50;

export const listDeliveries = defineOperation({
  ...webhooksOperation,
  id: 'listDeliveries',
  sdk: 'webhooks.deliveries.list',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook_id}/deliveries',
  summary: 'List the deliveries of a webhook',
  description: 'Lists deliveries with their attempts, newest first, 50 to a page unless `limit` says otherwise.',
  errors: ['not_found'],
  action: 'read',
  scope: 'webhooks:read',
  params: webhookPath,
  query: z.strictObject({
    ...pageById('delivery'),
    state: z.enum(DELIVERY_STATES).optional(),
    event: z.enum([...WEBHOOK_EVENTS, WEBHOOK_TEST_EVENT]).optional(),
  }),
  response: { kind: 'json', status: 200, schema: z.object({ deliveries: z.array(Delivery), next_cursor: nextCursor }) },
});

export const getDelivery = defineOperation({
  ...webhooksOperation,
  id: 'getDelivery',
  sdk: 'webhooks.deliveries.get',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
  summary: 'Read one delivery with its attempts',
  description:
    'Returns one delivery with what is sent and every attempt: time, status, latency and the beginning of the response.',
  errors: ['not_found'],
  action: 'read',
  scope: 'webhooks:read',
  params: z.strictObject({ webhook_id: pathId, delivery_id: pathId }),
  response: { kind: 'json', status: 200, schema: DeliveryWithRequest },
});

export const listAllDeliveries = defineOperation({
  ...webhooksOperation,
  id: 'listAllDeliveries',
  sdk: 'webhooks.allDeliveries',
  method: 'GET',
  path: '/api/v1/webhooks/deliveries',
  summary: 'List the deliveries of all webhooks',
  description: 'Lists deliveries of every webhook with their attempts, newest first, 50 to a page by default.',
  action: 'read',
  scope: 'webhooks:read',
  query: z.strictObject({
    ...pageById('delivery'),
    webhook_id: id('webhook').optional(),
    state: z.enum(DELIVERY_STATES).optional(),
    event: z.enum([...WEBHOOK_EVENTS, WEBHOOK_TEST_EVENT]).optional(),
  }),
  response: { kind: 'json', status: 200, schema: z.object({ deliveries: z.array(Delivery), next_cursor: nextCursor }) },
});

export const replayDelivery = defineOperation({
  ...webhooksOperation,
  id: 'replayDelivery',
  sdk: 'webhooks.deliveries.replay',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  summary: 'Redeliver one event',
  description:
    'Delivers again at once: a delivery that was given up, one that succeeded, or one that waits for its next attempt.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'webhooks:write',
  idempotent: true,
  params: z.strictObject({ webhook_id: pathId, delivery_id: pathId }),
  body: z.strictObject({}),
  response: { kind: 'json', status: 202, schema: Delivery },
});

const REPLAY_IDS_MAX = 1_000;

export const replayDeadLetters = defineOperation({
  ...webhooksOperation,
  id: 'replayDeadLetters',
  sdk: 'webhooks.replay',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/replay',
  summary: 'Redeliver dead letters',
  description: 'Delivers again what was given up: everything of the webhook, or the deliveries that are named.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'webhooks:write',
  idempotent: true,
  params: webhookPath,
  body: z.strictObject({
    delivery_ids: z
      .array(id('delivery'))
      .min(1)
      .max(REPLAY_IDS_MAX)
      .optional()
      .meta({ description: 'Only these; without it all.' }),
    event: z.enum(WEBHOOK_EVENTS).optional(),
  }),
  response: {
    kind: 'json',
    status: 202,
    schema: z.object({ replayed: z.number().int().meta({ description: 'Dead letters that are delivered again.' }) }),
  },
});
