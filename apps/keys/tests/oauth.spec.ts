import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createOAuthClient, Denial, KeyKind, newId, oauthMetadata, SCOPES } from '@cairn/contracts';
import { hasKeyForm, type Identity } from '@cairn/identity';
import {
  ClientSecretBasic,
  ClientSecretPost,
  None,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import pg from 'pg';
import { keyClient } from './changing-keys.ts';
import { type MadeClient, standardClient } from './oauth-client.ts';
import { BASE_URL, makeTenant, resolve, type RunningKeys, runKeys, type Tenant, tenantRef } from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
let oauth: ReturnType<typeof standardClient>;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
  oauth = standardClient(keys);
});
afterAll(() => keys.close());

const PATH = '/api/v1/oauth-clients';
const create = (body: unknown, identity: Identity = tenant.live, headers = {}) =>
  keys.call(identity, 'POST', PATH, body, headers);
async function make(scopes: string[] = ['memory:search', 'usage:read'], identity = tenant.live): Promise<MadeClient> {
  const { status, body } = await create({ name: 'robot', scopes }, identity);
  expect(status).toBe(201);
  return { clientId: body['client_id'] as string, secret: body['client_secret'] as string };
}
const refusal = async (asked: Promise<unknown>) => {
  const error: unknown = await asked.catch((reason: unknown) => reason);
  if (error instanceof ResponseBodyError) return [error.status, error.error];
  // It takes every challenge for one to a resource server, and leaves the body to us.
  if (error instanceof WWWAuthenticateChallengeError) {
    expect(error.cause).toMatchObject([{ scheme: 'basic' }]);
    return [error.status, ((await error.response.json()) as { error: string }).error];
  }
  throw new Error('not refused', { cause: error });
};
const form = (fields: Record<string, string> | [string, string][], headers = {}) =>
  keys.open('/oauth/token', { method: 'POST', body: new URLSearchParams(fields), headers });

describe('the way of a token', () => {
  it.each([
    ['client_secret_basic', ClientSecretBasic],
    ['client_secret_post', ClientSecretPost],
  ])('from discovery to revocation, by %s, is what a standard client expects', async (_method, authenticate) => {
    const client = await make();
    const token = await oauth.token(client, 'memory:search', authenticate);
    expect(token).toMatchObject({ token_type: 'bearer', scope: 'memory:search', expires_in: 3_600 });
    expect(token.access_token).toMatch(/^ot_/);
    expect(hasKeyForm(token.access_token)).toBe(true);
    const credential = await resolve(keys, token.access_token);
    expect(credential).toMatchObject({
      keyId: client.clientId,
      credentialId: expect.stringMatching(/^otk_/),
      tenantId: tenant.tenantId,
      livemode: true,
      kind: KeyKind.OAUTH,
      scopes: ['memory:search'],
      rateLimit: { requestsPerSecond: 50, burst: 100 },
    });
    await oauth.revoke(client, token.access_token, authenticate);
    expect(await resolve(keys, token.access_token)).toBe(Denial.REVOKED);
    await oauth.revoke(client, token.access_token, authenticate);
  });

  it('has all of its client’s scopes when it asks for none, and lives an hour', async () => {
    const client = await make();
    const token = await oauth.token(client);
    expect(token.scope).toBe('memory:search usage:read');
    keys.setTime(new Date(Date.now() + 3_599_000));
    expect(await resolve(keys, token.access_token)).toMatchObject({ keyId: client.clientId });
    keys.setTime(new Date(Date.now() + 3_600_500));
    expect(await resolve(keys, token.access_token)).toBe(Denial.EXPIRED);
    keys.setTime(null);
  });

  it('ends with its client: every token at once, and there is no further one', async () => {
    const client = await make();
    const tokens = await Promise.all(Array.from({ length: 5 }, () => oauth.token(client)));
    const other = await make();
    const kept = await oauth.token(other);
    const first = await keys.call(tenant.live, 'DELETE', `${PATH}/${client.clientId}`);
    expect(first).toMatchObject({ status: 200, body: { client_id: client.clientId, revoked: true } });
    for (const { access_token: token } of tokens) expect(await resolve(keys, token)).toBe(Denial.REVOKED);
    expect(await resolve(keys, kept.access_token)).toMatchObject({ keyId: other.clientId });
    expect(await refusal(oauth.token(client))).toEqual([401, 'invalid_client']);
    const again = await keys.call(tenant.live, 'DELETE', `${PATH}/${client.clientId}`);
    expect(again).toMatchObject({ status: 200, body: first.body });
  });

  it('is not outrun: no token that is requested while the client is revoked is valid afterwards', async () => {
    for (let round = 0; round < 8; round++) {
      const client = await make();
      const asked = Array.from({ length: 5 }, () => oauth.token(client).catch(() => null));
      await keys.call(tenant.live, 'DELETE', `${PATH}/${client.clientId}`);
      for (const token of await Promise.all(asked))
        if (token !== null) expect(await resolve(keys, token.access_token)).toBe(Denial.REVOKED);
    }
  });

  it('stops when its tenant is suspended', async () => {
    const own = await makeTenant(keys);
    const client = await make(['usage:read'], own.live);
    const token = await oauth.token(client);
    await keys.tenancy.applyTenant({
      tenant: { ...tenantRef(own.tenantId)!, revision: 2n, status: 'suspended' } as never,
    });
    expect(await resolve(keys, token.access_token)).toBe(Denial.TENANT_SUSPENDED);
    expect(await refusal(oauth.token(client))).toEqual([401, 'invalid_client']);
    await keys.tenancy.eraseKeys({ tenantId: own.tenantId });
    expect(await resolve(keys, token.access_token)).toBe(Denial.UNKNOWN);
  });

  it('counts as use of its client', async () => {
    const client = await make();
    await keys.gateway.reportUsage({ gatewayId: 'g', sequence: 1n, usage: [{ keyId: client.clientId, count: 3n }] });
    const { body } = await keys.call(tenant.live, 'GET', `${PATH}/${client.clientId}`);
    expect(body['usage_count']).toBe(3);
  });
});

