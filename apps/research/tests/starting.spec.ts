import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { testIdentity } from '@cairn/testing';
import { memoryOf } from './stub-services.ts';
import { messagesOf, type ResearchHarness, startResearchHarness, upgradeStatus } from './research-harness.ts';

let research: ResearchHarness;
beforeAll(async () => {
  research = await startResearchHarness();
  research.stubs.documents.push({
    docId: 'doc_leave',
    title: 'Leave policy',
    text: 'Everybody has 30 days of paid leave each year. Leave is asked for two weeks before it begins.',
  });
});
afterAll(() => research.close());

const WEB = '/api/v1/search/agent/web-and-research';
const CRAWLER = '/api/v1/search/agent/agentic-crawler';
const PEOPLE = '/api/v1/search/workflow/people/start';
const RESEARCH = '/api/v1/search/research/start';
const DEEP = '/api/v1/search/service-deep-search/start';
const statusPath = (threadId: string) => `/api/v1/search/workflow/status/${threadId}`;
const prompt = 'How many days of paid leave does everybody have? Use my documents only';

describe('the response to a start has the documented fields and no others', () => {
  const id = (kind: string) => expect.stringMatching(new RegExp(`^${kind}_`));
  const socket = expect.stringMatching(/^wss:\/\/cairn\.example\/api\/v1\/search\/socket\/thr_\w+\?ticket=/);
  it.each([
    [
      'web and research',
      WEB,
      { prompt, live_url: true },
      {
        success: true,
        message: expect.any(String),
        thread_id: id('thr'),
        list_id: id('lst'),
        websocket_url: socket,
        status: 'awaiting_connection',
      },
    ],
    [
      'agentic crawler',
      CRAWLER,
      { prompt: 'Read https://example.org/ please' },
      {
        success: true,
        message: expect.any(String),
        thread_id: id('thr'),
        list_id: id('lst'),
        websocket_url: socket,
        status: 'awaiting_connection',
      },
    ],
    [
      'people search',
      PEOPLE,
      {
        prompt: 'Find nurses in Hamburg',
        list_name: 'Nurses',
        list_description: 'For the clinic',
        search_mode: 'fast',
      },
      { success: true, message: expect.any(String), thread_id: id('thr'), status: 'queued' },
    ],
    [
      'company search',
      '/api/v1/search/workflow/company/start',
      { prompt: 'Find suppliers in Rotterdam' },
      { success: true, message: expect.any(String), thread_id: id('thr'), status: 'queued' },
    ],
    [
      'research',
      RESEARCH,
      { query: prompt, allow_clarification: false, serviceId: 'desk-7' },
      { thread_id: id('thr'), status: 'queued', message: expect.any(String), research_brief: '', final_report: '' },
    ],
    [
      'deep search',
      DEEP,
      { prompt, live_url: false },
      {
        success: true,
        thread_id: id('thr'),
        list_id: id('lst'),
        websocket_url: socket,
        live_url: '',
        workspace_id: id('ws'),
        status: 'awaiting_connection',
      },
    ],
  ])('%s', async (_name, path, body, fields) => {
    const answer = await research.call('POST', path, body);
    expect([answer.status, answer.body]).toEqual([200, fields]);
    expect(answer.body).toEqual(fields);
  });

  it.each([
    ['an unknown model', WEB, { prompt, llm_model: 'no-such' }, 422, 'validation_failed'],
    ['a proxy where there is none', WEB, { prompt, proxy: true }, 422, 'proxy_not_configured'],
    ['a crawl without a site', CRAWLER, { prompt: 'Read the web please' }, 422, 'validation_failed'],
    ['a foreign memory', RESEARCH, { query: prompt, memory_id: newId('memory') }, 404, 'not_found'],
    ['a thread without its list', DEEP, { prompt, thread_id: newId('thread') }, 422, 'validation_failed'],
  ])('refuses %s', async (_name, path, body, status, code) => {
    const answer = await research.call('POST', path, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('refuses a start that nobody can pay, and starts nothing', async () => {
    research.stubs.credit.left = false;
    const before = await research.ask('SELECT 1 FROM runs');
    const answer = await research.call('POST', RESEARCH, { query: prompt });
    expect([answer.status, answer.body.code]).toEqual([402, 'insufficient_credits']);
    expect(await research.ask('SELECT 1 FROM runs')).toHaveLength(before.length);
    research.stubs.credit.left = true;
  });

  it('starts once for one Idempotency-Key, and charges once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [first, second] = [
      await research.call('POST', RESEARCH, { query: prompt }, { headers }),
      await research.call('POST', RESEARCH, { query: prompt }, { headers }),
    ];
    expect(second.body.thread_id).toBe(first.body.thread_id);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    await research.until(first.body.thread_id, 'completed');
    expect(research.stubs.charges.get(first.body.thread_id)?.requests[0]).toBe('reserve');
  });
});

interface Prepared {
  thread_id: string;
  list_id: string;
  websocket_url: string;
}

describe('a prepared run', () => {
  const start = async (): Promise<Prepared> => (await research.call('POST', WEB, { prompt })).body;

  it('does nothing until its WebSocket connects, then streams all events in order and ends', async () => {
    const { thread_id, websocket_url, list_id } = await start();
    expect((await research.call('GET', statusPath(thread_id))).body).toMatchObject({
      status: 'awaiting_connection',
      list_id,
    });
    expect(await research.events(thread_id)).toEqual([]);
    const { messages, code } = await messagesOf(await research.connect(websocket_url));
    expect(code).toBe(1000);
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
    expect(messages[0]).toMatchObject({ type: 'run.queued', thread_id, data: { kind: 'web' } });
    expect(messages.filter(({ type }) => /^run\.(?:completed|failed|cancelled|expired)$/.test(type))).toEqual([
      messages.at(-1),
    ]);
    expect(messages.at(-1)).toMatchObject({ type: 'run.completed' });
    expect(messages.find(({ type }) => type === 'finding.added')?.data.quote).toBe(
      'Everybody has 30 days of paid leave each year.',
    );
    const status = await research.until(thread_id, 'completed');
    expect(status.final_report).toContain('Everybody has 30 days of paid leave each year. [1]');
  });

  it('accepts a ticket once, and the status has a fresh one', async () => {
    const { thread_id, websocket_url } = await start();
    const all = (await messagesOf(await research.connect(websocket_url))).messages;
    expect(await upgradeStatus(await research.connect(websocket_url))).toBe(401);
    const fresh = (await research.call('GET', statusPath(thread_id))).body.websocket_url;
    const middle = Math.floor(all.length / 2);
    const { messages } = await messagesOf(await research.connect(fresh, { lastSeq: middle }));
    expect(messages).toEqual(all.slice(middle));
  });

  it('continues when the connection is lost', async () => {
    const { thread_id, websocket_url } = await start();
    const socket = await research.connect(websocket_url);
    await new Promise((resolve) => socket.once('open', resolve));
    socket.terminate();
    expect((await research.until(thread_id, 'completed')).status).toBe('completed');
  });

  it('also opens for the key itself, with no ticket', async () => {
    const { thread_id } = await start();
    const { messages } = await messagesOf(await research.connect(`https://x/api/v1/search/socket/${thread_id}`));
    expect(messages.at(-1)?.type).toBe('run.completed');
  });

  it.each([
    ['of another run', async (): Promise<string> => (await start()).websocket_url.replace(/.*ticket=/, ''), {}, 401],
    ['that nobody made', async (): Promise<string> => 'x.y.z', {}, 401],
    ['of another credential', null, { as: 'other key' }, 401],
    ['of another tenant', null, { as: 'other tenant' }, 401],
  ] as const)('refuses a ticket %s', async (_name, ticket, who, expected) => {
    const { thread_id, websocket_url } = await start();
    const url =
      ticket === null ? websocket_url : `https://x/api/v1/search/socket/${thread_id}?ticket=${await ticket()}`;
    const { caller } = research;
    const as = !('as' in who)
      ? caller
      : who.as === 'other key'
        ? { ...caller, credentialId: 'key_other' }
        : testIdentity();
    expect(await upgradeStatus(await research.connect(url, { as }))).toBe(expected);
    expect((await research.call('GET', statusPath(thread_id))).body.status).toBe('awaiting_connection');
  });

  it('refuses an expired ticket, and a page of a foreign origin', async () => {
    const { thread_id, websocket_url } = await start();
    expect(await upgradeStatus(await research.connect(websocket_url, { origin: 'https://evil.example' }))).toBe(403);
    expect((await research.call('GET', statusPath(thread_id))).body.status).toBe('awaiting_connection');
    const own = await research.connect(websocket_url, { origin: 'https://cairn.example' });
    expect(await upgradeStatus(own)).toBe(101);
    own.terminate();
  });

  it('replies to invalid messages, and stays open', async () => {
    const { websocket_url } = await start();
    const socket = await research.connect(websocket_url);
    const all = messagesOf(socket);
    await new Promise((resolve) => socket.once('open', resolve));
    for (const text of [
      '{',
      '{"type":"dance"}',
      '{"type":"ping"}',
      '{"type":"clarification.answer","question_id":"qst_1","answer":"x"}',
    ])
      socket.send(text);
    const { messages, code } = await all;
    const answers = messages.filter(({ seq }) => seq === undefined);
    expect(answers).toEqual(
      expect.arrayContaining([
        { type: 'error', code: 'malformed_json' },
        { type: 'error', code: 'validation_failed' },
        { type: 'pong' },
        { type: 'error', code: 'conflict' },
      ]),
    );
    expect(code).toBe(1000);
  });
});

describe('a run started with start: "now"', () => {
  it.each([
    ['web and research', WEB, { prompt }],
    ['agentic crawler', CRAWLER, { prompt, config: { sources: ['memory'] } }],
    ['deep search', DEEP, { prompt }],
  ])('%s ends without any connection, and its first ticket opens its log', async (_name, path, body) => {
    const started = await research.call('POST', path, { ...body, start: 'now' });
    expect([started.status, started.body.status]).toEqual([200, 'queued']);
    const { thread_id, websocket_url } = started.body;
    const { final_report } = await research.until(thread_id, 'completed');
    expect(final_report).toContain('Everybody has 30 days of paid leave each year. [1]');
    const { messages } = await messagesOf(await research.connect(websocket_url));
    expect(messages).toMatchObject(await research.events(thread_id));
    expect(messages.filter(({ type }) => type === 'run.queued')).toHaveLength(1);
  });

  it('does not start twice for one Idempotency-Key, which does not stand for a prepared run', async () => {
    const headers = { 'idempotency-key': 'at once' };
    const first = await research.call('POST', WEB, { prompt, start: 'now' }, { headers });
    const second = await research.call('POST', WEB, { prompt, start: 'now' }, { headers });
    expect([second.body.thread_id, second.body.status]).toEqual([first.body.thread_id, 'queued']);
    const other = await research.call('POST', WEB, { prompt }, { headers });
    expect(other.body.code).toBe('idempotency_mismatch');
  });

  it('refuses any other word', async () => {
    const refused = await research.call('POST', WEB, { prompt, start: 'soon' });
    expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed']);
  });
});

describe('another tenant', () => {
  it('finds no run, no list, no stream', async () => {
    const { body } = await research.call('POST', WEB, { prompt });
    const as = testIdentity();
    const paths = [
      statusPath(body.thread_id),
      `/research/stream/${body.thread_id}`,
      `/api/v1/search/lists/${body.list_id}`,
      `/api/v1/search/lists/${body.list_id}/rows`,
      `/api/v1/search/lists/${body.list_id}/export`,
      `/research/live/${body.thread_id}`,
    ];
    for (const path of paths)
      expect([path, (await research.call('GET', path, undefined, { as })).status]).toEqual([path, 404]);
    const stop = await research.call('POST', `/api/v1/search/workflow/stop/${body.thread_id}`, {}, { as });
    expect(stop.status).toBe(404);
    expect(
      await upgradeStatus(await research.connect(`https://x/api/v1/search/socket/${body.thread_id}`, { as })),
    ).toBe(404);
    expect((await research.call('GET', '/api/v1/search/lists?listType=web', undefined, { as })).body).toEqual({
      success: true,
      data: [],
      total: 0,
    });
  });
});

describe('a run of one tenant', () => {
  it('is about its memory', async () => {
    const { body } = await research.call('POST', RESEARCH, { query: prompt });
    expect((await research.until(body.thread_id, 'completed')).memory_id).toBe(memoryOf(research.caller.tenantId));
  });
});
