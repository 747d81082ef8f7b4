import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CairnError } from '@cairn/errors';
import type { ServiceName } from '@cairn/contracts';
import { BINDING_HEADER, createTokenSigner, generateSigningKey, IDENTITY_HEADER } from '@cairn/identity';
import { type ForwardedRequest, testIdentity } from '@cairn/testing';
import { BODY_MAX_BYTES, plainBehaviour, SAMPLES, type SampleService, startSampleService } from './sample-service.ts';

let service: SampleService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.close());
beforeEach(() => {
  Object.assign(service.behaviour, plainBehaviour());
});

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE) =>
  service.fetch('/api/v1/samples', { method: 'POST', body, headers });

async function problemOf(response: Response): Promise<Record<string, unknown>> {
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const problem = (await response.json()) as Record<string, unknown>;
  expect(problem['status']).toBe(response.status);
  return problem;
}

/** Sends bytes and gives the first line of the answer, without ever sending more. */
async function firstLineAfter(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.http.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return chunk.toString().split('\r\n')[0]!;
}

describe('a request without a valid identity', () => {
  const forged = async (service: ServiceName) =>
    (await createTokenSigner((await generateSigningKey('gateway')).privateJwk)).signIdentity(testIdentity(), service);

  /** Headers that a caller, or somebody between the gateway and the services, could come by. */
  type Headers = (request: ForwardedRequest) => Promise<Record<string, string>>;
  const forwarded: Headers = (request) => service.identities.headersFor(testIdentity(), request);
  const bound: Headers = async (request) => {
    const { [BINDING_HEADER]: binding } = await forwarded(request);
    return { [BINDING_HEADER]: binding! };
  };

  it.each<[string, Headers]>([
    ['without one', async () => ({})],
    ['with an empty one', async (request) => ({ ...(await bound(request)), [IDENTITY_HEADER]: '' })],
    ['with a forged one', async (request) => ({ ...(await bound(request)), [IDENTITY_HEADER]: await forged('keys') })],
    [
      'with a genuine one that is bound to nothing',
      async () => ({ [IDENTITY_HEADER]: await service.identities.token(testIdentity(), 'keys') }),
    ],
    [
      'with the binding of another caller',
      async (request) => ({
        ...(await bound(request)),
        [IDENTITY_HEADER]: await service.identities.token(testIdentity(), 'keys'),
      }),
    ],
    ['that was forwarded to another service', (request) => forwarded({ ...request, service: 'usage' })],
    [
      'that was forwarded with another method',
      (request) => forwarded({ ...request, method: request.method === 'GET' ? 'POST' : 'GET' }),
    ],
    ['that was forwarded with another path', (request) => forwarded({ ...request, url: '/api/v1/others' })],
    ['that was forwarded with another query', (request) => forwarded({ ...request, url: `${request.url}?limit=1` })],
    ['with a service’s own', (request) => service.identities.headersFor(null, request)],
  ])('%s is 401 identity_invalid on every operation', async (_what, headersOf) => {
    for (const operation of SAMPLES) {
      const { method } = operation;
      const url = operation.path.replace('{sample_id}', 'x');
      const headers = await headersOf({ service: 'keys', method, url });
      const response = await service.fetch(url, { method, as: null, headers });
      expect(response.headers.get('www-authenticate')).toBe('ApiKey header="x-api-key", Bearer');
      expect(await problemOf(response)).toMatchObject({ status: 401, code: 'identity_invalid' });
    }
  });

  it('that was forwarded and answered before is 401, however soon it comes again', async () => {
    const body = '{"text":"once"}';
    const request = { service: 'keys', method: 'POST', url: '/api/v1/samples' } as const;
    const headers = { ...(await forwarded(request)), ...JSON_TYPE };
    const send = () => service.fetch(request.url, { method: 'POST', as: null, headers, body });
    expect((await send()).status).toBe(201);
    expect(await problemOf(await send())).toMatchObject({ status: 401, code: 'identity_invalid' });
  });

  it('is refused before a byte of its body has arrived', async () => {
    const head = `POST /api/v1/samples HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n`;
    expect(await firstLineAfter(head)).toBe('HTTP/1.1 401 Unauthorized');
  });

  it('is refused before its body is judged', async () => {
    const response = await service.fetch('/api/v1/samples', {
      method: 'POST',
      as: null,
      body: '{',
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.status).toBe(401);
  });
});

describe('a request that comes too late', () => {
  it('is 503 with Retry-After, not 401: the key is good, and clients would discard it', async () => {
    for (const operation of SAMPLES) {
      const { method } = operation;
      const url = operation.path.replace('{sample_id}', 'x');
      const late = testIdentity({ admitUntilMs: Date.now() - 1_000 });
      const headers = await service.identities.headersFor(late, { service: 'keys', method, url });
      const response = await service.fetch(url, { method, as: null, headers });
      expect(await problemOf(response)).toMatchObject({ status: 503, code: 'unavailable' });
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.headers.get('www-authenticate')).toBeNull();
    }
  });

  it('because the service was stuck for longer than the identity lives is 503, and taken when it is sent again', async () => {
    const url = '/api/v1/samples/x';
    const { hostname, port } = new URL(service.http.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const admitUntilMs = Date.now() + 300;
    const headers = await service.headersFor({ method: 'GET', url }, { admitUntilMs });
    const identity = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const answer = once(socket, 'data');
    // It lies in the kernel's buffer while nobody reads it.
    socket.write(`GET ${url} HTTP/1.1\r\nhost: x\r\n${identity.join('\r\n')}\r\n\r\n`);
    while (Date.now() < admitUntilMs);
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 503 /);
    socket.destroy();
    expect((await service.fetch(url)).status).toBe(200);
  });

  it('to another part, which refuses this service’s own identity, is an error of ours, not of the caller’s', async () => {
    service.behaviour.read = () => Promise.reject(new CairnError('identity_invalid', 'The call carries no identity.'));
    const response = await service.fetch('/api/v1/samples/x');
    expect(await problemOf(response)).toMatchObject({ status: 500, code: 'internal' });
  });
});

