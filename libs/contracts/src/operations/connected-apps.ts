import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { APP_SCOPES, SCOPES } from '../permissions.ts';
import { nextCursor, pageById, pathId, timestamp } from './shared.ts';

const URI_MAX_CHARS = 2_048;
const CLIENT_ID_MAX_CHARS = 1_024;
const STATE_MAX_CHARS = 4_096;
const SCOPE_MAX_CHARS = 1_024;
const REDIRECTS_MAX = 10;
const NAME_MAX_CHARS = 200;
const REGISTRATION_MAX_BYTES = 32_768;

const scopes = z.array(z.enum(SCOPES));
const uri = z.string().min(1).max(URI_MAX_CHARS);

const openOperation = { service: 'keys', tag: 'OAuth', credential: 'none' } as const;

export const readResourceMetadata = defineOperation({
  ...openOperation,
  id: 'readResourceMetadata',
  sdk: 'oauth.resourceMetadata',
  method: 'GET',
  path: '/.well-known/oauth-protected-resource/api/v1/spaces/{space_id}/mcp',
  summary: 'Read the metadata of an MCP endpoint (RFC 9728)',
  description:
    'Says where a client of the Model Context Protocol gets a token for the endpoint of a space. The endpoint names this address in the `WWW-Authenticate` header of its 401. It says nothing about whether the space exists.',
  errors: ['not_found'],
  params: z.strictObject({ space_id: pathId }),
  response: {
    kind: 'json',
    status: 200,
    schema: z.object({
      resource: z.string(),
      authorization_servers: z.array(z.string()),
      scopes_supported: scopes,
      bearer_methods_supported: z.array(z.string()),
      resource_name: z.string(),
    }),
  },
});

const text = (maxChars: number) => z.string().min(1).max(maxChars);

export const registerAppClient = defineOperation({
  ...openOperation,
  id: 'registerAppClient',
  sdk: 'oauth.register',
  method: 'POST',
  path: '/oauth/register',
  summary: 'Register a client that people connect by signing in (RFC 7591)',
  description:
    'Registers a public client: it gets an id and no secret, and may do nothing until a person connects it. A registration that nobody connects ends after a day. What the client asks for besides is answered with what it gets.',
  errors: ['rate_limited'],
  bodyMaxBytes: REGISTRATION_MAX_BYTES,
  // RFC 7591: what the server does not understand is ignored.
  body: z.object({
    redirect_uris: z
      .array(uri)
      .min(1)
      .max(REDIRECTS_MAX)
      .meta({ description: 'Each https, or http on the loopback interface, where the port may differ.' }),
    client_name: text(NAME_MAX_CHARS).optional(),
  }),
  response: {
    kind: 'json',
    status: 201,
    schema: z.object({
      client_id: z.string(),
      client_id_issued_at: z.number().int().meta({ description: 'Seconds since 1970.' }),
      client_name: z.string(),
      redirect_uris: z.array(z.string()),
      token_endpoint_auth_method: z.literal('none'),
      grant_types: z.array(z.string()),
      response_types: z.array(z.string()),
    }),
  },
});

const personal = { service: 'keys', app: 'keys', tag: 'OAuth', reach: 'tenant', scope: null } as const;

const codeRequest = {
  client_id: text(CLIENT_ID_MAX_CHARS).meta({
    description: 'As registered, or the https address of a client id metadata document.',
  }),
  redirect_uri: uri,
  resource: uri.meta({ description: 'Of RFC 8707: the `mcp_url` of the space.' }),
  code_challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'is not a SHA-256 in base64url'),
  code_challenge_method: z.literal('S256'),
  state: z.string().max(STATE_MAX_CHARS).optional(),
};