describe('the token endpoint refuses in the shape of RFC 6749', () => {
  it.each<[string, (client: MadeClient) => Promise<unknown>, number, string]>([
    [
      'an unknown client',
      (client) => oauth.token({ ...client, clientId: newId('oauthClient') }),
      401,
      'invalid_client',
    ],
    ['a wrong secret', (client) => oauth.token({ ...client, secret: 'wrong' }), 401, 'invalid_client'],
    ['a scope beyond the client’s', (client) => oauth.token(client, 'keys:write'), 400, 'invalid_scope'],
    ['a scope beside one of its own', (client) => oauth.token(client, 'usage:read root'), 400, 'invalid_scope'],
  ])('%s', async (_what, ask, status, error) => {
    expect(await refusal(ask(await make()))).toEqual([status, error]);
  });

  it.each<
    [
      string,
      (client: MadeClient) => [Record<string, string> | [string, string][], Record<string, string>?],
      number,
      string,
    ]
  >([
    ['no client at all', () => [{ grant_type: 'client_credentials' }], 401, 'invalid_client'],
    [
      'no grant type',
      (client) => [{ client_id: client.clientId, client_secret: client.secret }],
      400,
      'invalid_request',
    ],
    [
      'another grant type',
      (client) => [{ grant_type: 'password', client_id: client.clientId, client_secret: client.secret }],
      400,
      'unsupported_grant_type',
    ],
    [
      'an unknown grant type',
      (client) => [{ grant_type: 'x', client_id: client.clientId, client_secret: client.secret }],
      400,
      'unsupported_grant_type',
    ],
    [
      'a parameter twice',
      (client) => [
        [
          ['grant_type', 'client_credentials'],
          ['grant_type', 'client_credentials'],
          ['client_id', client.clientId],
          ['client_secret', client.secret],
        ],
      ],
      400,
      'invalid_request',
    ],
    [
      'both ways to authenticate',
      (client) => [
        { grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.secret },
        { authorization: `Basic ${Buffer.from(`${client.clientId}:${client.secret}`).toString('base64')}` },
      ],
      400,
      'invalid_request',
    ],
    [
      'Basic that cannot be read',
      () => [{ grant_type: 'client_credentials' }, { authorization: 'Basic %%%' }],
      401,
      'invalid_client',
    ],
    [
      'Basic with a broken escape',
      () => [
        { grant_type: 'client_credentials' },
        { authorization: `Basic ${Buffer.from('a%:b').toString('base64')}` },
      ],
      401,
      'invalid_client',
    ],
    [
      'a NUL in the client’s id',
      () => [
        { grant_type: 'client_credentials' },
        { authorization: `Basic ${Buffer.from('a%00:b').toString('base64')}` },
      ],
      400,
      'invalid_request',
    ],
    ['a parameter that is far too long', () => [{ scope: 'x'.repeat(5_000) }], 400, 'invalid_request'],
    ['a body that is far too long', () => [{ scope: 'x'.repeat(20_000) }], 413, 'invalid_request'],
  ])('%s', async (_what, request, status, error) => {
    const [fields, headers] = request(await make());
    const response = await form(fields, headers);
    const body = (await response.json()) as Record<string, string>;
    expect([response.status, body['error']]).toEqual([status, error]);
    expect(body['error_description']).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    if (status === 401) expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  });

  it('JSON, and bytes that are no form', async () => {
    for (const init of [
      { body: '{}', headers: { 'content-type': 'application/json' } },
      { body: '%', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      { body: 'scope=%00', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ]) {
      const response = await keys.open('/oauth/token', { method: 'POST', ...init });
      expect([400, 401]).toContain(response.status);
      expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) });
    }
  });

  it('and ignores what it does not know, and what is empty', async () => {
    const client = await make();
    const response = await form({
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.secret,
      scope: '',
      audience: 'anything',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('pragma')).toBe('no-cache');
    expect(await response.json()).toMatchObject({ scope: 'memory:search usage:read' });
  });

  it('a missing table as an internal failure, without details', async () => {
    const own = await runKeys();
    try {
      const made = await makeTenant(own);
      const { body } = await own.call(made.live, 'POST', PATH, { name: 'x', scopes: ['usage:read'] });
      const superuser = new pg.Client({ connectionString: own.database.superuserUrl });
      await superuser.connect();
      await superuser.query('ALTER TABLE keys.oauth_tokens RENAME TO gone');
      await superuser.end();
      const response = await own.open('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: body['client_id'] as string,
          client_secret: body['client_secret'] as string,
        }),
      });
      const text = await response.text();
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(JSON.parse(text)).toMatchObject({
        error: expect.stringMatching(/^(server_error|temporarily_unavailable)$/),
      });
      expect(text).not.toMatch(/oauth_clients|relation|denied|node_modules/);
    } finally {
      await own.close();
    }
  });
});

