import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { APP_ACTIONS, APPS, CREDENTIAL_KINDS, SCOPES } from '../permissions.ts';
import { id, name, nextCursor, page, pathId, timestamp } from './shared.ts';

const appPermissions = z
  .partialRecord(z.enum(APPS), z.array(z.enum(APP_ACTIONS)).min(1))
  .meta({ description: 'Apps the key may use and how; `{}` is unrestricted.' });

const rateLimit = z.strictObject({
  requests_per_second: z.number().positive().max(1_000_000),
  burst: z.number().int().min(1).max(1_000_000),
});

export const ApiKey = z
  .object({
    key_id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The first 12 characters of the key.' }),
    type: z.enum(CREDENTIAL_KINDS),
    livemode: z.boolean(),
    scopes: z.array(z.enum(SCOPES)),
    app_permissions: appPermissions,
    ip_allowlist: z.array(z.string()),
    memory_id: z.string().nullable(),
    space_id: z.string().nullable(),
    rate_limit: rateLimit.nullable(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    usage_count: z.number().int(),
    expires_at: timestamp.nullable(),
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
  method: 'POST',
  path: '/api/v1/api-keys',
  summary: 'Create a key; its plaintext is in this answer only',
  action: 'write',
  scope: 'keys:write',
  idempotent: true,
  body: z.strictObject({
    name,
    type: z.enum(CREDENTIAL_KINDS).default('live'),
    scopes: z.array(z.enum(SCOPES)).min(1).optional(),
    app_permissions: appPermissions.default({}),
    ip_allowlist: z.array(z.string().max(64)).max(100).default([]),
    expires_at: timestamp.optional(),
    memory_id: id('memory').optional(),
    space_id: id('space').optional(),
    rate_limit: rateLimit.optional(),
  }),
  answer: { kind: 'json', status: 201, schema: ApiKeyWithPlaintext },
});

export const listApiKeys = defineOperation({
  ...keysOperation,
  id: 'listApiKeys',
  method: 'GET',
  path: '/api/v1/api-keys',
  summary: 'List the keys of the tenant',
  action: 'read',
  scope: 'keys:read',
  query: z.strictObject(page),
  answer: { kind: 'json', status: 200, schema: z.object({ api_keys: z.array(ApiKey), next_cursor: nextCursor }) },
});

export const getApiKey = defineOperation({
  ...keysOperation,
  id: 'getApiKey',
  method: 'GET',
  path: '/api/v1/api-keys/{key_id}',
  summary: 'Read one key',
  action: 'read',
  scope: 'keys:read',
  params: z.strictObject({ key_id: pathId }),
  answer: { kind: 'json', status: 200, schema: ApiKey },
});
