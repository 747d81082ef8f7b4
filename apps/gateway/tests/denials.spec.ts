import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Denial, KeyKind, newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { callHttp, type Answer } from './http-call.ts';
import { TENANT } from './fake-services.ts';
import { MEMORY_DOMAIN, startTestGateway, type TestGateway } from './gateway-harness.ts';

const MEMORY = newId('memory');
const SEARCH = '/api/v1/memory/search';
const HOST = { host: `mine.${MEMORY_DOMAIN}` };
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  gateway.memoryHosts.set('mine', { memoryId: MEMORY, tenantId: TENANT });
});
afterAll(() => gateway.close());

function expectProblem(answer: Answer, status: number, code: string): Record<string, unknown> {
  const problem = JSON.parse(answer.text) as Record<string, unknown>;
  expect({ status: answer.status, code: problem['code'] }).toEqual({ status, code });
  expect(problem).toEqual({
    type: `/docs/errors#${code}`,
    title: expect.stringMatching(/./),
    status,
    detail: expect.stringMatching(/./),
    code,
    request_id: answer.headers['x-request-id'],
  });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
  expect(answer.headers['cache-control']).toBe('no-store');
  return problem;
}

type Case = { name: string; status: number; code: string; ask: () => Promise<Answer>; detail?: RegExp };
const mint = (...credential: Parameters<TestGateway['keys']['mint']>) => gateway.keys.mint(...credential);
const memoryKey = (memoryId: string, tenantId = TENANT) => mint({ kind: KeyKind.MEMORY, memoryId, tenantId });
const path = '/api/v1/memories';

const CASES: Case[] = [
  { name: 'no credential', status: 401, code: 'credential_missing', ask: () => callHttp(gateway.url, path) },
  { name: 'an empty credential', status: 401, code: 'credential_missing', ask: () => gateway.call('', path) },
  {
    name: 'a malformed key',
    status: 401,
    code: 'credential_invalid',
    ask: () => gateway.call('ck_live_nonsense', path),
  },
  {
    name: 'an unknown key',
    status: 401,
    code: 'credential_invalid',
    ask: () => gateway.call(gateway.keys.unknown(), path),
  },
  {
    name: 'two different keys',
    status: 401,
    code: 'credential_invalid',
    ask: () => gateway.call(mint(), path, { headers: { authorization: `Bearer ${mint()}` } }),
  },
  {
    name: 'a key given twice',
    status: 401,
    code: 'credential_invalid',
    ask: () => callHttp(gateway.url, path, { headers: { 'x-api-key': [mint(), mint()] } }),
  },
  {
    name: 'an expired key',
    status: 401,
    code: 'credential_expired',
    ask: () => gateway.call(gateway.keys.mintDenied(Denial.EXPIRED), path),
  },
  {
    name: 'a key that expires while cached',
    status: 401,
    code: 'credential_expired',
    ask: () => gateway.call(mint({ expiresAt: { seconds: 1n, nanos: 0 } as never }), path),
  },
  {
    name: 'a revoked key',
    status: 401,
    code: 'credential_revoked',
    ask: () => gateway.call(gateway.keys.mintDenied(Denial.REVOKED), path),
  },
  {
    name: 'a suspended tenant',
    status: 403,
    code: 'permission_denied',
    ask: () => gateway.call(gateway.keys.mintDenied(Denial.TENANT_SUSPENDED), path),
  },
  {
    name: "a memory key on its memory's hostname, but another operation",
    status: 404,
    code: 'not_found',
    ask: () => gateway.call(memoryKey(MEMORY), path, { headers: HOST }),
  },
  {
    name: 'a memory key on an operation that is not about a memory',
    status: 403,
    code: 'memory_not_permitted',
    ask: () => gateway.call(memoryKey(MEMORY), path),
  },
  {
    name: "a memory key on another memory's hostname",
    status: 403,
    code: 'memory_not_permitted',
    ask: () => gateway.call(memoryKey(newId('memory')), SEARCH, { method: 'POST', headers: HOST }),
  },
  {
    name: "a key on the hostname of another tenant's memory",
    status: 404,
    code: 'not_found',
    ask: () => gateway.call(mint({ tenantId: newId('tenant') }), SEARCH, { method: 'POST', headers: HOST }),
  },
  {
    name: "a memory key on the hostname of another tenant's memory",
    status: 404,
    code: 'not_found',
    ask: () => gateway.call(memoryKey(newId('memory'), newId('tenant')), SEARCH, { method: 'POST', headers: HOST }),
  },
  {
    name: 'a hostname that no memory has',
    status: 404,
    code: 'not_found',
    ask: () => gateway.call(mint(), SEARCH, { method: 'POST', headers: { host: `nobody.${MEMORY_DOMAIN}` } }),
  },
  {
    name: 'an address outside of the list',
    status: 403,
    code: 'ip_not_allowed',
    ask: () => gateway.call(mint({ ipAllowlist: ['10.0.0.0/8'] }), path),
  },
  {
    name: 'an address that the caller only claims',
    status: 403,
    code: 'ip_not_allowed',
    ask: () =>
      gateway.call(mint({ ipAllowlist: ['10.0.0.0/8'] }), path, {
        headers: { 'x-forwarded-for': '10.1.1.1', forwarded: 'for=10.1.1.1', 'x-real-ip': '10.1.1.1' },
      }),
  },
  {
    name: 'a missing scope',
    status: 403,
    code: 'permission_denied',
    detail: /memories:read/,
    ask: () => gateway.call(mint({ scopes: ['keys:read'] }), path),
  },
  {
    name: 'an app that the key may not use',
    status: 403,
    code: 'permission_denied',
    detail: /tenancy:read/,
    ask: () => gateway.call(mint({ appPermissions: [{ app: 'memory', actions: ['read'] }] as never }), path),
  },
  { name: 'an unknown path', status: 404, code: 'not_found', ask: () => gateway.call(mint(), '/api/v1/nothing') },
  {
    name: 'an unknown method',
    status: 405,
    code: 'method_not_allowed',
    ask: () => gateway.call(mint(), path, { method: 'PATCH' }),
  },
  {
    name: 'an overlong URL',
    status: 400,
    code: 'malformed_request',
    ask: () => gateway.call(mint(), `${path}?a=${'a'.repeat(9_000)}`),
  },
  {
    name: 'an announced body beyond the bound',
    status: 413,
    code: 'payload_too_large',
    ask: () => gateway.call(mint(), path, { method: 'POST', body: Buffer.alloc(1_048_577) }),
  },
];