describe('revocation of a token', () => {
  it('is for its own client, who is told that another’s is not its own', async () => {
    const [client, other] = [await make(), await make()];
    const token = await oauth.token(client);
    expect(await refusal(oauth.revoke(other, token.access_token))).toEqual([400, 'invalid_grant']);
    expect(await refusal(oauth.revoke({ ...client, secret: 'wrong' }, token.access_token))).toEqual([
      401,
      'invalid_client',
    ]);
    expect(await refusal(oauth.revoke(client, token.access_token, None))).toEqual([401, 'invalid_client']);
    expect(await resolve(keys, token.access_token)).toMatchObject({ keyId: client.clientId });
  });

  it('leaves the other tokens of the client, and takes any other text for a token that is gone', async () => {
    const client = await make();
    const [one, two] = [await oauth.token(client), await oauth.token(client)];
    for (const text of [one.access_token, 'nonsense', tenant.liveKey]) await oauth.revoke(client, text);
    expect(await resolve(keys, one.access_token)).toBe(Denial.REVOKED);
    expect(await resolve(keys, two.access_token)).toMatchObject({ keyId: client.clientId });
    expect(await resolve(keys, tenant.liveKey)).toMatchObject({ tenantId: tenant.tenantId });
  });
});

describe('a client', () => {
  it('is shown without its secret ever after, and is the tenant’s own', async () => {
    const own = await makeTenant(keys);
    const header = { 'idempotency-key': randomUUID() };
    const request = { name: 'robot', scopes: ['usage:read'] };
    const made = await create(request, own.live, header);
    expect(createOAuthClient.response.schema.safeParse(made.body).success).toBe(true);
    const { client_secret: secret, ...rest } = made.body;
    expect(secret).toMatch(/^ocs_[0-9A-Za-z]{49}$/);
    expect(hasKeyForm(secret as string)).toBe(false);
    const replayed = await create(request, own.live, header);
    expect(replayed).toMatchObject({ status: 201, body: rest });
    expect(replayed.body).not.toHaveProperty('client_secret');
    const at = `${PATH}/${rest['client_id'] as string}`;
    expect((await keys.call(own.live, 'GET', at)).body).toEqual(rest);
    expect((await keys.call(own.live, 'GET', PATH)).body).toEqual({ oauth_clients: [rest] });
    for (const identity of [own.test, tenant.live])
      for (const method of ['GET', 'DELETE'])
        expect(await keys.call(identity, method, at)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('of a test key acts in the test tenant', async () => {
    const token = await oauth.token(await make(['usage:read'], tenant.test));
    expect(await resolve(keys, token.access_token)).toMatchObject({ tenantId: tenant.testTenantId, livemode: false });
  });

  it('holds no more than the key that makes it: scopes, apps, addresses, rate and lifetime', async () => {
    const end = new Date(Date.now() + 600_000).toISOString();
    const key = await keyClient(keys, () => tenant).mint({
      scopes: ['oauth:write', 'usage:read'],
      app_permissions: { keys: ['write'], usage: ['read'] },
      ip_allowlist: ['10.0.0.0/8'],
      rate_limit: { requests_per_second: 2, burst: 3 },
      expires_at: end,
    });
    expect(await create({ name: 'x', scopes: ['memory:search'] }, key.caller)).toMatchObject({ status: 403 });
    const client = await make(['usage:read'], key.caller);
    const token = await oauth.token(client);
    expect(token.expires_in).toBeLessThanOrEqual(600);
    expect(await resolve(keys, token.access_token)).toMatchObject({
      scopes: ['usage:read'],
      appPermissions: expect.arrayContaining([expect.objectContaining({ app: 'usage', actions: ['read'] })]),
      ipAllowlist: ['10.0.0.0/8'],
      rateLimit: { requestsPerSecond: 2, burst: 3 },
    });
  });

  it('is made by no ephemeral key, memory key or token, and needs oauth:write', async () => {
    const client = keyClient(keys, () => tenant);
    const ephemeral = await client.mint({ type: 'ephemeral' });
    const below = await client.mint({}, ephemeral.caller);
    const request = { name: 'x', scopes: ['usage:read'] };
    for (const identity of [
      ephemeral.caller,
      below.caller,
      { ...tenant.live, kind: 'oauth' as const },
      { ...tenant.live, kind: 'memory' as const },
      { ...tenant.live, scopes: SCOPES.filter((scope) => scope !== 'oauth:write') },
    ])
      expect(await create(request, identity)).toMatchObject({ status: 403 });
  });

  it.each([
    ['no name', { scopes: ['usage:read'] }],
    ['no scopes', { name: 'x' }],
    ['an empty list of scopes', { name: 'x', scopes: [] }],
    ['an unknown scope', { name: 'x', scopes: ['root'] }],
    ['an unknown field', { name: 'x', scopes: ['usage:read'], redirect_uris: [] }],
  ])('with %s is refused', async (_what, body) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  });
});

describe('the metadata', () => {
  it('names the endpoints by the address that callers know', async () => {
    const response = await keys.open('/.well-known/oauth-authorization-server');
    const body = (await response.json()) as { issuer: string; token_endpoint: string };
    expect(oauthMetadata.response.schema.safeParse(body).success).toBe(true);
    expect(body).toMatchObject({ issuer: BASE_URL, token_endpoint: `${BASE_URL}/oauth/token` });
  });

  it('is, like the other paths without a credential, answered to nobody who came past the gateway', async () => {
    for (const [method, path] of [
      ['GET', '/.well-known/oauth-authorization-server'],
      ['POST', '/oauth/token'],
      ['POST', '/oauth/revoke'],
    ] as const)
      for (const identity of [null, tenant.live]) {
        const answer = await keys.call(identity, method, path);
        expect(answer.status).toBe(401);
      }
  });
});
