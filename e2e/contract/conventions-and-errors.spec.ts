import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_CODES } from './error-codes.ts';
import { type Call, callsOf, contract, expectRefusal, newTenant, proves } from './contract.ts';
import type { SharedCairn } from '@cairn/testing';

let cairn: SharedCairn;
let call: Call;
beforeAll(async () => {
  ({ cairn, call } = await contract());
}, 120_000);
afterAll(() => cairn.remove());

const idsOf = (list: Record<string, string>[], field: string) => list.map((each) => each[field]!);
const newName = () => `Space ${randomUUID()}`;

describe('conventions', () => {
  proves(
    ['rules.credential', 'auth.6', 'D0.tenant_id', 'D1.credential_missing'],
    'every operation asks for a credential, and no parameter names a tenant',
    async () => {
      for (const [method, path] of [
        ['GET', '/memories'],
        ['POST', '/memory/search'],
        ['GET', '/usage/llm'],
        ['POST', '/search/research/start'],
        ['GET', '/webhooks'],
        ['POST', '/api-keys'],
      ] as const) {
        const body = method === 'POST' ? {} : undefined;
        expectRefusal(await call(method, path, body, { key: null }), 401, 'credential_missing');
        const named = method === 'POST' ? { tenant_id: cairn.tenantId } : undefined;
        const query = method === 'GET' ? `?tenant_id=${cairn.tenantId}` : '';
        expectRefusal(await call(method, path + query, named), 422, 'validation_failed', 'tenant_id');
      }
    },
  );

  proves(
    ['rules.json', 'D1.unsupported_media_type', 'D1.malformed_json'],
    'bodies are application/json: another type is 415, what cannot be parsed 400',
    async () => {
      const answer = await call('POST', '/spaces', { name: newName() });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      const headers = { 'content-type': 'text/plain' };
      expectRefusal(await call('POST', '/spaces', '{"name":"x"}', { headers }), 415, 'unsupported_media_type');
      expectRefusal(await call('POST', '/spaces', '{"name": "x"'), 400, 'malformed_json');
    },
  );

  proves(
    ['rules.timestamps', 'D0.identifiers', 'D0.names'],
    'timestamps are ISO 8601 in UTC, identifiers have their prefix and sort by age, names are snake_case',
    async () => {
      const made: Record<string, unknown>[] = [];
      for (let n = 0; n < 5; n += 1) made.push((await call('POST', '/spaces', { name: newName() })).body);
      const ids = made.map(({ space_id }) => space_id as string);
      expect(ids.toSorted()).toEqual(ids);
      for (const space of made) {
        expect(space['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(space['space_id']).toMatch(/^spc_[1-9A-HJ-NP-Za-km-z]{21,22}$/);
        expect(Object.keys(space).filter((name) => !/^[a-z_]+$/.test(name))).toEqual([]);
      }
      const workspace = (await call('GET', '/workspaces')).body.workspaces[0];
      expect(workspace.workspace_id).toMatch(/^ws_/);
      expect(workspace.tenant_id).toMatch(/^tnt_/);
      expect(workspace.primary_memory_id).toMatch(/^mem_/);
      expect((await call('GET', '/api-keys')).body.api_keys[0].key_id).toMatch(/^key_/);
      expect((await call('POST', '/threads', {})).body.thread_id).toMatch(/^thr_/);
      expect(made[0]!['vault_id']).toMatch(/^vlt_/);
    },
  );

  proves(
    ['D0.paging'],
    'limit and cursor page a list with next_cursor, filtered first; without them it is whole',
    async () => {
      const { memory_id } = (await call('POST', '/memories', { display_name: 'Pages' })).body;
      for (let n = 0; n < 5; n += 1) await call('POST', '/spaces', { name: `Page ${n}`, memory_id });
      const all = (await call('GET', `/spaces?memory_id=${memory_id}`)).body;
      expect([all.spaces.length, all.next_cursor]).toEqual([5, undefined]);
      const paged: Record<string, string>[] = [];
      let cursor = '';
      for (const size of [2, 2, 1]) {
        const page = (await call('GET', `/spaces?memory_id=${memory_id}&limit=2${cursor}`)).body;
        expect(page.spaces).toHaveLength(size);
        paged.push(...page.spaces);
        cursor = `&cursor=${page.next_cursor}`;
        expect(page.next_cursor === undefined).toBe(size === 1);
      }
      expect(idsOf(paged, 'space_id')).toEqual(idsOf(all.spaces, 'space_id'));
      for (const limit of ['0', '201', 'x'])
        expectRefusal(await call('GET', `/spaces?limit=${limit}`), 422, 'validation_failed', 'limit');
      expectRefusal(await call('GET', '/spaces?cursor=nonsense'), 422, 'validation_failed', 'cursor');
    },
  );

  proves(
    ['D0.unknown fields', 'D1.validation_failed', 'D0.optional fields'],
    'an unknown field or parameter is named; the optional fields of a resource are taken',
    async () => {
      const answer = await call('POST', '/spaces', { name: 'x', nmae: 'y' });
      expectRefusal(answer, 422, 'validation_failed', 'nmae');
      expect(answer.body.errors[0]).toEqual({ path: 'nmae', message: expect.any(String) });
      expectRefusal(await call('GET', '/memories?workspace=x'), 422, 'validation_failed', 'workspace');
      expectRefusal(await call('POST', '/memory/search', { query: 'x', topk: 3 }), 422, 'validation_failed', 'topk');
      const slug = `s-${randomUUID().slice(0, 8)}`;
      const space = (await call('POST', '/spaces', { name: 'All', description: 'of it', slug })).body;
      expect(space).toMatchObject({ name: 'All', description: 'of it', slug });
      const thread = (await call('POST', '/threads', { title: 'T', space_id: space.space_id, user: 'ada' })).body;
      expect(thread).toMatchObject({ title: 'T', space_id: space.space_id, user: 'ada' });
    },
  );

  proves(
    ['D0.x-request-id'],
    'x-request-id is on every answer and the caller’s own is kept when it is up to 128 visible ASCII characters',
    async () => {
      const idOf = async (given: string) =>
        (await call('GET', '/spaces/x', undefined, { headers: { 'x-request-id': given } })).headers.get('x-request-id');
      expect(await idOf('mine-1')).toBe('mine-1');
      expect(await idOf('~'.repeat(128))).toBe('~'.repeat(128));
      for (const bad of ['x'.repeat(129), 'two words']) expect(await idOf(bad)).not.toBe(bad);
      for (const path of ['/healthz', '/openapi.json', '/api/v1/memories', '/api/v1/nothing'])
        expect((await call('GET', path, undefined, { key: null })).headers.get('x-request-id')).toMatch(/^\S{8,}$/);
    },
  );

  proves(
    ['D0.openapi', 'versioning.prefix'],
    'the OpenAPI 3.1 document has every endpoint of the interface under /api/v1',
    async () => {
      const { body } = await call('GET', '/openapi.json', undefined, { key: null });
      expect(body.openapi).toMatch(/^3\.1\./);
      const listed = Object.entries(body.paths).flatMap(([path, item]) =>
        Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
      );
      for (const endpoint of ENDPOINTS) expect(listed).toContain(endpoint.replace(' ', ' /api/v1'));
      const elsewhere = listed.filter((each) => !/ \/(?:api\/v1|oauth|\.well-known|research)\//.test(each));
      expect(elsewhere).toEqual([]);
    },
  );
});

const ENDPOINTS = [
  'POST /api-keys',
  'POST /api-keys/{key_id}/rotate',
  'DELETE /api-keys/{key_id}',
  'GET /usage/llm',
  'POST /workspaces',
  'GET /memories',
  'POST /memories',
  'POST /spaces',
  'GET /spaces/{space_id}',
  'POST /threads',
  'GET /threads',
  'POST /memory/search/stream',
  'POST /memory/search',
  'GET /memory/graph/explore/{entity_id}',
  'POST /search/agent/web-and-research',
  'POST /search/agent/agentic-crawler',
  'POST /search/workflow/people/start',
  'POST /search/workflow/continue',
  'POST /search/workflow/stop/{thread_id}',
  'GET /search/lists',
  'POST /search/research/start',
  'POST /search/research/respond/{thread_id}',
  'POST /search/service-deep-search/start',
  'POST /search/service-deep-search/upload',
  'POST /webhooks',
  'GET /webhooks',
];

describe('Idempotency-Key', () => {
  const withKey = (key = randomUUID()) => ({ headers: { 'idempotency-key': key } });

  proves(
    ['D0.idempotency', 'D0.idempotency mismatch'],
    'the same key and body give the stored answer, another body is refused',
    async () => {
      for (const [path, body, other] of [
        ['/spaces', { name: newName() }, { name: newName() }],
        ['/memories', { display_name: 'Twice' }, { display_name: 'Other' }],
        ['/threads', { title: 'Twice' }, { title: 'Other' }],
      ] as const) {
        const options = withKey();
        const first = await call('POST', path, body, options);
        const again = await call('POST', path, body, options);
        expect([first.status, again.status]).toEqual([201, 201]);
        expect(first.headers.get('idempotency-replayed')).toBeNull();
        expect(again.headers.get('idempotency-replayed')).toBe('true');
        expect(again.body).toEqual(first.body);
        expectRefusal(await call('POST', path, other, options), 422, 'idempotency_mismatch');
      }
    },
  );

  proves(
    ['D0.idempotency concurrent', 'D0.idempotency in flight'],
    'of concurrent duplicates one executes; the others are told that it is under way or get its answer',
    async () => {
      const [name, options] = [newName(), withKey()];
      const answers = await Promise.all(Array.from({ length: 12 }, () => call('POST', '/spaces', { name }, options)));
      const codes = answers.map(({ status, body }) => body.code ?? status);
      expect(new Set(codes)).toEqual(new Set([201, 'idempotency_in_flight']));
      for (const { status, body } of answers) if (body.code !== undefined) expect(status).toBe(409);
      const { spaces } = (await call('GET', '/spaces')).body;
      expect(spaces.filter((space: { name: string }) => space.name === name)).toHaveLength(1);
    },
  );

  proves(['D0.idempotency secrets'], 'a replay is the same resource without its secret', async () => {
    for (const [path, body, secret] of [
      ['/api-keys', { name: 'Twice' }, 'api_key'],
      ['/webhooks', { url: 'https://hooks.invalid/', events: ['memory.entity.created'] }, 'secret'],
    ] as const) {
      const options = withKey();
      const { [secret]: shown, ...rest } = (await call('POST', path, body, options)).body;
      expect(shown).toMatch(/^(?:ck_live_|whsec_)/);
      expect((await call('POST', path, body, options)).body).toEqual(rest);
    }
  });
});

describe('errors', () => {
  proves(
    ['D1.fields', 'D1.media type', 'D1.codes'],
    'an error has the fields of RFC 9457 and its content type is the one that the client accepts by name',
    async () => {
      const headers = { 'x-request-id': 'case-1' };
      const answer = await call('POST', '/spaces', {}, { headers });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.body).toEqual({
        type: '/docs/errors#validation_failed',
        title: expect.any(String),
        status: 422,
        detail: expect.stringContaining('name'),
        code: 'validation_failed',
        request_id: 'case-1',
        errors: [{ path: 'name', message: expect.any(String) }],
      });
      const accept = { accept: 'application/problem+json' };
      const named = await call('GET', '/spaces/x', undefined, { headers: accept });
      expect(named.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const page = (await call('GET', '/docs/errors', undefined, { key: null })).body as string;
      for (const code of ERROR_CODES) expect(page).toContain(code);
    },
  );

  proves(
    ['D1.credential_invalid', 'D1.credential_expired'],
    'an unknown key is credential_invalid, one whose time is over credential_expired',
    async () => {
      for (const key of ['ck_live_nobody', 'nonsense', `${cairn.apiKey.slice(0, -1)}_`])
        expectRefusal(await call('GET', '/memories', undefined, { key }), 401, 'credential_invalid');
      const expires_at = new Date(Date.now() + 1_500).toISOString();
      const { api_key: key } = (await call('POST', '/api-keys', { name: 'Brief', expires_at })).body;
      expect((await call('GET', '/memories', undefined, { key })).status).toBe(200);
      await sleep(Math.max(0, Date.parse(expires_at) - Date.now()) + 100);
      expectRefusal(await call('GET', '/memories', undefined, { key }), 401, 'credential_expired');
    },
  );

  proves(['D1.permission_denied'], 'a key without the scope is refused with the name of the scope', async () => {
    const { api_key: key } = (await call('POST', '/api-keys', { name: 'x', scopes: ['memory:search'] })).body;
    const answer = await call('GET', '/memories', undefined, { key });
    expectRefusal(answer, 403, 'permission_denied');
    expect(answer.body.detail).toContain('memories:read');
  });

  proves(['D1.not_found'], 'what does not exist and what is another tenant’s is 404 not_found alike', async () => {
    const other = callsOf({ baseUrl: cairn.baseUrl, apiKey: (await newTenant(cairn)).api_key });
    const space = (await other('POST', '/spaces', { name: 'Theirs' })).body;
    const thread = (await other('POST', '/threads', {})).body;
    const bodies: unknown[] = [];
    for (const [method, path, body] of [
      ['GET', `/spaces/${space.space_id}`],
      ['PATCH', `/spaces/${space.space_id}`, { name: 'x' }],
      ['GET', `/memories/${space.memory_id}`],
      ['GET', `/threads/${thread.thread_id}`],
      ['POST', '/memory/search', { query: 'x', memory_id: space.memory_id }],
      ['GET', '/spaces/spc_222222222222222222222'],
      ['GET', '/spaces/nonsense'],
    ] as [string, string, object?][]) {
      const answer = await call(method, path, body);
      expectRefusal(answer, 404, 'not_found');
      bodies.push(answer.body);
    }
    expectRefusal(await call('GET', '/nothing-of-the-kind'), 404, 'not_found');
    expect(JSON.stringify(bodies)).not.toContain('Theirs');
  });

  proves(['D1.conflict'], 'what the state does not allow is 409 conflict', async () => {
    const slug = `s-${randomUUID().slice(0, 8)}`;
    await call('POST', '/spaces', { name: 'One', slug });
    expectRefusal(await call('POST', '/spaces', { name: 'Two', slug }), 409, 'conflict');
    const { workspaces } = (await call('GET', '/workspaces')).body;
    expectRefusal(await call('DELETE', `/workspaces/${workspaces[0].workspace_id}`), 409, 'conflict');
  });

  proves(['D1.payload_too_large'], 'a body beyond the bound of its operation is 413', async () => {
    expectRefusal(await call('POST', '/spaces', { name: 'x'.repeat(2_000_000) }), 413, 'payload_too_large');
    const content = 'x'.repeat(9_000_000);
    expectRefusal(await call('POST', '/memory/documents', { content }), 413, 'payload_too_large');
  });

  proves(
    ['D1.rate_limited', 'limit.rates', 'auth.5 limits'],
    'a key beyond its rate is 429 with Retry-After, RateLimit and RateLimit-Policy, whatever it asks for',
    async () => {
      const rate_limit = { requests_per_second: 1, burst: 2 };
      const { api_key } = (await call('POST', '/api-keys', { name: 'Slow', rate_limit })).body;
      const ask = (path: string) => fetch(`${cairn.baseUrl}/api/v1${path}`, { headers: { 'x-api-key': api_key } });
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) => ask(n < 3 ? '/memories' : '/spaces/nonsense')),
      );
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length).toBeGreaterThanOrEqual(3);
      expect(((await refused[0]!.json()) as { code: string }).code).toBe('rate_limited');
      expect(refused[0]!.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(refused[0]!.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
      expect(refused[0]!.headers.get('ratelimit-policy')).toMatch(/^"default";q=\d+;w=\d+$/);
    },
  );

  proves(
    ['error.workspaces', 'limit.workspaces', 'D1.plan_limit_reached', 'D3.plans'],
    'a workspace beyond the limit of the plan is 402 with a whole upgrade, and the limits are those of the plan',
    async () => {
      const tenant = await newTenant(cairn);
      const as = callsOf({ baseUrl: cairn.baseUrl, apiKey: tenant.api_key });
      expect((await as('POST', '/workspaces', { name: 'Second' })).status).toBe(201);
      expect((await as('POST', '/workspaces', { name: 'Third' })).status).toBe(201);
      const refused = await as('POST', '/workspaces', { name: 'Fourth' });
      expectRefusal(refused, 402, 'plan_limit_reached');
      expect(refused.body.upgrade).toEqual({
        resource: 'workspaces',
        limit: 3,
        current: 3,
        plan: 'team',
        suggested_plan: 'business',
        upgrade_url: null,
        note: expect.stringMatching(/credits/i),
      });
      const { limits, rate, plan } = (await as('GET', '/usage/limits')).body;
      const limit = Object.fromEntries(
        limits.map((each: { resource: string; limit: number }) => [each.resource, each.limit]),
      );
      expect([plan, rate]).toEqual(['team', { requests_per_second: 50, burst: 100 }]);
      expect(limit).toMatchObject({
        workspaces: 3,
        memories: 20,
        spaces: 100,
        documents: 100_000,
        monthly_credits: 1_000,
      });
      const test = callsOf({ baseUrl: cairn.baseUrl, apiKey: tenant.test_api_key });
      const tenth = (await test('GET', '/usage/limits')).body.limits;
      expect(tenth).toContainEqual({ resource: 'memories', used: 1, limit: 2, resets_at: null });
      expect(tenth).toContainEqual({ resource: 'spaces', used: 0, limit: 10, resets_at: null });
    },
  );

  proves(['D1.insufficient_credits'], 'a start without credits is refused by the start call', async () => {
    const poor = callsOf({ baseUrl: cairn.baseUrl, apiKey: (await newTenant(cairn, 'free')).api_key });
    const start = () => poor('POST', '/search/service-deep-search/start', { prompt: 'What is in my documents?' });
    const answers = await Promise.all(Array.from({ length: 5 }, start));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    expectRefusal(refused[0]!, 402, 'insufficient_credits');
    expect(refused[0]!.body.detail).toMatch(/\b25\b/);
  });
});
