import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { SharedCairn } from '@cairn/testing';
import { type Call, callsOf, contract, expectRefusal, newTenant, onMemoryHost, proves } from './contract.ts';

const run = promisify(execFile);
const SDK = join(import.meta.dirname, '..', '..', 'sdk', 'src', 'index.ts');

interface MemoryOfTenant {
  memory_id: string;
  subdomain: string;
}

let cairn: SharedCairn;
let call: Call;
let own: MemoryOfTenant;
let other: MemoryOfTenant;
beforeAll(async () => {
  ({ cairn, call } = await contract());
  own = (await call('GET', '/memories')).body.memories[0];
  other = (await call('POST', '/memories', { display_name: 'Other' })).body;
}, 120_000);
afterAll(() => cairn.remove());

const SEARCH = '/api/v1/memory/search';
const mint = async (body: object) => (await call('POST', '/api-keys', { name: 'x', ...body })).body;
const memoryKey = async (more: object = {}) =>
  (await mint({ type: 'memory', memory_id: own.memory_id, ...more })).api_key;
const search = (key: string, more: object = {}) => call('POST', '/memory/search', { query: 'otter', ...more }, { key });

describe('credential types', () => {
  proves(
    ['credential.ck_live_', 'credential.ck_eph_'],
    'live and ephemeral keys reach everything in the tenant',
    async () => {
      for (const type of ['live', 'ephemeral']) {
        const { api_key: key } = await mint({ type });
        for (const path of ['/memories', '/workspaces', '/webhooks', '/usage/llm', '/search/lists', '/api-keys'])
          expect([path, (await call('GET', path, undefined, { key })).status]).toEqual([path, 200]);
        const found = await call('GET', `/memories/${other.memory_id}`, undefined, { key });
        expect(found.body.memory_id).toBe(other.memory_id);
      }
    },
  );

  proves(
    ['credential.ck_test_', 'D2.test tenant', 'D2.first start'],
    'a test key acts in a tenant of its own with separate data, and a live key never sees it',
    async () => {
      const asTest = (method: string, path: string, body?: object) =>
        call(method, path, body, { key: cairn.testApiKey });
      const [live, test] = [await call('GET', '/workspaces'), await asTest('GET', '/workspaces')];
      expect(live.body.workspaces[0].tenant_id).toBe(cairn.tenantId);
      expect(test.body.workspaces[0].tenant_id).not.toBe(cairn.tenantId);
      const space = (await asTest('POST', '/spaces', { name: 'Of the test' })).body;
      expectRefusal(await call('GET', `/spaces/${space.space_id}`), 404, 'not_found');
      expectRefusal(await asTest('GET', `/memories/${own.memory_id}`), 404, 'not_found');
      expectRefusal(await asTest('POST', '/memory/search', { query: 'x', memory_id: own.memory_id }), 404, 'not_found');
      const before = (await asTest('GET', '/usage/credits')).body.balance;
      expect((await asTest('POST', '/search/research/start', { query: 'What is in my documents?' })).status).toBe(200);
      expect((await asTest('GET', '/usage/credits')).body.balance).toBe(before);
      expect([cairn.apiKey.slice(0, 8), cairn.testApiKey.slice(0, 8)]).toEqual(['ck_live_', 'ck_test_']);
    },
  );

  proves(
    ['credential.mk_', 'auth.1', 'error.mk_', 'D1.memory_not_permitted', 'D3.which memory'],
    'a memory key reaches its memory and is rejected for every other one, and for what is no operation of a memory',
    async () => {
      const key = await memoryKey();
      expect((await search(key)).status).toBe(200);
      expect((await search(key, { memory_id: own.memory_id })).status).toBe(200);
      expectRefusal(await search(key, { memory_id: other.memory_id }), 403, 'memory_not_permitted');
      for (const [method, path, body] of [
        ['GET', `/memory/documents?memory_id=${other.memory_id}`],
        ['GET', '/memories'],
        ['POST', '/workspaces', { name: 'x' }],
        ['GET', '/usage/llm'],
        ['POST', '/search/research/start', { query: 'x' }],
      ] as [string, string, object?][])
        expectRefusal(await call(method, path, body, { key }), 403, 'memory_not_permitted');
    },
  );

  proves(
    ['auth.1', 'D3.memory host', 'Memory.hostname', 'POST /memory/search'],
    'on a memory’s host every memory call is about that memory, and nothing else is served but /healthz',
    async () => {
      const { subdomain } = own;
      const ask = (path: string, key: string, body?: object) =>
        onMemoryHost(cairn, subdomain, { path, key, ...(body === undefined ? { method: 'GET' } : { body }) });
      const key = await memoryKey();
      const answer = await ask(SEARCH, key, { query: 'otter' });
      expect([answer.status, answer.body['citations']]).toEqual([200, []]);
      expect((await ask(SEARCH, cairn.apiKey, { query: 'otter' })).status).toBe(200);
      expect((await ask(`/api/v1/memory/documents`, key)).status).toBe(200);
      expect((await ask('/healthz', key)).status).toBe(200);
      for (const path of ['/api/v1/memories', '/api/v1/threads', '/docs', '/openapi.json'])
        expect([path, (await ask(path, cairn.apiKey)).status]).toEqual([path, 404]);
      const wrong = await onMemoryHost(cairn, other.subdomain, { path: SEARCH, key, body: { query: 'otter' } });
      expect([wrong.status, wrong.body['code']]).toEqual([403, 'memory_not_permitted']);
      const nobody = await onMemoryHost(cairn, 'nobody-22222222', { path: SEARCH, key, body: { query: 'otter' } });
      expect(nobody.status).toBe(404);
    },
  );

  proves(
    ['D3.memory host SDKs'],
    'the product’s own client reaches a memory on this machine by its host, wherever curl does',
    async () => {
      const host = `http://${own.subdomain}.${cairn.memoryDomain}`;
      // A program of its own: Jest hides the agent of Node's `fetch`.
      const program = `
        import { Cairn } from ${JSON.stringify(SDK)};
        const memory = Cairn.forMemory(${JSON.stringify({ host, apiKey: await memoryKey() })});
        console.log(JSON.stringify((await memory.search.query({ query: 'otter' })).citations));`;
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
      expect(JSON.parse(stdout)).toEqual([]);
    },
  );

  proves(
    ['Space.own', 'D2.space_id'],
    'a key of one space finds what lies in the space and nothing else of the memory',
    async () => {
      const { space_id } = (await call('POST', '/spaces', { name: 'Narrow', memory_id: own.memory_id })).body;
      const { space_id: second } = (await call('POST', '/spaces', { name: 'Next', memory_id: own.memory_id })).body;
      const key = await memoryKey({ space_id });
      expectRefusal(await search(key, { space_id: second }), 403, 'memory_not_permitted');
      const spaces = (await call('GET', '/spaces', undefined, { key })).body.spaces;
      expect(spaces.map((space: { space_id: string }) => space.space_id)).toEqual([space_id]);
      expectRefusal(await call('GET', `/spaces/${second}`, undefined, { key }), 403, 'memory_not_permitted');
    },
  );
});

