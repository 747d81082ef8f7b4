import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { type SharedCairn, sharedCairn } from '@cairn/testing';
import { api, ingest, openSession } from './api.ts';
import {
  APP_REDIRECT,
  challenge,
  codeOf,
  type ConnectedApp,
  connectApp,
  register,
  tokenRequest,
} from './app-sign-in.ts';
import { type NewTenant, operator } from './operator.ts';

let cairn: SharedCairn;
let owner: NewTenant;
let stranger: NewTenant;
let space: { space_id: string; memory_id: string; mcp_url: string };
let otherSpace: { space_id: string };
/** The owner's browser: the session in its cookie, from a page of the console. */
let browser: Record<string, string>;
beforeAll(async () => {
  cairn = await sharedCairn();
  owner = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'One', '--plan', 'enterprise');
  stranger = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Two', '--plan', 'enterprise');
  const call = (path: string, body: object) => api(cairn.baseUrl, owner.api_key, 'POST', `/api/v1${path}`, body);
  space = (await call('/spaces', { name: 'Station' })).body;
  otherSpace = (await call('/spaces', { name: 'Other' })).body;
  await ingest(cairn.baseUrl, owner.api_key, [{ content: 'The heron left on 3 October.', space_id: space.space_id }]);
  browser = await browserOf(owner.api_key);
}, 120_000);
afterAll(() => cairn.remove());

async function browserOf(apiKey: string): Promise<Record<string, string>> {
  const { cookie } = await openSession(cairn.baseUrl, apiKey);
  return { cookie, origin: cairn.baseUrl, 'sec-fetch-site': 'same-origin' };
}

const AUTHORIZATIONS = '/api/v1/oauth/authorizations';
const SCOPES = ['spaces:read', 'memory:search'];

/** The official client's memory of a sign-in; where it would open a browser it keeps the address. */
class Keeper implements OAuthClientProvider {
  redirectUrl = APP_REDIRECT;
  clientMetadata = { client_name: 'Official client', redirect_uris: [APP_REDIRECT] };
  asked: URL | undefined;
  kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string } = {};
  state = () => 'what-the-client-remembers';
  clientInformation = () => this.kept.client;
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.kept.client = client;
  }
  tokens = () => this.kept.tokens;
  saveTokens(tokens: OAuthTokens): void {
    this.kept.tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.kept.verifier = verifier;
  }
  codeVerifier = () => this.kept.verifier!;
  invalidateCredentials(what: string): void {
    if (what === 'tokens') delete this.kept.tokens;
  }
}

const transportFor = (keeper: Keeper) =>
  new StreamableHTTPClientTransport(new URL(space.mcp_url), { authProvider: keeper });
const newClient = () => new Client({ name: 'spec', version: '1.0.0' });
type Transport = Parameters<Client['connect']>[0];

/** What the page of the console does with the address that a client leads a browser to. */
async function consentTo(asked: URL): Promise<URL> {
  expect(asked.origin + asked.pathname).toBe(`${cairn.baseUrl}/console/authorize`);
  const { response_type, scope, ...rest } = Object.fromEntries(asked.searchParams);
  const query = new URLSearchParams({ ...rest, response_type: response_type!, scope: scope! });
  const preview = await api(cairn.baseUrl, null, 'GET', `${AUTHORIZATIONS}?${query.toString()}`, undefined, browser);
  expect(preview).toMatchObject({
    status: 200,
    body: {
      client: { name: 'Official client', redirect_host: '127.0.0.1:41000', on_this_device: true },
      space: { space_id: space.space_id, name: 'Station' },
    },
  });
  const scopes = preview.body.scopes.filter((one: string) => one !== 'documents:write');
  const granted = await api(cairn.baseUrl, null, 'POST', AUTHORIZATIONS, { ...rest, scopes }, browser);
  expect(granted.status).toBe(201);
  return new URL(granted.body.redirect_to);
}

describe('the official client of the Model Context Protocol', () => {
  it('finds where to sign in, registers, is consented to, lists tools, asks, refreshes, and is refused once it is disconnected', async () => {
    const keeper = new Keeper();
    const first = transportFor(keeper);
    await expect(newClient().connect(first as Transport)).rejects.toThrow(UnauthorizedError);
    const led = await consentTo(keeper.asked!);
    expect(led.searchParams.get('state')).toBe('what-the-client-remembers');
    expect(led.searchParams.get('iss')).toBe(cairn.baseUrl);
    await first.finishAuth(led.searchParams.get('code')!);

    const client = newClient();
    await client.connect(transportFor(keeper) as Transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['search_memory', 'read_thread']));
    expect(tools.map(({ name }) => name)).not.toContain('add_document');
    const found = await client.callTool({ name: 'search_memory', arguments: { query: 'When did the heron leave?' } });
    expect(JSON.stringify(found.content)).toContain('3 October');

    // As when fifteen minutes are over: the gateway refuses the token, and the client fetches the next by itself.
    const before = keeper.kept.tokens!;
    keeper.kept.tokens = { ...before, access_token: 'ot_expired' };
    expect((await client.listTools()).tools).toHaveLength(tools.length);
    expect(keeper.kept.tokens.refresh_token).not.toBe(before.refresh_token);

    const listed = await api(cairn.baseUrl, owner.api_key, 'GET', '/api/v1/connected-apps');
    const app = listed.body.connected_apps.find(
      (one: { client_name: string }) => one.client_name === 'Official client',
    );
    expect(app).toMatchObject({
      space_id: space.space_id,
      disconnected_at: null,
      client_id: keeper.kept.client!.client_id,
    });
    const ended = await api(cairn.baseUrl, null, 'DELETE', `/api/v1/connected-apps/${app.app_id}`, undefined, browser);
    expect(ended.status).toBe(200);
    keeper.asked = undefined;
    await expect(client.listTools()).rejects.toThrow(UnauthorizedError);
    // Nothing is left to it but to ask its person again.
    expect(keeper.asked).toBeInstanceOf(URL);
    await client.close();
  }, 60_000);
});