describe('a request is refused', () => {
  it.each(CASES)(
    'with $code ($status) for $name, and no service hears of it',
    async ({ status, code, ask, detail }) => {
      const before = Object.values(gateway.services).flatMap(({ seen }) => seen).length;
      const problem = expectProblem(await ask(), status, code);
      if (detail !== undefined) expect(problem['detail']).toMatch(detail);
      expect(Object.values(gateway.services).flatMap(({ seen }) => seen)).toHaveLength(before);
    },
  );

  it('as application/problem+json when the client accepts that by name', async () => {
    const answer = await callHttp(gateway.url, path, {
      headers: { accept: 'text/html, application/problem+json;q=0.9' },
    });
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'credential_missing' });
  });

  it('with 401 and a challenge, 405 and what is allowed', async () => {
    expect((await callHttp(gateway.url, path)).headers['www-authenticate']).toMatch(/x-api-key/);
    expect((await gateway.call(mint(), path, { method: 'DELETE' })).headers.allow).toBe('GET, HEAD, POST');
  });

  it('without a body when it was a HEAD, with the same head', async () => {
    const answer = await callHttp(gateway.url, path, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 401, text: '' });
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(100);
  });

  it('without internal details of the failure', async () => {
    const broken = mint({ rateLimit: undefined as never });
    const problem = expectProblem(await gateway.call(broken, path), 500, 'internal');
    expect(JSON.stringify(problem)).not.toMatch(/rate limit|credential/i);
  });
});

describe('a rate limit', () => {
  it('is reported with every response, and beyond it the response is 429 with the time to wait', async () => {
    const key = mint({ rateLimit: { requestsPerSecond: 0.01, burst: 2 } as never });
    const responses = [await gateway.call(key, path), await gateway.call(key, path), await gateway.call(key, path)];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(responses.map(({ headers }) => headers['ratelimit'])).toEqual([
      '"default";r=1;t=100',
      '"default";r=0;t=200',
      '"default";r=0;t=200',
    ]);
    expect(new Set(responses.map(({ headers }) => headers['ratelimit-policy']))).toEqual(
      new Set(['"default";q=2;w=200']),
    );
    expectProblem(responses[2]!, 429, 'rate_limited');
    expect(Number(responses[2]!.headers['retry-after'])).toBe(100);
  });

  it('of one key does not hold up another', async () => {
    const limited = mint({ rateLimit: { requestsPerSecond: 0.01, burst: 1 } as never });
    await gateway.call(limited, path);
    expect((await gateway.call(limited, path)).status).toBe(429);
    expect((await gateway.call(mint(), path)).status).toBe(200);
  });
});

describe('when keys cannot be asked', () => {
  it('what is cached goes on, everything else is 503 with Retry-After and never let through', async () => {
    const cached = mint();
    expect((await gateway.call(cached, path)).status).toBe(200);
    for (const failure of [
      new CairnError('unavailable', 'down'),
      new CairnError('internal', 'database'),
      new Error('bug'),
      new CairnError('identity_invalid', 'clock'),
    ]) {
      gateway.keys.fail(failure);
      expect((await gateway.call(cached, path)).status).toBe(200);
      const refused = await gateway.call(mint(), path);
      expectProblem(refused, 503, 'unavailable');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    gateway.keys.fail(undefined);
    expect((await gateway.call(mint(), path)).status).toBe(200);
  });
});

describe('without keys at all', () => {
  let alone: TestGateway;
  beforeAll(async () => {
    alone = await startTestGateway();
  });
  afterAll(() => alone.close());

  it('cached keys go on, uncached ones get 503 at once', async () => {
    const cached = alone.keys.mint();
    const uncached = alone.keys.mint();
    expect((await alone.call(cached, path)).status).toBe(200);
    await alone.keys.stop();
    const startedMs = Date.now();
    expectProblem(await alone.call(uncached, path), 503, 'unavailable');
    expectProblem(await alone.call(uncached, path), 503, 'unavailable');
    // Two that wait for an answer of keys take two seconds each.
    expect(Date.now() - startedMs).toBeLessThan(3_500);
    expect((await alone.call(cached, path)).status).toBe(200);
  });
});