describe('rules', () => {
  proves(
    ['auth.5 trust headers', 'auth.6'],
    'headers by which a client claims another identity change nothing',
    async () => {
      const claimed = await newTenant(cairn);
      const workspaces = (await call('GET', '/workspaces')).body;
      for (const name of [
        'x-tenant-id',
        'x-cairn-tenant',
        'x-cairn-identity',
        'x-identity',
        'x-user-id',
        'x-cairn-scopes',
      ]) {
        const headers = { [name]: claimed.tenant_id };
        expect((await call('GET', '/workspaces', undefined, { headers })).body).toEqual(workspaces);
        expectRefusal(await call('GET', '/workspaces', undefined, { key: null, headers }), 401, 'credential_missing');
      }
      const { api_key: local } = await mint({ ip_allowlist: ['203.0.113.0/24'] });
      const headers = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', 'x-real-ip': '203.0.113.9' };
      expectRefusal(await call('GET', '/workspaces', undefined, { key: local, headers }), 403, 'ip_not_allowed');
    },
  );

  proves(
    ['D2.bearer'],
    'a key and a token are taken in either header; two different credentials are refused',
    async () => {
      const bearer = (key: string) => ({ key: null, headers: { authorization: `Bearer ${key}` } });
      expect((await call('GET', '/memories', undefined, bearer(cairn.apiKey))).status).toBe(200);
      const { api_key: second } = await mint({});
      const both = { key: second, headers: { authorization: `Bearer ${cairn.apiKey}` } };
      expectRefusal(await call('GET', '/memories', undefined, both), 401, 'credential_invalid');
      const twice = { key: second, headers: { authorization: `Bearer ${second}` } };
      expect((await call('GET', '/memories', undefined, twice)).status).toBe(200);
    },
  );
});

