import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { APP_ACTIONS, APPS, KEY_TYPES, SCOPES } from '../permissions.ts';
import { BURST_MAX, REQUESTS_PER_SECOND_MAX, REQUESTS_PER_SECOND_MIN } from '../rate-bounds.ts';
import { id, name, nextCursor, pageById, pathId, timestamp } from './shared.ts';

export const appPermissions = z
  .partialRecord(z.enum(APPS), z.array(z.enum(APP_ACTIONS)).min(1).max(APP_ACTIONS.length))
  .meta({ description: 'Apps the key may use and how; `{}` is unrestricted.' });

const ipAllowlist = z
  .array(z.string().max(64))
  .max(100)
  .meta({ description: 'Addresses and CIDR ranges the key may be used from; empty means any.' });

const truth = z.enum(['true', 'false']).transform((text) => text === 'true');

export const rateLimit = z.strictObject({
  requests_per_second: z.number().min(REQUESTS_PER_SECOND_MIN).max(REQUESTS_PER_SECOND_MAX),
  burst: z.number().int().min(1).max(BURST_MAX),
});

export const ApiKey = z
  .object({
    key_id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first 12 characters of the key.' }),
    type: z.enum(KEY_TYPES),
    livemode: z.boolean(),
    scopes: z.array(z.enum(SCOPES)),
    app_permissions: appPermissions,
    ip_allowlist: z.array(z.string()),
    memory_id: z.string().nullable(),
    space_id: z.string().nullable(),
    rate_limit: rateLimit.nullable(),
    parent_key_id: z
      .string()
      .nullable()
      .meta({ description: 'The key that it was minted below; null for the first keys of a tenant.' }),
    rotated_from: z
      .object({
        key_id: z.string().meta({ description: 'The key that it replaced.' }),
        rotated_by: z.string().meta({ description: 'The key that asked for the replacement.' }),
      })
      .nullable(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    usage_count: z.number().int(),
    expires_at: timestamp.nullable(),
    revokes_at: timestamp
      .nullable()
      .meta({ description: 'When the key, having been rotated, will be revoked by itself.' }),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });

const ApiKeyWithPlaintext = ApiKey.extend({
  api_key: z.string().optional().meta({ description: 'The key itself. In the answer that made it and never again.' }),
}).meta({ id: 'ApiKeyWithPlaintext' });

const keysOperation = { service: 'keys', app: 'keys', tag: 'Keys', reach: 'tenant' } as const;

export const createApiKey = defineOperation({
  ...keysOperation,
  id: 'createApiKey',
  sdk: 'keys.create',
  method: 'POST',
  path: '/api/v1/api-keys',
  summary: 'Create an API key',
  description:
    'Creates a key with at most the scopes, app permissions, addresses, rate and lifetime of the calling key. The plaintext is returned once and is not stored; a repeat with the same `Idempotency-Key` returns the key without it. Keys of one memory (`type: memory`) and OAuth tokens cannot create keys.',
  errors: ['not_found', 'plan_limit_reached'],
  action: 'write',
  scope: 'keys:write',
  idempotent: true,
  body: z.strictObject({
    name,
    type: z.enum(KEY_TYPES).default('live').meta({
      description:
        '`test` acts in the test environment, `ephemeral` lives for 24 hours at most, `memory` is bound to `memory_id`.',
    }),
    scopes: z
      .array(z.enum(SCOPES))
      .min(1)
      .max(SCOPES.length)
      .optional()
      .meta({ description: 'What it may do. Default: what the calling key may.' }),
    app_permissions: appPermissions.default({}),
    ip_allowlist: ipAllowlist.default([]),
    expires_at: timestamp.optional(),
    memory_id: id('memory').optional().meta({ description: 'Of a key of type `memory`: the one that it reaches.' }),
    space_id: id('space').optional().meta({ description: 'Of a key of type `memory`: only this space of it.' }),
    rate_limit: rateLimit.optional().meta({ description: 'Of its own, below that of the plan.' }),
  }),
  response: { kind: 'json', status: 201, schema: ApiKeyWithPlaintext },
});

/** A week. */
export const OVERLAP_MAX_SECONDS = 604_800;

export const rotateApiKey = defineOperation({
  ...keysOperation,
  id: 'rotateApiKey',
  sdk: 'keys.rotate',
  method: 'POST',
  path: '/api/v1/api-keys/{key_id}/rotate',
  summary: 'Replace an API key',
  description:
    'Creates a replacement with the same permissions and expiry, and returns its plaintext once. The original stays valid until `revokes_at` and is then revoked; with `overlap_seconds: 0` it is revoked when the response arrives. Revoked and expired keys cannot be rotated.',
  errors: ['not_found', 'conflict', 'plan_limit_reached'],
  action: 'write',
  scope: 'keys:write',
  idempotent: true,
  params: z.strictObject({ key_id: pathId }),
  body: z.strictObject({
    overlap_seconds: z
      .number()
      .int()
      .min(0)
      .max(OVERLAP_MAX_SECONDS)
      .default(86_400)
      .meta({ description: 'How long both keys are good; 0 revokes the old one at once.' }),
  }),
  response: {
    kind: 'json',
    status: 201,
    schema: ApiKeyWithPlaintext.extend({
      rotated_from: z.object({ key_id: z.string(), rotated_by: z.string(), revokes_at: timestamp }),
    }).meta({ id: 'RotatedApiKey' }),
  },
});

export const updateApiKey = defineOperation({
  ...keysOperation,
  id: 'updateApiKey',
  sdk: 'keys.update',
  method: 'PATCH',
  path: '/api/v1/api-keys/{key_id}',
  summary: 'Change the name or the restrictions of an API key',
  description:
    'Changes the name and the restrictions of a key; the change is in force on every gateway when the response arrives. Restricting needs only `keys:write`; for any other change the calling key must cover everything that the resulting key may do. A revoked key cannot be changed.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'keys:write',
  params: z.strictObject({ key_id: pathId }),
  body: z.strictObject({
    name: name.optional(),
    scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length).optional(),
    app_permissions: appPermissions.optional(),
    ip_allowlist: ipAllowlist.optional(),
    expires_at: timestamp.nullable().optional(),
    rate_limit: rateLimit.nullable().optional(),
  }),
  response: { kind: 'json', status: 200, schema: ApiKey },
});

