import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Cairn,
  CairnError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
} from '../src/index.ts';
import { answer, half, type MisbehavingServer, problem, reset, startMisbehavingServer } from './misbehaving-server.ts';

let server: MisbehavingServer;
let cairn: Cairn;

beforeAll(async () => {
  server = await startMisbehavingServer();
  cairn = new Cairn({ baseUrl: server.baseUrl, apiKey: 'ck_test_1' });
});
afterAll(() => server.close());

const keysSeen = () => server.seen.map(({ headers }) => headers['idempotency-key']);

describe('a call', () => {
  it('has the credential, its path encoded, and each field where it belongs', async () => {
    server.behave(answer({ contradiction_id: 'ctr_1' }));
    await cairn.graph.contradictions.resolve('ctr/1', { winner: 'both', memory_id: 'mem_1' });
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        path: '/api/v1/memory/contradictions/ctr%2F1/resolve?memory_id=mem_1',
        headers: { 'x-api-key': 'ck_test_1', 'content-type': 'application/json' },
        body: '{"winner":"both"}',
      },
    ]);
  });

  it('that takes nothing sends no body', async () => {
    server.behave(answer({ success: true }));
    await cairn.runs.stop('thr_1');
    expect(server.seen).toMatchObject([{ method: 'POST', body: '' }]);
  });

  it('with an id that would make its path another one is refused here', () => {
    for (const wrong of ['', '.', '..']) expect(() => cairn.documents.get(wrong)).toThrow(TypeError);
  });

  it('of a client of one memory names the memory, unless the caller names another', async () => {
    server.behave(answer({ documents: [] }));
    const memory = cairn.memory('mem_1');
    await memory.documents.list();
    await memory.documents.list({ memory_id: 'mem_2' });
    await memory.usage.credits();
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/api/v1/memory/documents?memory_id=mem_1',
      '/api/v1/memory/documents?memory_id=mem_2',
      '/api/v1/usage/credits',
    ]);
  });

  it('of a page whose user has signed in carries no credential of its own', async () => {
    const sent: Headers[] = [];
    const fetchOnce: typeof fetch = async (_url, init) => {
      sent.push(new Headers(init?.headers));
      return Response.json({ models: [] });
    };
    await new Cairn({ signedIn: true, fetch: fetchOnce }).models.list();
    expect([sent[0]!.get('x-api-key'), sent[0]!.get('authorization')]).toEqual([null, null]);
    expect(() => new Cairn({})).toThrow('there is no credential');
  });

  it('asks for its key each time when that is a function', async () => {
    let key = 'ck_test_1';
    const rotating = new Cairn({ baseUrl: server.baseUrl, apiKey: () => Promise.resolve(key) });
    server.behave(answer({ documents: [] }));
    await rotating.documents.list();
    key = 'ck_test_2';
    await rotating.documents.list();
    expect(server.seen.map(({ headers }) => headers['x-api-key'])).toEqual(['ck_test_1', 'ck_test_2']);
  });
});

