import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isGuarded, OPERATIONS } from '@cairn/contracts';
import { type SharedCairn, sharedCairn } from '@cairn/testing';
import { api, ingest } from './api.ts';

let cairn: SharedCairn;
beforeAll(async () => {
  cairn = await sharedCairn();
  await ingest(cairn.baseUrl, cairn.apiKey, [
    { content: '# Boiler\n\nThe boiler is serviced every October. The service takes two days.' },
    { content: '# Garden\n\nThe boiler house stands in the garden. It was built in 1931.' },
  ]);
}, 90_000);
afterAll(() => cairn.remove());

const call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
  key: string | null = cairn.apiKey,
) => api(cairn.baseUrl, key, method, path, body, headers);

describe('the streamed answer', () => {
  it('sends sources before the first token, tokens that join to the answer, and done last; the same as the plain search', async () => {
    const body = JSON.stringify({ query: 'When is the boiler serviced?' });
    const response = await fetch(`${cairn.baseUrl}/api/v1/memory/search/stream`, {
      method: 'POST',
      headers: { 'x-api-key': cairn.apiKey, 'content-type': 'application/json' },
      body,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text())
      .split('\n\n')
      .filter((block) => block.startsWith('event: '))
      .map((block) => ({
        name: /^event: (.+)$/m.exec(block)![1]!,
        data: JSON.parse(/^data: (.+)$/m.exec(block)![1]!),
      }));
    const names = events.map((event) => event.name);
    expect(names[0]).toBe('sources');
    expect(names.at(-1)).toBe('done');
    expect(names.slice(1, -1).length).toBeGreaterThan(0);
    expect(new Set(names.slice(1, -1))).toEqual(new Set(['token']));
    const done = events.at(-1)!.data;
    expect(
      events
        .slice(1, -1)
        .map((event) => event.data.text)
        .join(''),
    ).toBe(done.answer);
    const plain = await call('POST', '/api/v1/memory/search', { query: 'When is the boiler serviced?' });
    expect(events[0]!.data.citations).toEqual(plain.body.citations);
    expect(plain.body.results).not.toEqual([]);
    expect(done).toEqual({ ...plain.body, search_id: expect.any(String), timing_ms: expect.any(Object) });
  });
});

describe('the OpenAPI document', () => {
  it('lists exactly the routes: each answers, and asks for a credential unless it is there to get one', async () => {
    const document = (await call('GET', '/openapi.json', undefined, {}, null)).body;
    expect(document.openapi).toBe('3.1.0');
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(OPERATIONS.map((operation) => `${operation.method} ${operation.path}`).sort());
    for (const { method, path } of OPERATIONS.filter(isGuarded)) {
      const answer = await call(method, path.replace(/\{\w+\}/g, 'x'), method === 'POST' ? {} : undefined, {}, null);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 401, 'credential_missing']);
    }
  });

  it('describes what comes back: answers carry the fields it names', async () => {
    const schema = (await call('GET', '/openapi.json', undefined, {}, null)).body.components.schemas;
    const memories = (await call('GET', '/api/v1/memories')).body.memories;
    expect(Object.keys(memories[0]).sort()).toEqual(Object.keys(schema.Memory.properties).sort());
    const keys = (await call('GET', '/api/v1/api-keys')).body.api_keys;
    expect(Object.keys(keys[0]).sort()).toEqual(Object.keys(schema.ApiKey.properties).sort());
  });
});

describe('isolation through the gateway', () => {
  it('a test key sees none of the live data on any route, nor the reverse', async () => {
    const live = {
      docId: (await call('GET', '/api/v1/memory/documents')).body.documents[0].doc_id,
      memoryId: (await call('GET', '/api/v1/memories')).body.memories[0].memory_id,
      workspaceId: (await call('GET', '/api/v1/workspaces')).body.workspaces[0].workspace_id,
      keyId: (await call('GET', '/api/v1/api-keys')).body.api_keys.find((key: { livemode: boolean }) => key.livemode)
        .key_id,
    };
    const test = (method: string, path: string, body?: unknown) => call(method, path, body, {}, cairn.testApiKey);
    expect((await test('GET', '/api/v1/memory/documents')).body.documents).toEqual([]);
    expect((await test('POST', '/api/v1/memory/search', { query: 'boiler' })).body.results).toEqual([]);
    for (const [method, path, body] of [
      ['GET', `/api/v1/memory/documents/${live.docId}`],
      ['DELETE', `/api/v1/memory/documents/${live.docId}`],
      ['GET', `/api/v1/memory/documents?memory_id=${live.memoryId}`],
      ['POST', '/api/v1/memory/documents', { content: 'x', memory_id: live.memoryId }],
      ['POST', '/api/v1/memory/search', { query: 'boiler', memory_id: live.memoryId }],
      ['POST', '/api/v1/memory/search/stream', { query: 'boiler', memory_id: live.memoryId }],
      ['GET', `/api/v1/memories/${live.memoryId}`],
      ['GET', `/api/v1/workspaces/${live.workspaceId}`],
      ['GET', `/api/v1/api-keys/${live.keyId}`],
      ['POST', '/api/v1/memories', { display_name: 'x', workspace_id: live.workspaceId }],
      ['POST', '/api/v1/api-keys', { name: 'x', type: 'memory', memory_id: live.memoryId }],
    ] as [string, string, unknown?][]) {
      const answer = await test(method, path, body);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 404, 'not_found']);
    }
    expect((await test('GET', `/api/v1/memories?workspace_id=${live.workspaceId}`)).body.memories).toEqual([]);
    expect(
      (await test('GET', '/api/v1/api-keys')).body.api_keys.every((key: { livemode: boolean }) => !key.livemode),
    ).toBe(true);
  });
});