export const previewAuthorization = defineOperation({
  ...personal,
  id: 'previewAuthorization',
  sdk: 'apps.preview',
  method: 'GET',
  path: '/api/v1/oauth/authorizations',
  summary: 'Read what an app asks for',
  description:
    'Checks the request of a client that wants to be connected to a space, and says who asks, for which space, and what the caller can grant: what is asked for of that which the caller holds itself. Grants nothing.',
  errors: ['not_found', 'validation_failed'],
  action: 'read',
  query: z.strictObject({
    ...codeRequest,
    response_type: z.literal('code'),
    scope: z.string().max(SCOPE_MAX_CHARS).optional().meta({ description: 'Separated by spaces.' }),
  }),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({
        client: z.object({
          client_id: z.string(),
          name: z.string().meta({ description: 'As the client calls itself; nobody has checked it.' }),
          redirect_host: z.string().meta({ description: 'Where the browser is led with the code.' }),
          on_this_device: z.boolean().meta({ description: 'It is led to a program on the device of the browser.' }),
        }),
        space: z.object({ space_id: z.string(), name: z.string(), memory_id: z.string() }),
        scopes: scopes.meta({ description: 'What can be granted.' }),
        denied_url: z.string().meta({ description: 'Where the browser is led by whoever refuses.' }),
      })
      .meta({ id: 'AuthorizationPreview' }),
  },
});

export const authorizeApp = defineOperation({
  ...personal,
  id: 'authorizeApp',
  sdk: 'apps.authorize',
  method: 'POST',
  path: '/api/v1/oauth/authorizations',
  summary: 'Connect an app to a space',
  description:
    'Grants a client some of what the caller may do in one space, and returns the address that leads the browser back to it with a code. The client redeems the code once, within a minute, with the verifier of PKCE. What it gets ends with the key or the member that the caller stands for, and never does more than that.',
  errors: ['not_found', 'permission_denied', 'memory_not_permitted', 'conflict'],
  action: 'write',
  body: z.strictObject({
    ...codeRequest,
    scopes: z.array(z.enum(SCOPES)).min(1).max(APP_SCOPES.length),
  }),
  response: {
    kind: 'json',
    status: 201,
    schema: z.object({ app_id: z.string(), redirect_to: z.string() }).meta({ id: 'AppAuthorization' }),
  },
});

const ConnectedApp = z
  .object({
    app_id: z.string(),
    client_id: z.string(),
    client_name: z.string(),
    key_id: z.string().meta({ description: 'The key or the member that connected it.' }),
    key_name: z.string(),
    memory_id: z.string(),
    space_id: z.string(),
    scopes: scopes.meta({ description: 'What was granted; what the key or member no longer holds does not count.' }),
    connected_at: timestamp,
    last_used_at: timestamp.nullable().meta({ description: 'When it last fetched a token.' }),
    expires_at: timestamp.meta({ description: 'When it ends unless it fetches a token before.' }),
    disconnected_at: timestamp.nullable(),
  })
  .meta({ id: 'ConnectedApp' });

export const listConnectedApps = defineOperation({
  ...personal,
  id: 'listConnectedApps',
  sdk: 'apps.list',
  method: 'GET',
  path: '/api/v1/connected-apps',
  summary: 'List connected apps',
  description:
    'Lists the apps that the calling key or member has connected, oldest first, and with the scope `oauth:read` those of everybody in the environment; also those that ended in the last thirty days.',
  action: 'read',
  query: z.strictObject(pageById('connectedApp')),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({ connected_apps: z.array(ConnectedApp), next_cursor: nextCursor })
      .meta({ id: 'ConnectedAppPage' }),
  },
});

export const disconnectApp = defineOperation({
  ...personal,
  id: 'disconnectApp',
  sdk: 'apps.disconnect',
  method: 'DELETE',
  path: '/api/v1/connected-apps/{app_id}',
  summary: 'Disconnect an app',
  description:
    "Ends a connected app: when it answers, every gateway refuses its tokens. Somebody else's app needs the scope `oauth:write`. A repeat returns the same answer.",
  errors: ['not_found'],
  action: 'write',
  params: z.strictObject({ app_id: pathId }),
  response: {
    kind: 'json',
    status: 200,
    schema: z
      .object({ app_id: z.string(), disconnected: z.literal(true), disconnected_at: timestamp })
      .meta({ id: 'DisconnectedApp' }),
  },
});