export const revokeApiKey = defineOperation({
  ...keysOperation,
  id: 'revokeApiKey',
  sdk: 'keys.revoke',
  method: 'DELETE',
  path: '/api/v1/api-keys/{key_id}',
  summary: 'Revoke an API key, alone or with its descendants',
  description:
    'Revokes a key permanently: when the response arrives, no gateway accepts it any more. With `descendants=true` everything derived from it is revoked, too, which is what a leaked key calls for; the caller must hold what each of them holds, and one owner must remain: 409. A repeat returns the same answer.',
  errors: ['not_found', 'conflict'],
  action: 'write',
  scope: 'keys:write',
  params: z.strictObject({ key_id: pathId }),
  query: z.strictObject({
    descendants: truth.optional().meta({
      description:
        'Also revoke everything that came of the key: keys minted below it, its replacements, keys that it rotated, members whom it invited, and OAuth clients with their tokens, transitively.',
    }),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({
      key_id: z.string(),
      revoked: z.literal(true),
      revoked_at: timestamp,
      descendants: z
        .object({ members: z.array(z.string()), api_keys: z.array(z.string()), oauth_clients: z.array(z.string()) })
        .optional()
        .meta({ description: 'With `descendants=true`: everything that came of the key and is revoked.' }),
    }),
  },
});

export const listApiKeys = defineOperation({
  ...keysOperation,
  id: 'listApiKeys',
  sdk: 'keys.list',
  method: 'GET',
  path: '/api/v1/api-keys',
  summary: 'List the API keys of the tenant',
  description:
    'Lists keys, oldest first, without their plaintext. A live key sees the keys of both environments, a test key those of its own. `usage_count` and `last_used_at` are at most five seconds late.',
  action: 'read',
  scope: 'keys:read',
  query: z.strictObject({
    ...pageById('key'),
    type: z.enum(KEY_TYPES).optional(),
    memory_id: pathId.optional(),
    space_id: pathId.optional(),
    parent_key_id: pathId.optional().meta({ description: 'Only those minted directly below this key.' }),
    revoked: truth.optional().meta({ description: 'Only those that are revoked, or only those that are not.' }),
  }),
  response: { kind: 'json', status: 200, schema: z.object({ api_keys: z.array(ApiKey), next_cursor: nextCursor }) },
});

export const getApiKey = defineOperation({
  ...keysOperation,
  id: 'getApiKey',
  sdk: 'keys.get',
  method: 'GET',
  path: '/api/v1/api-keys/{key_id}',
  summary: 'Read one API key',
  description:
    'Returns one key with its scopes, restrictions, usage and, if it was rotated, what replaced it. The plaintext is never returned again.',
  errors: ['not_found'],
  action: 'read',
  scope: 'keys:read',
  params: z.strictObject({ key_id: pathId }),
  response: { kind: 'json', status: 200, schema: ApiKey },
});