describe("a memory's own hostname", () => {
  it('serves that memory to its key and refuses every other memory', async () => {
    const memories = (await call('GET', '/api/v1/memories')).body.memories;
    const other = (await call('POST', '/api/v1/memories', { display_name: 'Second' })).body;
    const minted = await call('POST', '/api/v1/api-keys', {
      name: 'agent',
      type: 'memory',
      memory_id: memories[0].memory_id,
    });
    expect(minted.status).toBe(201);
    const key = minted.body.api_key as string;
    const onHost = (subdomain: string, path: string) => askHost(`${subdomain}.localhost`, path, key);
    expect((await onHost(memories[0].subdomain, '/api/v1/memory/search')).status).toBe(200);
    expect(await onHost(other.subdomain, '/api/v1/memory/search')).toMatchObject({
      status: 403,
      body: { code: 'memory_not_permitted' },
    });
    expect((await onHost('nobody-here', '/api/v1/memory/search')).status).toBe(404);
    expect((await onHost(memories[0].subdomain, '/docs')).status).toBe(404);
    expect(
      await call('POST', '/api/v1/memory/search', { query: 'boiler', memory_id: other.memory_id }, {}, key),
    ).toMatchObject({ status: 403 });
    expect(await call('GET', '/api/v1/memories', undefined, {}, key)).toMatchObject({
      status: 403,
      body: { code: 'memory_not_permitted' },
    });
  });

  function askHost(host: string, path: string, key: string): Promise<{ status: number; body: { code?: string } }> {
    return new Promise((resolve, reject) => {
      const { port } = new URL(cairn.baseUrl);
      const body = JSON.stringify({ query: 'boiler' });
      const headers = {
        host: `${host}:${port}`,
        'x-api-key': key,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, body: text.startsWith('{') ? JSON.parse(text) : {} }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }
});

describe('bad input at the gateway', () => {
  const cases: [string, () => Promise<{ status: number; body: { code: string } }>, number, string][] = [
    ['no credential', () => call('GET', '/api/v1/memories', undefined, {}, null), 401, 'credential_missing'],
    [
      'an unknown key',
      () => call('GET', '/api/v1/memories', undefined, {}, 'ck_live_nobody'),
      401,
      'credential_invalid',
    ],
    [
      'a key with one character changed',
      () => call('GET', '/api/v1/memories', undefined, {}, `${cairn.apiKey.slice(0, -1)}!`),
      401,
      'credential_invalid',
    ],
    [
      'two different credentials',
      () => call('GET', '/api/v1/memories', undefined, { authorization: 'Bearer other' }),
      401,
      'credential_invalid',
    ],
    ['an unknown path', () => call('GET', '/api/v1/nothing'), 404, 'not_found'],
    ['a wrong method', () => call('PUT', '/api/v1/memories'), 405, 'method_not_allowed'],
    ['malformed JSON', () => call('POST', '/api/v1/workspaces', '{"name"'), 400, 'malformed_json'],
    ['an unknown field', () => call('POST', '/api/v1/workspaces', { name: 'x', nmae: 'y' }), 422, 'validation_failed'],
    ['a NUL character', () => call('POST', '/api/v1/workspaces', { name: 'a\u0000b' }), 422, 'validation_failed'],
    [
      'another content type',
      () => call('POST', '/api/v1/workspaces', 'name=x', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    ],
    [
      'a 10 MB document',
      () => call('POST', '/api/v1/memory/documents', { content: 'x'.repeat(10_000_000) }),
      413,
      'payload_too_large',
    ],
    [
      'a foreign memory',
      () => call('POST', '/api/v1/memory/search', { query: 'x', memory_id: 'mem_222222222222222222222' }),
      404,
      'not_found',
    ],
  ];
  it.each(cases)('%s gets its code, no internals, and the service stays up', async (_name, send, status, code) => {
    const answer = await send();
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(JSON.stringify(answer.body)).not.toMatch(/\.ts:|node_modules|stack/);
    expect((await call('GET', '/healthz', undefined, {}, null)).status).toBe(200);
  });

  it('a key may also come as a bearer token', async () => {
    expect(
      (await call('GET', '/api/v1/memories', undefined, { authorization: `Bearer ${cairn.apiKey}` }, null)).status,
    ).toBe(200);
  });
});
