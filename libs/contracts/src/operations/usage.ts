import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { nextCursor, operationId, pageBy, timeBound, timestamp } from './shared.ts';

/** A page of the ledger ends at a time, and at an entry of that time. */
const LEDGER_CURSOR = /^\d{1,17}\.(?:run|grant|llm)\/.{1,160}$/;

export const USAGE_DIMENSIONS = [
  'tenant',
  'workspace',
  'memory',
  'space',
  'conversation',
  'user',
  'api_key',
  'model',
] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];
export const USAGE_GROUPS = ['day', 'model', 'day_and_model'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** What can be charged, by the name that the price list and the ledger use. */
export const CHARGES = ['list.build', 'research.run'] as const;
export type ChargeName = (typeof CHARGES)[number];
const LEDGER_STATES = ['granted', 'reserved', 'settled', 'released'] as const;

const tokens = z.number().int();

const figures = {
  input_tokens: tokens.meta({ description: 'All tokens read, cached ones included.' }),
  output_tokens: tokens.meta({ description: 'All tokens written, reasoning included.' }),
  calls: z.number().int(),
  cost_usd: z
    .number()
    .nullable()
    .meta({ description: 'Null when no call has a known price; the sum of those that have one otherwise.' }),
  credits_charged: z.number(),
  byok_tokens: tokens.meta({ description: "Tokens billed to the tenant's own provider key; never charged." }),
  cached_input_tokens: tokens.meta({ description: "The part of the input that the provider's cache had." }),
  reasoning_tokens: tokens.meta({ description: 'The part of the output that was reasoning.' }),
  unpriced_calls: z.number().int().meta({ description: 'Calls whose model has no known price.' }),
};

export const UsageRecord = z.object(figures).meta({ id: 'UsageRecord' });
export const UsageRow = z
  .object({
    key: z.string().meta({ description: 'The UTC day as YYYY-MM-DD, the model, or both with a slash between them.' }),
    day: z.string().optional().meta({ description: 'With `group_by=day_and_model`.' }),
    model: z.string().optional().meta({ description: 'With `group_by=day_and_model`.' }),
    ...figures,
  })
  .meta({ id: 'UsageRow' });

const usageOperation = {
  service: 'usage',
  app: 'usage',
  reach: 'tenant',
  tag: 'Usage',
  method: 'GET',
  action: 'read',
  scope: 'usage:read',
} as const;

const day = z.iso.date('must be a date as YYYY-MM-DD');

export const readLlmUsage = defineOperation({
  ...usageOperation,
  id: 'readLlmUsage',
  sdk: 'usage.llm',
  path: '/api/v1/usage/llm',
  summary: 'Read the usage of models',
  description:
    'Returns tokens, calls, cost and credits by UTC day, by model, or by both. A call appears within seconds. `cost_usd` is null when no call of the row has a known price.',
  query: z.strictObject({
    dimension: z.enum(USAGE_DIMENSIONS).default('tenant'),
    id: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .meta({ description: 'An id of the dimension; without it the dimension covers all its ids.' }),
    from: day.optional().meta({ description: 'First UTC day, inclusive. Default: 29 days before `to`.' }),
    to: day.optional().meta({ description: 'Last UTC day, inclusive. Default: today.' }),
    group_by: z.enum(USAGE_GROUPS).default('day'),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({
      totals: UsageRecord,
      series: z.array(UsageRow).meta({ description: 'Keys with usage only, in order.' }),
      from: z.string(),
      to: z.string(),
    }),
  },
});

const LedgerEntry = z
  .object({
    charge: z.string().meta({
      description: '`list.build`, `research.run`, `llm.usage` (all models of one UTC day) or `plan.credits`.',
    }),
    thread_id: z.string().nullable().meta({ description: 'The run that was charged.' }),
    credits: z.number(),
    state: z.enum(LEDGER_STATES).meta({ description: 'Only `granted` adds to the balance; `released` takes nothing.' }),
    at: timestamp,
  })
  .meta({ id: 'LedgerEntry' });

export const readCredits = defineOperation({
  ...usageOperation,
  id: 'readCredits',
  sdk: 'usage.credits',
  path: '/api/v1/usage/credits',
  summary: 'Read the credits of the month',
  description: "Returns the month's balance and the ledger that explains it, newest first.",
  query: z.strictObject(pageBy(LEDGER_CURSOR)),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({
      balance: z.number().meta({ description: 'Credits left this month (UTC).' }),
      period: z.object({ from: timestamp, to: timestamp }),
      granted: z.number(),
      reserved: z.number(),
      settled: z.number().meta({ description: 'Charges of runs that ended.' }),
      llm: z.number().meta({ description: 'Calls of models outside of charged runs.' }),
      ledger: z.array(LedgerEntry),
      next_cursor: nextCursor,
    }),
  },
});

export const LIMITED_RESOURCES = [
  'workspaces',
  'memories',
  'spaces',
  'documents',
  'stored_bytes',
  'api_keys',
  'oauth_clients',
  'webhooks',
  'monthly_requests',
  'monthly_credits',
] as const;

const Limit = z
  .object({
    resource: z.enum(LIMITED_RESOURCES),
    used: z.number().meta({ description: 'Counted as where the limit is enforced.' }),
    limit: z.number().nullable().meta({ description: 'Null: there is none.' }),
    resets_at: timestamp.nullable().meta({ description: 'When `used` starts at 0 again; null: it does not.' }),
  })
  .meta({ id: 'Limit' });

export const readLimits = defineOperation({
  ...usageOperation,
  // The service that owns plans, and already asks every service that enforces a part of one.
  service: 'tenancy',
  id: 'readLimits',
  sdk: 'usage.limits',
  path: '/api/v1/usage/limits',
  summary: "Read what is used of each of the plan's limits",
  description:
    'Each resource as the service counts it that enforces its limit: what is used, the limit, and when that starts at 0 again. `monthly_requests` includes what gateways hold in advance, some hundred requests at most for each. `rate` is what all credentials together may send; what a single one may is in `whoami`.',
  query: z.strictObject({}),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        plan: z.string(),
        limits: z.array(Limit),
        rate: z.object({ requests_per_second: z.number(), burst: z.number().int() }),
        suggested_plan: z.string().nullable(),
        upgrade_url: z.string().nullable(),
      })
      .meta({ id: 'Limits' }),
  },
});

