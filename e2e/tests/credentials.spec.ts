import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type OpenidProvider, type RunningCairn, startCairn, startOpenidProvider } from '@cairn/testing';
import * as oauth from 'oauth4webapi';
import { api, openSession } from './api.ts';
import { conformanceCheckedApi, type ConformanceCheckedCall } from './conformance-checks.ts';
import { databaseOf } from './installation-state.ts';

let provider: OpenidProvider;
let cairn: RunningCairn;
let call: ConformanceCheckedCall;
beforeAll(async () => {
  provider = await startOpenidProvider();
  cairn = await startCairn({
    env: {
      CAIRN_OIDC_ISSUER: provider.issuer,
      CAIRN_OIDC_CLIENT_ID: provider.clientId,
      CAIRN_OIDC_CLIENT_SECRET: provider.clientSecret,
      CAIRN_OIDC_NAME: 'Example',
    },
  });
  call = await conformanceCheckedApi(cairn);
}, 90_000);
afterAll(async () => {
  await cairn.remove();
  await provider.close();
});

const KEYS = '/api/v1/api-keys';
const mint = async (body: object) => (await call('POST', KEYS, { name: 'x', ...body })).body;
const search = (key: string) => call('POST', '/api/v1/memory/search', { query: 'anything' }, { key });

describe('a key', () => {
  it('has the fields of the interface, its plaintext in the answer that makes it and never again', async () => {
    const made = await mint({ name: 'robot', scopes: ['memory:search'], ip_allowlist: [`${cairn.hostAddress}/32`] });
    expect(made).toMatchObject({
      key_id: expect.any(String),
      name: 'robot',
      prefix: made.api_key.slice(0, 12),
      scopes: ['memory:search'],
      created_at: expect.any(String),
      last_used_at: null,
      usage_count: 0,
      expires_at: null,
    });
    const { api_key: plaintext, ...shown } = made;
    expect((await call('GET', `${KEYS}/${made.key_id}`)).body).toEqual(shown);
    expect((await search(plaintext)).status).toBe(200);
    expect((await call('GET', '/api/v1/memories', undefined, { key: plaintext })).body.code).toBe('permission_denied');
  });

  it('counts its use exactly, a few seconds late', async () => {
    const made = await mint({});
    const before = Date.now();
    await Promise.all(Array.from({ length: 25 }, () => search(made.api_key)));
    await eventually(
      async () => (await call('GET', `${KEYS}/${made.key_id}`)).body.usage_count,
      (count) => count === 25,
      30_000,
    );
    await sleep(2_500);
    const { body } = await call('GET', `${KEYS}/${made.key_id}`);
    expect(body.usage_count).toBe(25);
    expect(Date.parse(body.last_used_at)).toBeGreaterThanOrEqual(before);
  });

  it('is replaced by a rotation: both are good during the overlap, then only the replacement', async () => {
    const original = await mint({ scopes: ['memory:search'] });
    const rotated = await call('POST', `${KEYS}/${original.key_id}/rotate`, { overlap_seconds: 5 });
    expect(rotated.status).toBe(201);
    expect(rotated.body).toMatchObject({ scopes: ['memory:search'], rotated_from: { key_id: original.key_id } });
    for (const key of [original.api_key, rotated.body.api_key]) expect((await search(key)).status).toBe(200);
    await eventually(async () => (await call('GET', `${KEYS}/${original.key_id}`)).body.revoked_at !== null);
    expect((await search(rotated.body.api_key)).status).toBe(200);
    expect(await search(original.api_key)).toMatchObject({ status: 401, body: { code: 'credential_revoked' } });
    expect((await call('POST', `${KEYS}/${original.key_id}/rotate`, {})).status).toBe(409);
  });

  it('is revoked for good, and the answer is the same again', async () => {
    const made = await mint({});
    const first = await call('DELETE', `${KEYS}/${made.key_id}`);
    expect(first).toMatchObject({ status: 200, body: { key_id: made.key_id, revoked: true } });
    expect((await call('DELETE', `${KEYS}/${made.key_id}`)).body).toEqual(first.body);
    expect(await search(made.api_key)).toMatchObject({ status: 401, body: { code: 'credential_revoked' } });
  });
});

