import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { type MadeClient } from './oauth-client.ts';
import { makeTenant, type RunningKeys, runKeys } from './keys-harness.ts';

const VERIFIER = 'v'.repeat(43);
const REDIRECT = 'https://app.example/back';

let keys: RunningKeys;
/** With a secret, and of another tenant. */
let client: MadeClient;
let other: MadeClient;
/** Without one: a connected app. */
let app: string;
beforeAll(async () => {
  keys = await runKeys();
  [client, other] = await Promise.all([make(), make()]);
  const registered = await keys.open('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [REDIRECT] }),
  });
  app = ((await registered.json()) as { client_id: string }).client_id;
});
afterAll(() => keys.close());

async function make(): Promise<MadeClient> {
  const { live } = await makeTenant(keys);
  const { body } = await keys.call(live, 'POST', '/api/v1/oauth-clients', { name: 'robot', scopes: ['usage:read'] });
  return { clientId: body['client_id'] as string, secret: body['client_secret'] as string };
}

type Fields = Record<string, string>;
/** The parameters of a client that authenticates in the body. */
const posted = ({ clientId, secret } = client): Fields => ({ client_id: clientId, client_secret: secret });
const basic = ({ clientId, secret } = client) => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
});
const code: Fields = { grant_type: 'authorization_code', code: 'c', code_verifier: VERIFIER, redirect_uri: REDIRECT };
const refresh: Fields = { grant_type: 'refresh_token', refresh_token: 'r' };
const own: Fields = { grant_type: 'client_credentials' };

async function refused(path: string, fields: Fields, headers: Fields = {}) {
  const response = await keys.open(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  const body = (await response.json()) as { error: string };
  const challenge = response.headers.get('www-authenticate');
  expect(challenge === null).toBe(response.status !== 401);
  return [response.status, body.error];
}

it.each<[string, () => [Fields, Fields?], number, string]>([
  // Missing, repeated and malformed parameters.
  ['a request without a grant type', () => [posted()], 400, 'invalid_request'],
  ['two ways to authenticate', () => [{ ...own, ...posted() }, basic()], 400, 'invalid_request'],
  ['a secret beside Basic for a code', () => [{ ...code, ...posted() }, basic()], 400, 'invalid_request'],
  ['a code without its client', () => [code], 400, 'invalid_request'],
  ['a refresh token without its client', () => [refresh], 400, 'invalid_request'],
  ['an app without a code', () => [{ ...code, code: '', client_id: app }], 400, 'invalid_request'],
  ['an app without a verifier', () => [{ ...code, code_verifier: '', client_id: app }], 400, 'invalid_request'],
  ['an app without a refresh token', () => [{ ...refresh, refresh_token: '', client_id: app }], 400, 'invalid_request'],
  // Clients that do not authenticate as they must.
  ['no client', () => [own], 401, 'invalid_client'],
  [
    'an unknown client',
    () => [{ ...own, ...posted({ ...client, clientId: newId('oauthClient') }) }],
    401,
    'invalid_client',
  ],
  ['a wrong secret', () => [{ ...own, ...posted({ ...client, secret: 'x' }) }], 401, 'invalid_client'],
  ['a wrong secret with a code', () => [{ ...code, ...posted({ ...client, secret: 'x' }) }], 401, 'invalid_client'],
  [
    'a wrong secret by Basic with a refresh token',
    () => [refresh, basic({ ...client, secret: 'x' })],
    401,
    'invalid_client',
  ],
  ['a client that leaves its secret out', () => [{ ...code, client_id: client.clientId }], 401, 'invalid_client'],
  [
    'a client that leaves its secret out when it refreshes',
    () => [{ ...refresh, client_id: client.clientId }],
    401,
    'invalid_client',
  ],
  ['an app that brings a secret', () => [{ ...code, client_id: app, client_secret: 'x' }], 401, 'invalid_client'],
  ['an app that asks for a token of its own', () => [{ ...own, client_id: app }], 401, 'invalid_client'],
  ['another scheme than Basic', () => [own, { authorization: 'Bearer x' }], 401, 'invalid_client'],
  // Codes and refresh tokens that are none.
  ['an unknown code', () => [{ ...code, client_id: app }], 400, 'invalid_grant'],
  ['an unknown refresh token', () => [{ ...refresh, client_id: app }], 400, 'invalid_grant'],
  // Clients that may not use the grant.
  ['a client with a secret and a code', () => [{ ...code, ...posted() }], 400, 'unauthorized_client'],
  ['a client with a secret by Basic and a code', () => [code, basic()], 400, 'unauthorized_client'],
  ['a client with a secret and a refresh token', () => [{ ...refresh, ...posted() }], 400, 'unauthorized_client'],
  ['a client with a secret by Basic and a refresh token', () => [refresh, basic()], 400, 'unauthorized_client'],
  // Grant types that nobody may use here.
  ...['password', 'implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer'].flatMap(
    (grant_type): [string, () => [Fields, Fields?], number, string][] => [
      [`the grant type ${grant_type}`, () => [{ grant_type, ...posted() }], 400, 'unsupported_grant_type'],
      [`the grant type ${grant_type} by Basic`, () => [{ grant_type }, basic()], 400, 'unsupported_grant_type'],
    ],
  ),
  // Scopes.
  ['a scope beyond the client’s', () => [{ ...own, ...posted(), scope: 'keys:write' }], 400, 'invalid_scope'],
  ['a scope that nobody knows', () => [{ ...own, ...posted(), scope: 'root' }], 400, 'invalid_scope'],
])('the token endpoint answers %s as RFC 6749, section 5.2, has it', async (_what, request, status, error) => {
  expect(await refused('/oauth/token', ...request())).toEqual([status, error]);
});

it.each<[string, () => [Fields, Fields?], number, string]>([
  ['no token', () => [posted()], 400, 'invalid_request'],
  ['no token of an app', () => [{ client_id: app }], 400, 'invalid_request'],
  ['two ways to authenticate', () => [{ ...posted(), token: 't' }, basic()], 400, 'invalid_request'],
  ['no client', () => [{ token: 't' }], 401, 'invalid_client'],
  ['a wrong secret', () => [{ ...posted({ ...client, secret: 'x' }), token: 't' }], 401, 'invalid_client'],
  ['a client that leaves its secret out', () => [{ client_id: client.clientId, token: 't' }], 401, 'invalid_client'],
  ['an app that brings a secret', () => [{ client_id: app, client_secret: 'x', token: 't' }], 401, 'invalid_client'],
])('the revocation endpoint answers %s as RFC 7009, section 2.2.1, has it', async (_what, request, status, error) => {
  expect(await refused('/oauth/revoke', ...request())).toEqual([status, error]);
});

it('the revocation endpoint tells a client that a token is of another, and takes an unknown one for revoked', async () => {
  const issued = await keys.open('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ ...own, ...posted() }),
  });
  const { access_token: token } = (await issued.json()) as { access_token: string };
  expect(await refused('/oauth/revoke', { ...posted(other), token })).toEqual([400, 'invalid_grant']);
  for (const hint of ['access_token', 'refresh_token', 'something_else']) {
    const body = new URLSearchParams({ ...posted(), token: 'unknown', token_type_hint: hint });
    expect((await keys.open('/oauth/revoke', { method: 'POST', body })).status).toBe(200);
  }
});