describe('a caller who may not', () => {
  it('lacks a scope, or an app permission: 403 permission_denied that names it', async () => {
    const noScope = await service.fetch('/api/v1/samples/x', { as: { scopes: ['keys:read'] } });
    expect(await problemOf(noScope)).toMatchObject({
      status: 403,
      code: 'permission_denied',
      detail: 'The key lacks scope memory:search.',
    });
    const noApp = await service.fetch('/api/v1/samples/x', { as: { appPermissions: { keys: ['write'] } } });
    expect(await problemOf(noApp)).toMatchObject({
      status: 403,
      code: 'permission_denied',
      detail: 'The key lacks app permission keys:read.',
    });
  });

  it('is bound to one memory: 403 where the operation is the tenant’s', async () => {
    const bound = { kind: 'memory', memoryId: 'mem_1' } as const;
    const response = await service.fetch('/api/v1/samples', {
      method: 'POST',
      as: bound,
      body: '{"text":"x"}',
      headers: JSON_TYPE,
    });
    expect(await problemOf(response)).toMatchObject({ status: 403, code: 'memory_not_permitted' });
    expect((await service.fetch('/api/v1/samples/x', { as: bound })).status).toBe(200);
  });
});

describe('a body', () => {
  it.each<[string, string | Buffer, Record<string, string>, number, string]>([
    ['of torn JSON', '{"text":', JSON_TYPE, 400, 'malformed_json'],
    ['of no JSON at all', 'text', JSON_TYPE, 400, 'malformed_json'],
    [
      'of another type',
      'text=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['of no type', Buffer.from('{"text":"x"}'), {}, 415, 'unsupported_media_type'],
    [
      'of a type that ends like JSON',
      '{"text":"x"}',
      { 'content-type': 'application/merge-patch+json' },
      415,
      'unsupported_media_type',
    ],
    [
      'in another charset',
      '{"text":"x"}',
      { 'content-type': 'application/json; charset=latin1' },
      415,
      'unsupported_media_type',
    ],
    [
      'in an unknown encoding',
      '{"text":"x"}',
      { ...JSON_TYPE, 'content-encoding': 'zip' },
      415,
      'unsupported_media_type',
    ],
    [
      'that is not what its encoding says',
      '{"text":"x"}',
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      400,
      'malformed_request',
    ],
    ['that is too large', JSON.stringify({ text: 'x'.repeat(BODY_MAX_BYTES) }), JSON_TYPE, 413, 'payload_too_large'],
    [
      'that unpacks to too much',
      gzipSync(JSON.stringify({ text: 'x'.repeat(50_000_000) })),
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      413,
      'payload_too_large',
    ],
    ['that is empty', '', JSON_TYPE, 422, 'validation_failed'],
    ['that is null', 'null', JSON_TYPE, 422, 'validation_failed'],
    ['that is a list', '[]', JSON_TYPE, 422, 'validation_failed'],
    ['with an unknown field', '{"text":"x","txet":"y"}', JSON_TYPE, 422, 'validation_failed'],
    ['with a NUL', '{"text":"a\\u0000b"}', JSON_TYPE, 422, 'validation_failed'],
    ['nested without end', `{"text":${'['.repeat(4_000)}${']'.repeat(4_000)}}`, JSON_TYPE, 422, 'validation_failed'],
  ])('%s is refused, and the handler never called', async (_what, body, headers, status, code) => {
    service.behaviour.echo = () => Promise.reject(new Error('was called'));
    expect(await problemOf(await post(body, headers))).toMatchObject({ status, code });
  });

  it('that is too large is refused by its announced length, before it is sent', async () => {
    const headers = await service.headersFor({ method: 'POST', url: '/api/v1/samples' });
    const identity = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const head = `POST /api/v1/samples HTTP/1.1\r\nhost: x\r\n${identity.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: 90000000\r\n\r\n{`;
    expect(await firstLineAfter(head)).toBe('HTTP/1.1 413 Payload Too Large');
  });

  it('that unpacks to 50 MB costs no such memory', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
    const before = process.memoryUsage().rss;
    expect((await post(bomb, { ...JSON_TYPE, 'content-encoding': 'gzip' })).status).toBe(413);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('in gzip within the bound is taken', async () => {
    const response = await post(gzipSync('{"text":"packed"}'), { ...JSON_TYPE, 'content-encoding': 'gzip' });
    expect([response.status, await response.json()]).toEqual([201, { text: 'packed' }]);
  });
});

describe('a path or query', () => {
  it.each<[string, string, number, string, string | undefined]>([
    ['with an unknown parameter', '/api/v1/samples/x?page=1', 422, 'validation_failed', 'page'],
    ['with a parameter called __proto__', '/api/v1/samples/x?__proto__=1', 422, 'validation_failed', '__proto__'],
    ['with a parameter given twice', '/api/v1/samples/x?limit=1&limit=2', 422, 'validation_failed', 'limit'],
    ['with a NUL in the path', '/api/v1/samples/a%00b', 422, 'validation_failed', 'sample_id'],
    ['with a NUL in the query', '/api/v1/samples/x?limit=%00', 422, 'validation_failed', 'limit'],
    ['with a part that is too long', `/api/v1/samples/${'x'.repeat(51)}`, 422, 'validation_failed', 'sample_id'],
    ['that cannot be decoded', '/api/v1/samples/%ff', 400, 'malformed_request', undefined],
    ['that nothing answers', '/api/v1/nothing', 404, 'not_found', undefined],
    ['of a WebSocket operation without an upgrade', '/api/v1/live', 426, 'upgrade_required', undefined],
  ])('%s is refused', async (_what, path, status, code, place) => {
    const problem = await problemOf(await service.fetch(path));
    expect(problem).toMatchObject({ status, code });
    expect((problem['errors'] as { path: string }[] | undefined)?.[0]?.path).toBe(place);
  });
});

describe('a handler that fails', () => {
  const secret = 'password=hunter2 in /srv/cairn/app.ts';

  it.each<[string, unknown]>([
    ['with an Error', new Error(secret)],
    ['with something else', { message: secret, status: 418, type: 'entity.too.large' }],
    ['inside', new CairnError('internal', secret, { internal: secret })],
  ])('%s gives 500 without its text or a stack, and the log has both', async (_what, failure) => {
    service.behaviour.read = () => Promise.reject(failure as Error);
    const response = await service.fetch('/api/v1/samples/x', { headers: { 'x-request-id': 'req-500' } });
    const problem = await problemOf(response);
    expect(problem).toMatchObject({ status: 500, code: 'internal', request_id: 'req-500' });
    expect(JSON.stringify(problem)).not.toMatch(/hunter2|\.ts|at /);
    const record = service.logged().findLast(({ msg }) => msg === 'http: request failed');
    expect(record).toMatchObject({ request_id: 'req-500' });
    expect(JSON.stringify(record)).toContain('hunter2');
  });

  it('because its time is up gives 504', async () => {
    service.behaviour.read = () =>
      Promise.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    expect(await problemOf(await service.fetch('/api/v1/samples/x'))).toMatchObject({
      status: 504,
      code: 'deadline_exceeded',
    });
  });

  it('with a code of ours gives its status, headers and extras', async () => {
    service.behaviour.read = () => Promise.reject(new CairnError('unavailable', 'Not now.', { retryAfterSeconds: 7 }));
    const response = await service.fetch('/api/v1/samples/x', { headers: { accept: 'application/problem+json' } });
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await response.json()).toMatchObject({ status: 503, code: 'unavailable', detail: 'Not now.' });
  });

  it('leaves the service up', async () => {
    service.behaviour.read = () => Promise.reject(new Error('x'));
    await service.fetch('/api/v1/samples/x');
    service.behaviour.read = plainBehaviour().read;
    expect((await service.fetch('/api/v1/samples/x')).status).toBe(200);
  });
});
