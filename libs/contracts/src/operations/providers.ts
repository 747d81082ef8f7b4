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