describe('an error', () => {
  it('has its status, code, request and fields, and a class of its own', async () => {
    const errors = [{ path: 'query', message: 'is missing' }];
    server.behave(answer({ status: 422, code: 'validation_failed', detail: 'no', request_id: 'r', errors }, 422));
    const thrown = await cairn.search.query({ query: '' }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(InvalidRequestError);
    expect(thrown).toMatchObject({ status: 422, code: 'validation_failed', requestId: 'r', errors, retryAfter: null });
    expect(String(thrown)).toBe('InvalidRequestError: no (validation_failed, request r)');
  });

  it('of a proxy that answers in HTML has its status', async () => {
    server.behave((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html', 'x-request-id': 'r2' }).end('<h1>Not found</h1>');
    });
    await expect(cairn.memories.get('mem_1')).rejects.toBeInstanceOf(NotFoundError);
    await expect(cairn.memories.get('mem_1')).rejects.toMatchObject({ status: 404, requestId: 'r2' });
  });

  it('that no repetition heals is not repeated', async () => {
    for (const [status, code] of [
      [400, 'malformed_json'],
      [402, 'plan_limit_reached'],
      [409, 'conflict'],
      [422, 'validation_failed'],
      [429, 'quota_exceeded'],
    ] as const) {
      server.behave(problem(status, code, status === 429 ? { 'retry-after': '0' } : {}));
      await expect(cairn.documents.list()).rejects.toMatchObject({ status, code });
      expect(server.seen.length).toBe(1);
    }
  });
});

describe('a repetition', () => {
  it.each([
    ['a lost answer', reset],
    ['half an answer', half],
    ['503', problem(503, 'unavailable', { 'retry-after': '0' })],
    ['an earlier attempt that is under way', problem(409, 'idempotency_in_flight', { 'retry-after': '0' })],
  ])('after %s has the idempotency key of the first attempt', async (_what, failure) => {
    server.behave(failure, answer({ documents: [{ doc_id: 'doc_1' }] }, 202));
    await expect(cairn.documents.add({ content: 'x' })).resolves.toEqual({ documents: [{ doc_id: 'doc_1' }] });
    expect(server.seen.length).toBe(2);
    expect(new Set(keysSeen()).size).toBe(1);
    expect(keysSeen()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(server.seen[0]!.body).toBe(server.seen[1]!.body);
  });

  it('of a file sends the file again', async () => {
    server.behave(reset, answer({ documents: [] }, 202));
    await cairn.documents.upload({ name: 'a.txt', content: 'text of a file' }, { metadata: { year: 2026 } });
    for (const { body } of server.seen) {
      expect(body).toContain('filename="a.txt"');
      expect(body).toContain('text of a file');
      expect(body).toContain('{"year":2026}');
    }
    expect(server.seen.length).toBe(2);
  });

  it('ends after as many as are allowed, with the last error', async () => {
    server.behave(problem(503, 'unavailable', { 'retry-after': '0' }));
    await expect(cairn.documents.list()).rejects.toMatchObject({ status: 503 });
    expect(server.seen.length).toBe(3);
    server.behave(problem(503, 'unavailable', { 'retry-after': '0' }));
    await expect(cairn.documents.list({}, { maxRetries: 0 })).rejects.toMatchObject({ status: 503 });
    expect(server.seen.length).toBe(1);
  });

  it('waits as long as it is told, and not when that is more than a minute', async () => {
    server.behave(problem(429, 'rate_limited', { 'retry-after': '1' }), answer({ documents: [] }));
    const before = Date.now();
    await cairn.documents.list();
    expect(Date.now() - before).toBeGreaterThanOrEqual(990);
    server.behave(problem(429, 'rate_limited', { 'retry-after': '61' }));
    const refused = await Promise.resolve(cairn.documents.list()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RateLimitError);
    expect(refused).toMatchObject({ retryAfter: 61 });
    expect(server.seen.length).toBe(1);
  });

  it('is not made of a search in a thread, which may have written its turns', async () => {
    server.behave(reset);
    await expect(cairn.search.query({ query: 'q', thread_id: 'thr_1' })).rejects.toBeInstanceOf(ConnectionError);
    expect(server.seen.length).toBe(1);
    server.behave(reset, answer({ answer: 'yes' }));
    await expect(cairn.search.query({ query: 'q' })).resolves.toEqual({ answer: 'yes' });
  });

  it('is not made of a message of MCP, whose tool may write', async () => {
    server.behave(reset);
    await expect(cairn.spaces.mcp('spc_1', { jsonrpc: '2.0' })).rejects.toBeInstanceOf(ConnectionError);
    expect(server.seen.length).toBe(1);
  });

  it('ends when the caller leaves', async () => {
    server.behave(problem(503, 'unavailable', { 'retry-after': '30' }));
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(new Error('left')), 50);
    await expect(Promise.resolve(cairn.documents.list({}, { signal: leaving.signal }))).rejects.toThrow('left');
    expect(server.seen.length).toBe(1);
  });

  it('comes after a time limit of each attempt', async () => {
    server.behave(() => undefined, answer({ documents: [] }));
    await expect(Promise.resolve(cairn.documents.list({}, { timeoutMs: 100 }))).resolves.toEqual({ documents: [] });
    server.behave(() => undefined);
    const thrown = await Promise.resolve(cairn.documents.list({}, { timeoutMs: 50, maxRetries: 0 })).catch(
      (error: unknown) => error,
    );
    expect(thrown).toMatchObject({ name: 'TimeoutError', message: 'No answer within 50 ms.' });
  });
});

describe('a list', () => {
  const page = (rows: string[], next?: string) =>
    answer({ documents: rows.map((doc_id) => ({ doc_id })), ...(next === undefined ? {} : { next_cursor: next }) });

  it('is its first page when it is awaited, and all rows when it is iterated', async () => {
    server.behave(page(['doc_1', 'doc_2'], 'doc_2'), page(['doc_3']));
    const first = await cairn.documents.list({ limit: 2 });
    expect(first.documents.length).toBe(2);
    server.behave(page(['doc_1', 'doc_2'], 'doc_2'), page(['doc_3']));
    const ids: string[] = [];
    for await (const { doc_id } of cairn.documents.list({ limit: 2 })) ids.push(doc_id);
    expect(ids).toEqual(['doc_1', 'doc_2', 'doc_3']);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/api/v1/memory/documents?limit=2',
      '/api/v1/memory/documents?limit=2&cursor=doc_2',
    ]);
  });

  it('asks for no page that nobody needs', async () => {
    server.behave(page(['doc_1', 'doc_2'], 'doc_2'));
    await expect(cairn.documents.list().all(2)).resolves.toEqual([{ doc_id: 'doc_1' }, { doc_id: 'doc_2' }]);
    await expect(cairn.documents.list().all(0)).resolves.toEqual([]);
    expect(server.seen.length).toBe(1);
  });

  it('with numbered pages ends with its total', async () => {
    const numbered = (ids: number[]) => answer({ success: true, data: ids.map((row_id) => ({ row_id })), total: 3 });
    server.behave(numbered([1, 2]), numbered([3]));
    const rows = await cairn.lists.rows('lst_1', { limit: 2 }).all();
    expect(rows).toEqual([{ row_id: 1 }, { row_id: 2 }, { row_id: 3 }]);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/api/v1/search/lists/lst_1/rows?limit=2',
      '/api/v1/search/lists/lst_1/rows?limit=2&page=2',
    ]);
  });
});