describe('OAuth 2', () => {
  const token = async (fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams(fields);
    const response = await fetch(`${cairn.baseUrl}/oauth/token`, { method: 'POST', body, headers });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, string>,
    };
  };
  const newClient = async (scopes: string[]) => (await call('POST', '/oauth-clients', { name: 'Robot', scopes })).body;
  const credentialsOf = ({ client_id, client_secret }: Record<string, string>) => ({
    client_id: client_id!,
    client_secret: client_secret!,
  });

  proves(
    ['credential.oauth', 'D2.oauth', 'D2.oauth-clients', 'D2.bearer'],
    'a client gets a token for an hour, which does what its scopes allow until it is revoked',
    async () => {
      const made = await call('POST', '/oauth-clients', { name: 'Robot', scopes: ['memory:search', 'usage:read'] });
      expect(made.status).toBe(201);
      const credentials = credentialsOf(made.body);
      const read = (await call('GET', `/oauth-clients/${credentials.client_id}`)).body;
      expect([read.name, 'client_secret' in read]).toEqual(['Robot', false]);
      const issued = await token({ ...credentials, grant_type: 'client_credentials', scope: 'memory:search' });
      expect(issued.body).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'memory:search' });
      expect(issued.headers.get('cache-control')).toBe('no-store');
      const access = issued.body['access_token']!;
      expect((await search(access)).status).toBe(200);
      const bearer = { key: null, headers: { authorization: `Bearer ${access}` } };
      expect((await call('POST', '/memory/search', { query: 'x' }, bearer)).status).toBe(200);
      const denied = await call('GET', '/usage/llm', undefined, { key: access });
      expectRefusal(denied, 403, 'permission_denied');
      expect(denied.body.detail).toContain('usage:read');
      const basic = `Basic ${btoa(`${credentials.client_id}:${credentials.client_secret}`)}`;
      const all = await token({ grant_type: 'client_credentials' }, { authorization: basic });
      expect(all.body['scope']!.split(' ').toSorted()).toEqual(['memory:search', 'usage:read']);
      const body = new URLSearchParams({ ...credentials, token: access });
      expect((await fetch(`${cairn.baseUrl}/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
      expectRefusal(await search(access), 401, 'credential_revoked');
      const metadata = (await call('GET', '/.well-known/oauth-authorization-server', undefined, { key: null })).body;
      expect(metadata).toMatchObject({
        issuer: cairn.baseUrl,
        token_endpoint: `${cairn.baseUrl}/oauth/token`,
        revocation_endpoint: `${cairn.baseUrl}/oauth/revoke`,
        grant_types_supported: expect.arrayContaining(['client_credentials']),
      });
      expect((await call('DELETE', `/oauth-clients/${credentials.client_id}`)).body.revoked).toBe(true);
      expectRefusal(await search(all.body['access_token']!), 401, 'credential_revoked');
    },
  );

  proves(
    ['D2.oauth errors'],
    'errors have the codes of RFC 6749: a wrong secret, a scope beyond the client’s, no grant type',
    async () => {
      const credentials = credentialsOf(await newClient(['memory:search']));
      const grant_type = 'client_credentials';
      for (const [fields, status, error] of [
        [{ ...credentials, grant_type, client_secret: 'wrong' }, 401, 'invalid_client'],
        [{ ...credentials, grant_type, scope: 'keys:write' }, 400, 'invalid_scope'],
        [credentials, 400, 'invalid_request'],
      ] as const) {
        const refused = await token(fields);
        expect([refused.status, refused.body['error']]).toEqual([status, error]);
        expect(refused.body['error_description']).toMatch(/\w/);
      }
      const refused = await token({ ...credentials, grant_type, client_secret: 'wrong' });
      expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
    },
  );

  proves(['D2.oauth errors'], 'a grant type that the server does not have is unsupported_grant_type', async () => {
    const credentials = credentialsOf(await newClient(['memory:search']));
    for (const grant_type of ['password', 'urn:ietf:params:oauth:grant-type:device_code', 'nonsense']) {
      const refused = await token({ ...credentials, grant_type, username: 'ada', password: 'x' });
      expect([refused.status, refused.body['error']]).toEqual([400, 'unsupported_grant_type']);
    }
  });

  proves(
    ['D2.oauth errors'],
    'a client with a secret that tries the grants of apps has authenticated and is not authorised for them',
    async () => {
      const credentials = credentialsOf(await newClient(['memory:search']));
      for (const fields of [
        {
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: 'http://127.0.0.1/',
          code_verifier: 'y'.repeat(43),
        },
        { grant_type: 'refresh_token', refresh_token: 'x' },
      ]) {
        const refused = await token({ ...credentials, ...(fields as unknown as Record<string, string>) });
        expect([refused.status, refused.body['error']]).toEqual([400, 'unauthorized_client']);
      }
    },
  );
});

describe('tenants', () => {
  proves(
    ['D3.first tenant', 'D3.tenant create', 'D3.subdomain', 'D2.first start'],
    'the operator’s command makes a tenant with a default workspace, its primary shared memory and a key of each environment',
    async () => {
      const made = await newTenant(cairn);
      expect(made).toMatchObject({
        tenant_id: expect.stringMatching(/^tnt_/),
        api_key: expect.stringMatching(/^ck_live_/),
        test_api_key: expect.stringMatching(/^ck_test_/),
      });
      const as = callsOf({ baseUrl: cairn.baseUrl, apiKey: made.api_key });
      const { workspaces } = (await as('GET', '/workspaces')).body;
      expect(workspaces).toHaveLength(1);
      expect(workspaces[0]).toMatchObject({ tenant_id: made.tenant_id, is_default: true });
      const { memories } = (await as('GET', '/memories')).body;
      expect(memories).toMatchObject([
        { memory_id: workspaces[0].primary_memory_id, type: 'shared', status: 'active', memory_serial: 1 },
      ]);
      expect(memories[0].subdomain).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/);
      expect(memories[0].subdomain).not.toBe(own.subdomain);
    },
  );
});
