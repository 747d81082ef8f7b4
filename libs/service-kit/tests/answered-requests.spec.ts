import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CairnError } from '@cairn/errors';
import { eventually } from '@cairn/testing';
import { plainBehaviour, type SampleService, startSampleService } from './sample-service.ts';

let service: SampleService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.close());
beforeEach(() => {
  Object.assign(service.behaviour, plainBehaviour());
});

const post = (headers: Record<string, string> = {}) =>
  service.fetch('/api/v1/samples', {
    method: 'POST',
    body: '{"text":"x"}',
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });

describe('a handler', () => {
  it('is given who calls, the request as it was understood, and ids', async () => {
    const seen: unknown[] = [];
    service.behaviour.read = async ({ identity, identityToken, params, query, requestId, idempotencyKey }) => {
      seen.push({ tenantId: identity.tenantId, token: identityToken, params, query, requestId, idempotencyKey });
      return { body: { sample_id: params.sample_id } };
    };
    const response = await service.fetch('/api/v1/samples/a%2Fb?limit=3', {
      as: { tenantId: 'tnt_7' },
      headers: { 'x-request-id': 'r1', 'idempotency-key': 'k' },
    });
    expect([response.status, await response.json()]).toEqual([200, { sample_id: 'a/b' }]);
    expect(seen).toEqual([
      {
        tenantId: 'tnt_7',
        token: expect.stringMatching(/^ey/),
        params: { sample_id: 'a/b' },
        query: { limit: 3 },
        requestId: 'r1',
        idempotencyKey: undefined,
      },
    ]);
  });

  it('is given the Idempotency-Key where the operation honours it', async () => {
    const keys: (string | undefined)[] = [];
    service.behaviour.echo = async ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      return { body: { text: '' }, replayed: idempotencyKey !== undefined };
    };
    const answers = [await post(), await post({ 'idempotency-key': 'abc' })];
    expect(keys).toEqual([undefined, 'abc']);
    expect(answers.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect((await post({ 'idempotency-key': 'k'.repeat(256) })).status).toBe(422);
  });

  it('says another status than the operation’s own, e.g. of a replayed answer', async () => {
    service.behaviour.echo = async () => ({ body: { text: '' }, status: 202 });
    expect((await post()).status).toBe(202);
  });

  it('is told by its signal when the client is gone, which is no failure to log', async () => {
    const leaving = new AbortController();
    let aborted = false;
    service.behaviour.read = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(signal.reason as Error);
        });
        leaving.abort();
      });
    const before = service.logged().length;
    await expect(service.fetch('/api/v1/samples/x', { signal: leaving.signal })).rejects.toThrow();
    await eventually(() => aborted);
    service.behaviour.read = plainBehaviour().read;
    await service.fetch('/api/v1/samples/x');
    expect(service.logged().slice(before)).toEqual([]);
  });
});

describe('health', () => {
  it('is told to anybody: the process, and what it depends on', async () => {
    expect((await service.fetch('/healthz', { as: null })).status).toBe(200);
    expect((await service.fetch('/readyz', { as: null })).status).toBe(200);
    service.behaviour.ready = () =>
      Promise.reject(new CairnError('unavailable', 'The database cannot be reached right now.'));
    const response = await service.fetch('/readyz', { as: null });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await service.fetch('/healthz', { as: null })).status).toBe(200);
  });
});

describe('an answer', () => {
  it('is kept by no cache, whether it succeeds or not', async () => {
    const answers = [await post(), await service.fetch('/api/v1/samples/a'), await service.fetch('/api/v1/nothing')];
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(['no-store', 'no-store', 'no-store']);
  });

  it('does not say what software made it', async () => {
    const { headers } = await service.fetch('/api/v1/samples/x');
    expect([headers.get('x-powered-by'), headers.get('server'), headers.get('etag')]).toEqual([null, null, null]);
  });
});