describe('an OAuth client', () => {
  it('is given one token for many calls, and another before it ends or when it is refused', async () => {
    const token = (access_token: string) => answer({ access_token, token_type: 'bearer', expires_in: 600 });
    const machine = new Cairn({ baseUrl: server.baseUrl, oauth: { clientId: 'oc_1', clientSecret: 'ocs_1' } });
    server.behave(token('ot_1'), answer({ documents: [] }));
    await Promise.all([machine.documents.list(), machine.documents.list()]);
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/oauth/token',
      '/api/v1/memory/documents',
      '/api/v1/memory/documents',
    ]);
    expect(new URLSearchParams(server.seen[0]!.body).get('client_secret')).toBe('ocs_1');
    expect(server.seen[1]!.headers.authorization).toBe('Bearer ot_1');
    server.behave(problem(401, 'credential_expired'), token('ot_2'), answer({ documents: [] }));
    await machine.documents.list();
    expect(server.seen[2]!.headers.authorization).toBe('Bearer ot_2');
  });
});

describe('a token', () => {
  const oauth = { clientId: 'oc_1', clientSecret: 'ocs_1' };

  it('is asked for three times at most when it cannot be had', async () => {
    server.behave(problem(503, 'unavailable', { 'retry-after': '0' }));
    const machine = new Cairn({ baseUrl: server.baseUrl, oauth });
    await expect(Promise.resolve(machine.documents.list())).rejects.toMatchObject({ status: 503 });
    expect(server.seen.length).toBe(3);
  });

  it('that ends at once is used once, and whoever leaves takes it from nobody else', async () => {
    const machine = new Cairn({ baseUrl: server.baseUrl, oauth });
    server.behave(
      (request, response) => {
        setTimeout(() => answer({ access_token: 'ot_1', expires_in: 0 })(request, response), 50);
      },
      answer({ documents: [] }),
    );
    const leaving = new AbortController();
    const left = Promise.resolve(machine.documents.list({}, { signal: leaving.signal }));
    const stays = Promise.resolve(machine.documents.list());
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await expect(stays).resolves.toEqual({ documents: [] });
    expect(server.seen.map(({ path }) => path)).toEqual(['/oauth/token', '/api/v1/memory/documents']);
  });
});

describe('a client', () => {
  it('is not made without a credential', () => {
    expect(() => new Cairn({ baseUrl: server.baseUrl })).toThrow(CairnError);
  });

  it('refuses a tenant key in a page unless it is told that this is meant', () => {
    const page = globalThis as { document?: unknown };
    page.document = {};
    try {
      expect(() => new Cairn({ apiKey: 'ck_live_1' })).toThrow('does not belong into a page');
      expect(new Cairn({ apiKey: 'ck_live_1', allowKeyInBrowser: true })).toBeInstanceOf(Cairn);
      expect(new Cairn({ apiKey: 'mk_1' })).toBeInstanceOf(Cairn);
    } finally {
      delete page.document;
    }
  });

  it('of a memory calls its hostname', async () => {
    const agent = Cairn.forMemory({ host: server.baseUrl, apiKey: 'mk_1' });
    server.behave(answer({ answer: 'yes' }));
    await agent.search.query({ query: 'q' });
    expect(server.seen[0]!.headers['x-api-key']).toBe('mk_1');
  });
});