describe('OAuth 2 client credentials', () => {
  it('work with a standard client: discovery, token, use within its scopes, refusal outside, revocation', async () => {
    const made = await call('POST', '/api/v1/oauth-clients', {
      name: 'robot',
      scopes: ['memory:search', 'usage:read'],
    });
    expect(made.status).toBe(201);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(cairn.baseUrl);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    const client = { client_id: made.body.client_id as string };
    for (const authenticate of [oauth.ClientSecretBasic, oauth.ClientSecretPost]) {
      const authentication = authenticate(made.body.client_secret as string);
      const token = await oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(server, client, authentication, { scope: 'memory:search' }, insecure),
      );
      expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3_600, scope: 'memory:search' });
      const asBearer = await oauth.protectedResourceRequest(
        token.access_token,
        'POST',
        new URL('/api/v1/memory/search', cairn.baseUrl),
        new Headers({ 'content-type': 'application/json' }),
        JSON.stringify({ query: 'anything' }),
        insecure,
      );
      expect(asBearer.status).toBe(200);
      expect((await search(token.access_token)).status).toBe(200);
      expect(await call('GET', '/api/v1/memories', undefined, { key: token.access_token })).toMatchObject({
        status: 403,
        body: { code: 'permission_denied', detail: 'The key lacks scope memories:read.' },
      });
      // A token that was never used is not remembered anywhere.
      const unused = await oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(server, client, authentication, {}, insecure),
      );
      const revoked = await oauth.revocationRequest(server, client, authentication, unused.access_token, insecure);
      await oauth.processRevocationResponse(revoked);
      expect(await search(unused.access_token)).toMatchObject({ status: 401, body: { code: 'credential_revoked' } });
    }
    const deleted = await call('DELETE', `/api/v1/oauth-clients/${client.client_id}`);
    expect(deleted).toMatchObject({ status: 200, body: { revoked: true } });
    const refused = await fetch(`${cairn.baseUrl}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...client,
        client_secret: made.body.client_secret,
        grant_type: 'client_credentials',
      }),
    });
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([401, 'invalid_client']);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
  });
});

const SIGN_IN = '/api/v1/console/sign-in';
const SESSIONS = '/api/v1/console/sessions';
const fromPage = () => ({ origin: cairn.baseUrl, 'sec-fetch-site': 'same-origin' });
const ADA = { subject: 'ada', email: 'ada@example.com', emailVerified: true, name: 'Ada' };

/** Signs in as a browser does, up to the answer to its last request. */
async function signIn(person: typeof ADA, change: { state?: string } = {}) {
  const headers = fromPage();
  const begun = await api(cairn.baseUrl, null, 'POST', SIGN_IN, {}, headers);
  await provider.signInAs(person);
  const proof = { attempt: begun.body.attempt, ...(await provider.visit(begun.body.url)), ...change };
  const finish = () => api(cairn.baseUrl, null, 'POST', SESSIONS, { sign_in: proof }, headers);
  return { opened: await finish(), again: finish };
}

describe('a person', () => {
  it('signs in with the identity provider, acts under the own name, and ends with the removal', async () => {
    await call('POST', '/api/v1/invitations', { email: ADA.email, role: 'admin' });
    const { opened, again } = await signIn(ADA);
    expect(opened).toMatchObject({ status: 200, body: { key_name: 'Ada' } });
    expect(await again()).toMatchObject({ status: 401, body: { code: 'credential_invalid' } });
    const cookie = opened.headers.get('set-cookie')!.split(';', 1)[0]!;
    const asAda = (method: string, path: string, body?: object) =>
      api(cairn.baseUrl, null, method, path, body, { ...fromPage(), cookie });
    const { member } = (await asAda('GET', '/api/v1/whoami')).body;
    const known = { member_id: opened.body.key_id, email: ADA.email, name: 'Ada', role: 'admin' };
    expect(member).toEqual({ ...known, linked: true });
    expect((await asAda('POST', '/api/v1/workspaces', { name: 'Of Ada' })).status).toBe(201);
    expect(await asAda('POST', '/api/v1/invitations', { email: 'x@example.com', role: 'owner' })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    });
    const recorded = () => call('GET', `/api/v1/audit-events?actor_id=${member.member_id}`);
    const { body } = await eventually(recorded, (answer) => answer.body.audit_events.length >= 2, 30_000);
    expect(body.audit_events.map((event: Record<string, unknown>) => [event['operation'], event['actor']])).toEqual([
      ['createWorkspace', { id: member.member_id, kind: 'member', credential_id: opened.body.session_id }],
      ['openSession', { id: member.member_id, kind: 'member', credential_id: opened.body.session_id }],
    ]);

    expect((await call('PATCH', `/api/v1/members/${member.member_id}`, { role: 'viewer' })).status).toBe(200);
    expect((await asAda('POST', '/api/v1/workspaces', { name: 'Too late' })).status).toBe(403);
    expect((await asAda('GET', '/api/v1/workspaces')).status).toBe(200);
    expect((await call('DELETE', `/api/v1/members/${member.member_id}`)).status).toBe(200);
    expect((await asAda('GET', '/api/v1/workspaces')).body.code).toBe('credential_revoked');
    expect((await signIn(ADA)).opened).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
  });

  it.each([
    ['was not invited', { email: 'eve@example.com' }, {}, 403],
    ['has an address that is not verified', { email: 'invited@example.com', emailVerified: false }, {}, 403],
    ['brings the answer to another question', { email: 'invited@example.com' }, { state: 'another' }, 401],
  ])('who %s is not let in', async (_, person, change, status) => {
    await call('POST', '/api/v1/invitations', { email: 'invited@example.com', role: 'viewer' });
    const { opened } = await signIn({ ...ADA, subject: 'eve', ...person }, change);
    expect(opened.status).toBe(status);
    expect(opened.headers.get('set-cookie')).toBeNull();
  });

  it('is asked to sign in by pages of this host alone', async () => {
    const elsewhere = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    expect((await api(cairn.baseUrl, null, 'POST', SIGN_IN, {}, elsewhere)).status).toBe(403);
  });
});

describe('a session', () => {
  it('ends by itself at its own time, also at a gateway that has used it', async () => {
    const { sessionId, cookie } = await openSession(cairn.baseUrl, cairn.apiKey);
    const database = await databaseOf(cairn);
    await database.query(
      "UPDATE keys.console_sessions SET idle_expires_at = now() + interval '2 seconds' WHERE session_id = $1",
      [sessionId],
    );
    await database.end();
    const used = () => api(cairn.baseUrl, null, 'GET', '/api/v1/whoami', undefined, { cookie });
    expect((await used()).status).toBe(200);
    const { body } = await eventually(used, ({ status }) => status === 401, 20_000);
    expect(body.code).toBe('credential_expired');
  });
});