export const REQUEST_GROUPS = ['hour', 'day', 'operation', 'key'] as const;

const requestFigures = {
  requests: z.number().int(),
  client_errors: z.number().int().meta({ description: 'Answered with a status of 400 to 499.' }),
  server_errors: z.number().int().meta({ description: 'Answered with a status of 500 or more.' }),
  p50_ms: z
    .number()
    .nullable()
    .meta({ description: 'Half of the requests took no longer; from counts by duration. Null: none was timed.' }),
  p95_ms: z.number().nullable(),
};
const RequestFigures = z.object(requestFigures).meta({ id: 'RequestFigures' });
const RequestRow = z
  .object({
    key: z.string().meta({ description: 'The hour (2026-11-23T10:00:00Z), day, operation or credential.' }),
    ...requestFigures,
  })
  .meta({ id: 'RequestRow' });

export const readRequests = defineOperation({
  ...usageOperation,
  // Gateways report to the service that knows the credentials.
  service: 'keys',
  id: 'readRequests',
  sdk: 'usage.requests',
  path: '/api/v1/usage/requests',
  summary: 'Read how many requests there were',
  description:
    'Returns the requests that were permitted, those beyond their rate or quota included, by UTC hour or day, by operation, or by key or OAuth client, with their errors and how long they took at the gateway. A request appears within some seconds; streams are counted and not timed. Requests are kept for 90 days; what a gateway had not reported when it was killed is missing, ten seconds at most.',
  query: z.strictObject({
    group_by: z.enum(REQUEST_GROUPS).default('hour'),
    from: timeBound.optional().meta({ description: 'Its whole hour. Default: a day before `to`, 30 days by the day.' }),
    to: timeBound.optional().meta({ description: 'Exclusive. Default: now.' }),
    key_id: z.string().min(1).max(100).optional().meta({ description: 'Only those of this key or OAuth client.' }),
    operation: operationId.optional().meta({ description: 'Only those for this operation, by its id.' }),
    status_class: z.enum(['2xx', '3xx', '4xx', '5xx']).optional(),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({
      totals: RequestFigures,
      series: z.array(RequestRow).meta({
        description: 'With requests only: in the order of time, or most requests first; at most 1,000.',
      }),
      from: timestamp,
      to: timestamp,
    }),
  },
});
