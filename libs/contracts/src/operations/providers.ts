import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { timestamp } from './shared.ts';

const ProviderKey = z
  .object({
    provider: z.string(),
    base_url: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ProviderKey' });

const provider = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'must be lower-case letters, digits and hyphens');
const providerParams = z.strictObject({ provider });

/** An address of a model provider: https, without user information, query or fragment. */
const baseUrl = z
  .url({ protocol: /^https$/, hostname: z.regexes.hostname })
  .max(2_000)
  .refine((text) => {
    // Refinements run beside each other: what is no URL at all was said already.
    const url = URL.parse(text);
    return url === null || (url.username === '' && url.password === '' && url.search === '' && url.hash === '');
  }, 'must not carry user information, a query or a fragment');

const providersOperation = { service: 'tenancy', app: 'tenancy', tag: 'Provider keys', reach: 'tenant' } as const;

export const putProviderKey = defineOperation({
  ...providersOperation,
  id: 'putProviderKey',
  sdk: 'providerKeys.put',
  method: 'PUT',
  path: '/api/v1/provider-keys/{provider}',
  summary: 'Store your own key of a model provider',
  description:
    'Stores your own API key of a model provider, or replaces it. It is encrypted with a key that is kept outside the database, and never returned. Model calls on it are not charged.',
  action: 'write',
  scope: 'providers:write',
  params: providerParams,
  body: z.strictObject({
    api_key: z
      .string()
      .min(1)
      .max(4_096)
      .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters'),
    base_url: baseUrl.optional(),
  }),
  response: { kind: 'json', status: 200, schema: ProviderKey },
});

export const listProviderKeys = defineOperation({
  ...providersOperation,
  id: 'listProviderKeys',
  sdk: 'providerKeys.list',
  method: 'GET',
  path: '/api/v1/provider-keys',
  summary: 'List the providers for which a key is stored',
  description:
    'Lists the providers for which a key is stored, with the base URL and the time of change, never with the key.',
  action: 'read',
  scope: 'providers:read',
  query: z.strictObject({}),
  response: { kind: 'json', status: 200, schema: z.object({ provider_keys: z.array(ProviderKey) }) },
});

export const getProviderKey = defineOperation({
  ...providersOperation,
  id: 'getProviderKey',
  sdk: 'providerKeys.get',
  method: 'GET',
  path: '/api/v1/provider-keys/{provider}',
  summary: 'Read what is known of a stored provider key',
  description: 'Returns the provider, the base URL and when the key was stored and changed.',
  errors: ['not_found'],
  action: 'read',
  scope: 'providers:read',
  params: providerParams,
  response: { kind: 'json', status: 200, schema: ProviderKey },
});

export const deleteProviderKey = defineOperation({
  ...providersOperation,
  id: 'deleteProviderKey',
  sdk: 'providerKeys.delete',
  method: 'DELETE',
  path: '/api/v1/provider-keys/{provider}',
  summary: 'Delete a stored provider key',
  description: "Deletes the key. Later model calls use the operator's provider, if there is one.",
  errors: ['not_found'],
  action: 'write',
  scope: 'providers:write',
  params: providerParams,
  response: { kind: 'json', status: 200, schema: z.object({ provider: z.string(), deleted: z.literal(true) }) },
});

/** Why a provider key could not be used, in the order in which it is found out. */
export const PROVIDER_TEST_FAILURES = [
  'provider_not_configured',
  'address_refused',
  'unreachable',
  'timed_out',
  'key_refused',
  'rate_limited',
  'provider_error',
  'unexpected_answer',
] as const;
export type ProviderTestFailure = (typeof PROVIDER_TEST_FAILURES)[number];

export const testProviderKey = defineOperation({
  ...providersOperation,
  // Asks the provider, as only services that call models do.
  service: 'research',
  id: 'testProviderKey',
  sdk: 'providerKeys.test',
  method: 'POST',
  path: '/api/v1/provider-keys/{provider}/test',
  summary: 'Ask the provider whether a stored key works',
  description:
    "Asks the provider for its list of models with the stored key, which costs nothing, and waits ten seconds at most. `ok` says that the provider took the key, `failure` what went wrong otherwise, `models` which of the installation's models of this provider it lists. Neither the key nor the provider's words are part of the answer.",
  action: 'write',
  scope: 'providers:write',
  idempotent: true,
  errors: ['not_found'],
  params: providerParams,
  body: z.strictObject({}).default({}),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        provider: z.string(),
        ok: z.boolean(),
        failure: z.enum(PROVIDER_TEST_FAILURES).nullable(),
        detail: z.string().meta({ description: 'A sentence about the outcome.' }),
        status: z.number().int().nullable().meta({ description: "The provider's HTTP status, if it answered." }),
        models: z
          .array(z.object({ model: z.string(), listed: z.boolean() }))
          .meta({ description: 'Empty unless `ok`.' }),
        took_ms: z.number().int(),
      })
      .meta({ id: 'ProviderKeyTest' }),
  },
});
