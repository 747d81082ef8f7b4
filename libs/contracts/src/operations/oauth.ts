import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { SCOPES } from '../permissions.ts';
import { name, nextCursor, pageById, pathId, timestamp } from './shared.ts';

const OAuthClient = z
  .object({
    client_id: z.string(),
    name: z.string(),
    livemode: z.boolean(),
    scopes: z.array(z.enum(SCOPES)),
    parent_key_id: z.string().meta({ description: 'The key that made it.' }),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    usage_count: z.number().int(),
    expires_at: timestamp
      .nullable()
      .meta({ description: 'When its tokens end at the latest: with the key that made it.' }),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'OAuthClient' });

const clientOperation = { service: 'keys', app: 'keys', tag: 'OAuth', reach: 'tenant' } as const;

export const createOAuthClient = defineOperation({
  ...clientOperation,
  id: 'createOAuthClient',
  sdk: 'oauthClients.create',
  method: 'POST',
  path: '/api/v1/oauth-clients',
  summary: 'Create an OAuth client',
  description:
    'Creates a client for the client-credentials grant, within the permissions of the calling key. The secret is returned once. The client outlives the key that created it, unless that key is revoked with its descendants.',
  errors: ['plan_limit_reached'],
  action: 'write',
  scope: 'oauth:write',
  idempotent: true,
  body: z.strictObject({ name, scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length) }),
  response: {
    kind: 'json',
    status: 201,
    schema: OAuthClient.extend({
      client_secret: z
        .string()
        .optional()
        .meta({ description: 'The secret itself. In the answer that made it and never again.' }),
    }).meta({ id: 'OAuthClientWithSecret' }),
  },
});

export const listOAuthClients = defineOperation({
  ...clientOperation,
  id: 'listOAuthClients',
  sdk: 'oauthClients.list',
  method: 'GET',
  path: '/api/v1/oauth-clients',
  summary: 'List the OAuth clients of the tenant',
  description: "Lists the OAuth clients of the key's environment, oldest first, without their secrets.",
  action: 'read',
  scope: 'oauth:read',
  query: z.strictObject(pageById('oauthClient')),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ oauth_clients: z.array(OAuthClient), next_cursor: nextCursor }),
  },
});

export const getOAuthClient = defineOperation({
  ...clientOperation,
  id: 'getOAuthClient',
  sdk: 'oauthClients.get',
  method: 'GET',
  path: '/api/v1/oauth-clients/{client_id}',
  summary: 'Read one OAuth client',
  description: 'Returns one OAuth client with its scopes and usage, without its secret.',
  errors: ['not_found'],
  action: 'read',
  scope: 'oauth:read',
  params: z.strictObject({ client_id: pathId }),
  response: { kind: 'json', status: 200, schema: OAuthClient },
});

export const revokeOAuthClient = defineOperation({
  ...clientOperation,
  id: 'revokeOAuthClient',
  sdk: 'oauthClients.revoke',
  method: 'DELETE',
  path: '/api/v1/oauth-clients/{client_id}',
  summary: 'Revoke an OAuth client with all its tokens',
  description:
    'Revokes the client and every token issued to it: when the response arrives, no gateway accepts any of them. A repeat returns the same answer.',
  errors: ['not_found'],
  action: 'write',
  scope: 'oauth:write',
  params: z.strictObject({ client_id: pathId }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({ client_id: z.string(), revoked: z.literal(true), revoked_at: timestamp }),
  },
});

const OAUTH_BODY_MAX_BYTES = 16_384;
const openOperation = { service: 'keys', tag: 'OAuth', credential: 'none' } as const;

/** A parameter that is sent empty counts as not sent; more of them than one is an error (RFC 6749, 3.2). */
const parameter = z
  .string()
  .max(4_096)
  .transform((text) => (text === '' ? undefined : text))
  .optional();

const clientParameters = { client_id: parameter, client_secret: parameter };

export const issueOAuthToken = defineOperation({
  ...openOperation,
  id: 'issueOAuthToken',
  sdk: 'oauth.issueToken',
  method: 'POST',
  path: '/oauth/token',
  summary: 'Issue an access token (RFC 6749)',
  description:
    'Issues an access token. For `client_credentials` it is valid for an hour: the client authenticates by HTTP Basic or by `client_id` and `client_secret` in the body, and `scope` requests fewer scopes than the client has. A connected app, which has no secret, redeems its code with the verifier of PKCE (`authorization_code`) and then each refresh token once (`refresh_token`); its access tokens are valid for fifteen minutes. Errors have the format of RFC 6749.',
  speaks: 'oauth',
  bodyMaxBytes: OAUTH_BODY_MAX_BYTES,
  body: z.object({
    ...clientParameters,
    grant_type: parameter.meta({ description: '`client_credentials`, `authorization_code` or `refresh_token`' }),
    code: parameter,
    redirect_uri: parameter.meta({ description: 'The one that the code was led to.' }),
    code_verifier: parameter,
    refresh_token: parameter,
    resource: parameter.meta({ description: 'Of RFC 8707: the MCP endpoint that the app was connected to.' }),
    scope: parameter.meta({ description: "Separated by spaces; all of the client's when left out." }),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.number().int().meta({ description: 'Seconds.' }),
      scope: z.string(),
      refresh_token: z.string().optional().meta({ description: 'Of a connected app; it can be used once.' }),
    }),
  },
});

export const revokeOAuthToken = defineOperation({
  ...openOperation,
  id: 'revokeOAuthToken',
  sdk: 'oauth.revokeToken',
  method: 'POST',
  path: '/oauth/revoke',
  summary: 'Revoke a token (RFC 7009)',
  description:
    "Revokes one of the client's own tokens; either token of a connected app disconnects it. As RFC 7009 demands, a token that does not exist is answered in the same way as one that was revoked.",
  speaks: 'oauth',
  bodyMaxBytes: OAUTH_BODY_MAX_BYTES,
  body: z.object({ ...clientParameters, token: parameter, token_type_hint: parameter }),
  response: { kind: 'json', status: 200, schema: z.object({}) },
});

export const oauthMetadata = defineOperation({
  ...openOperation,
  id: 'oauthMetadata',
  sdk: 'oauth.metadata',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  summary: "Read the authorization server's metadata (RFC 8414)",
  description: "Returns the authorization server's metadata: its endpoints, grants, scopes and ways to authenticate.",
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({
      issuer: z.string(),
      authorization_endpoint: z.string(),
      registration_endpoint: z.string(),
      token_endpoint: z.string(),
      revocation_endpoint: z.string(),
      grant_types_supported: z.array(z.string()),
      response_types_supported: z.array(z.string()),
      scopes_supported: z.array(z.enum(SCOPES)),
      token_endpoint_auth_methods_supported: z.array(z.string()),
      revocation_endpoint_auth_methods_supported: z.array(z.string()),
      code_challenge_methods_supported: z.array(z.string()),
      authorization_response_iss_parameter_supported: z.boolean(),
      client_id_metadata_document_supported: z.boolean(),
      service_documentation: z.string(),
    }),
  },
});