describe('a connected app', () => {
  let app: ConnectedApp;
  beforeAll(async () => {
    app = await connectApp(cairn.baseUrl, { space_id: space.space_id, headers: browser });
  });
  const as = (method: string, path: string, body?: unknown) =>
    api(cairn.baseUrl, null, method, path, body, { authorization: `Bearer ${app.access_token}` });
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const mcp = (spaceId: string) => as('POST', `/api/v1/spaces/${spaceId}/mcp`, message);

  it('reaches its space and no other, with what was granted and no more', async () => {
    const who = await as('GET', '/api/v1/whoami');
    expect(who.body.credential).toMatchObject({
      kind: 'memory',
      space_id: space.space_id,
      scopes: SCOPES,
      name: 'Field notes',
    });
    const refused = await mcp(otherSpace.space_id);
    expect([403, 404]).toContain(refused.status);
    for (const [method, path, body] of [
      ['GET', '/api/v1/api-keys'],
      ['POST', '/api/v1/api-keys', { name: 'more' }],
      ['POST', '/api/v1/memory/documents', { content: 'x' }],
      ['POST', '/api/v1/console/tickets'],
      ['GET', '/api/v1/connected-apps'],
    ] as const)
      expect([path, (await as(method, path, body)).status]).toEqual([path, 403]);
  });

  it('ends with the session’s key, and loses what the key loses', async () => {
    const made = await api(cairn.baseUrl, owner.api_key, 'POST', '/api/v1/api-keys', { name: 'of a person' });
    const theirs = await connectApp(cairn.baseUrl, {
      space_id: space.space_id,
      headers: await browserOf(made.body.api_key),
    });
    const bearer = { authorization: `Bearer ${theirs.access_token}` };
    const scopes = async () =>
      (await api(cairn.baseUrl, null, 'GET', '/api/v1/whoami', undefined, bearer)).body.credential?.scopes;
    expect(await scopes()).toEqual(SCOPES);
    const path = `/api/v1/api-keys/${made.body.key_id}`;
    await api(cairn.baseUrl, owner.api_key, 'PATCH', path, { scopes: ['spaces:read'] });
    expect(await scopes()).toEqual(['spaces:read']);
    await api(cairn.baseUrl, owner.api_key, 'DELETE', path);
    const after = await api(cairn.baseUrl, null, 'GET', '/api/v1/whoami', undefined, bearer);
    expect(after).toMatchObject({ status: 401, body: { code: 'credential_revoked' } });
    const again = { grant_type: 'refresh_token', client_id: theirs.client_id, refresh_token: theirs.refresh_token };
    expect(await tokenRequest(cairn.baseUrl, again)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('is ended as a whole by the second use of a refresh token', async () => {
    const stolen = await connectApp(cairn.baseUrl, { space_id: space.space_id, headers: browser });
    const use = (refresh_token: string) =>
      tokenRequest(cairn.baseUrl, { grant_type: 'refresh_token', client_id: stolen.client_id, refresh_token });
    const next = await use(stolen.refresh_token);
    expect(next.status).toBe(200);
    expect(await use(stolen.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await use(next.body.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    for (const token of [stolen.access_token, next.body.access_token]) {
      const answer = await api(cairn.baseUrl, token, 'GET', '/api/v1/whoami');
      expect(answer).toMatchObject({ status: 401, body: { code: 'credential_revoked' } });
    }
  });

  it('is ended by the second use of a refresh token however many were fetched since, which are few', async () => {
    const stolen = await connectApp(cairn.baseUrl, { space_id: space.space_id, headers: browser });
    const use = (refresh_token: string) =>
      tokenRequest(cairn.baseUrl, { grant_type: 'refresh_token', client_id: stolen.client_id, refresh_token });
    let newest = stolen.refresh_token;
    for (let used = 1; used < 20; used++) {
      const { status, body } = await use(newest);
      expect(status).toBe(200);
      newest = body.refresh_token;
    }
    expect((await use(newest)).status).toBe(429);
    expect(await use(stolen.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await use(newest)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('tells whoever has no valid token where to get one', async () => {
    const attempts: [Record<string, string>, string][] = [
      [{}, ''],
      [{ authorization: `Bearer ${stolenForm(app.access_token)}` }, 'error="invalid_token", '],
    ];
    for (const [headers, error] of attempts) {
      const answer = await api(cairn.baseUrl, null, 'POST', `/api/v1/spaces/${space.space_id}/mcp`, message, headers);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(
        new RegExp(
          `^Bearer ${error}resource_metadata="${cairn.baseUrl}/.well-known/oauth-protected-resource/api/v1/spaces/${space.space_id}/mcp"`,
        ),
      );
    }
  });
});

/** The same text with its last character changed. */
function stolenForm(token: string): string {
  return token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
}

describe('a request for a code is refused', () => {
  let clientId: string;
  beforeAll(async () => {
    clientId = await register(cairn.baseUrl);
  });
  const asked = (more: object = {}) => {
    const { verifier: _verifier, ...pkce } = challenge();
    return {
      client_id: clientId,
      redirect_uri: APP_REDIRECT,
      resource: space.mcp_url,
      ...pkce,
      scopes: SCOPES,
      ...more,
    };
  };
  const grant = (body: object, headers = browser) => api(cairn.baseUrl, null, 'POST', AUTHORIZATIONS, body, headers);

  it.each([
    ['another address of the client', { redirect_uri: 'https://evil.test/callback' }, 422],
    ['another path on the device', { redirect_uri: 'http://127.0.0.1:41000/other' }, 422],
    ['plain PKCE', { code_challenge_method: 'plain' }, 422],
    ['no PKCE', { code_challenge: undefined }, 422],
    ['a client that nobody knows', { client_id: 'acl_1111111111111111111111' }, 422],
    ['a document on this network', { client_id: 'https://127.0.0.1/client.json' }, 422],
    ['another server’s resource', { resource: 'https://other.test/api/v1/spaces/spc_1/mcp' }, 422],
    ['a scope that apps do not get', { scopes: ['spaces:read', 'keys:write'] }, 422],
  ])('for %s', async (_what, more, status) => {
    expect((await grant(asked(more))).status).toBe(status);
  });

  it('for a page of another host, without a session, and for another tenant’s space', async () => {
    expect((await grant(asked(), { ...browser, origin: 'https://evil.test' })).status).toBe(403);
    expect((await grant(asked(), { ...browser, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await grant(asked(), {})).status).toBe(401);
    expect((await grant(asked(), await browserOf(stranger.api_key))).status).toBe(404);
  });

  it('for more than the session’s key holds', async () => {
    const made = { name: 'reads', scopes: ['spaces:read'] };
    const { api_key } = (await api(cairn.baseUrl, owner.api_key, 'POST', '/api/v1/api-keys', made)).body;
    expect((await grant(asked(), await browserOf(api_key))).status).toBe(403);
  });

  it('for a registration with an address that is neither https nor on the device', async () => {
    const body = { redirect_uris: ['http://app.test/callback'] };
    const answer = await api(cairn.baseUrl, null, 'POST', '/oauth/register', body);
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
  });
});

describe('a code', () => {
  async function newCode() {
    const client_id = await register(cairn.baseUrl);
    const { verifier, ...pkce } = challenge();
    const body = { client_id, redirect_uri: APP_REDIRECT, resource: space.mcp_url, ...pkce, scopes: SCOPES };
    const granted = await api(cairn.baseUrl, null, 'POST', AUTHORIZATIONS, body, browser);
    const fields = {
      grant_type: 'authorization_code',
      client_id,
      code: codeOf(granted.body.redirect_to),
      redirect_uri: APP_REDIRECT,
      code_verifier: verifier,
    };
    return { fields, appId: granted.body.app_id as string };
  }

  it('is redeemed by its client alone, with its address, verifier and resource, whatever others try before', async () => {
    const { fields } = await newCode();
    const wrong = [
      [{ client_id: await register(cairn.baseUrl) }, 'invalid_grant'],
      [{ redirect_uri: 'http://127.0.0.1:41001/callback' }, 'invalid_grant'],
      [{ code_verifier: challenge().verifier }, 'invalid_grant'],
      [{ resource: `${cairn.baseUrl}/api/v1/spaces/${otherSpace.space_id}/mcp` }, 'invalid_target'],
    ] as const;
    for (const [more, error] of wrong)
      expect(await tokenRequest(cairn.baseUrl, { ...fields, ...more })).toMatchObject({ status: 400, body: { error } });
    expect((await tokenRequest(cairn.baseUrl, fields)).status).toBe(200);
  });

  it('that is used twice ends what came of it', async () => {
    const { fields, appId } = await newCode();
    const { body } = await tokenRequest(cairn.baseUrl, fields);
    expect(await tokenRequest(cairn.baseUrl, fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await api(cairn.baseUrl, body.access_token, 'GET', '/api/v1/whoami')).status).toBe(401);
    const listed = await api(cairn.baseUrl, owner.api_key, 'GET', '/api/v1/connected-apps?limit=100');
    const app = listed.body.connected_apps.find((one: { app_id: string }) => one.app_id === appId);
    expect(app.disconnected_at).not.toBeNull();
  });
});
