import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { eventually, type SharedCairn } from '@cairn/testing';
import { ingest } from '../tests/api.ts';
import { type Call, contract, expectFields, expectRefusal, proves } from './contract.ts';
import { eventsOf } from './event-stream.ts';
import { connect, refusedUpgrade, type RunMessage, statusOf, streamed } from './runs.ts';

const DOCUMENTS = [
  { title: 'Marlow', content: 'The Marlow Institute has its head office in Lindau. It was founded in 1931.' },
  { title: 'Mercury the planet', content: 'Mercury is the planet nearest to the sun. A year on it lasts 88 days.' },
  {
    title: 'Mercury the element',
    content: 'Mercury is a metal that is liquid at room temperature. It boils at 357 degrees.',
  },
  { title: 'Mercury the newspaper', content: 'The Mercury is a newspaper of Hobart. It was first printed in 1854.' },
];
const QUESTION = 'Where is the head office of the Marlow Institute?';
const LAST = ['run.completed', 'run.failed', 'run.cancelled', 'run.expired'];
const ASKING = new Set(['awaiting_clarification']);

let cairn: SharedCairn;
let call: Call;
beforeAll(async () => {
  ({ cairn, call } = await contract());
  await ingest(cairn.baseUrl, cairn.apiKey, DOCUMENTS);
}, 180_000);
afterAll(() => cairn.remove());

const web = async (more: object = {}) =>
  (await call('POST', '/search/agent/web-and-research', { prompt: QUESTION, ...more })).body;
const research = async (body: object) => (await call('POST', '/search/research/start', body)).body;
const stop = (threadId: string) => call('POST', `/search/workflow/stop/${threadId}`);

/** Expects a whole log: numbered from 1 without gaps, and one last event. */
function expectWholeLog(log: RunMessage[], threadId: string): void {
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, n) => n + 1));
  expect(log.filter(({ type }) => LAST.includes(type)).map(({ seq }) => seq)).toEqual([log.length]);
  for (const event of log) {
    expect(Object.keys(event).toSorted()).toEqual(['at', 'data', 'seq', 'thread_id', 'type']);
    expect(event['thread_id']).toBe(threadId);
    expect(event['at']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  }
}

describe('the log of a run', () => {
  proves(
    ['order.connection', 'D6.log', 'D6.messages', 'D6.watching', 'rules.prepared', 'D6.status'],
    'the first connection starts the run; it and a watcher see the same log; bad messages get an error and the socket stays',
    async () => {
      const { thread_id, websocket_url, list_id } = await web();
      const first = await connect(websocket_url);
      const fresh = (await call('GET', `/search/workflow/status/${thread_id}`)).body.websocket_url;
      const second = await connect(fresh);
      first.send('nonsense');
      first.send({ type: 'unheard of' });
      first.send({ type: 'ping' });
      expect([await first.closed, await second.closed]).toEqual([1_000, 1_000]);
      const others = first.messages.filter(({ seq }) => seq === undefined);
      expect(others.map(({ type }) => type)).toEqual(['error', 'error', 'pong']);
      for (const { code } of others.slice(0, 2)) expect(code).toMatch(/^[a-z_]+$/);
      const log = first.log();
      expectWholeLog(log, thread_id);
      expect(second.log()).toEqual(log);
      expect(log.slice(0, 2).map(({ type }) => type)).toEqual(['run.queued', 'run.started']);
      expect(log.at(-1)!['type']).toBe('run.completed');
      const status = await statusOf(call, thread_id);
      expect(status).toMatchObject({ status: 'completed', list_id, error: null, counts: { events: log.length } });
      expect(status['final_report']).toContain('Lindau');
      expect(status['citations'][0]).toMatchObject({ number: 1, title: 'Marlow' });
    },
  );

  proves(
    ['D6.log', 'D6.resume', 'D6.streams', 'D6.brief and report', 'POST /search/research/start', 'ResearchSession.*'],
    'research answers at once; its stream at three addresses is the log, and goes on after the last event that is named',
    async () => {
      const answer = await call('POST', '/search/research/start', {
        query: QUESTION,
        allow_clarification: false,
        serviceId: 'desk',
      });
      expect(answer.status).toBe(200);
      expectFields('ResearchSession', answer.body);
      expect(answer.body).toMatchObject({ status: 'queued', research_brief: '', final_report: '' });
      const { thread_id } = answer.body;
      const addresses = ['/research/stream', '/api/v1/research/stream', '/api/v1/search/research/stream'];
      const urls = addresses.map((path) => `${cairn.baseUrl}${path}/${thread_id}`);
      const streams = await Promise.all(urls.map((url) => streamed(url, cairn.apiKey)));
      for (const { status, type } of streams)
        expect([status, type]).toEqual([200, expect.stringMatching(/^text\/event-stream/)]);
      const [events, ...same] = streams.map(({ text }) => eventsOf(text));
      for (const each of same) expect(each).toEqual(events);
      const log = events!.map(({ data }) => data as RunMessage);
      expectWholeLog(log, thread_id);
      for (const { id, event, data } of events!) expect([id, event]).toEqual([String(data.seq), data.type]);
      const status = await statusOf(call, thread_id);
      expect(status['research_brief']).toMatch(/\w/);
      expect(status['final_report']).toContain('Lindau');
      expect(log.at(-1)!['data'].final_report).toBe(status['final_report']);
      const byHeader = await streamed(urls[0]!, cairn.apiKey, { 'last-event-id': '3' });
      const byQuery = await streamed(`${urls[0]!}?last_event_id=3`, cairn.apiKey);
      expect(eventsOf(byHeader.text)).toEqual(events!.slice(3));
      expect(eventsOf(byQuery.text)).toEqual(events!.slice(3));
      const again = await connect(status['websocket_url'], { lastSeq: 3 });
      await again.closed;
      expect(again.log()).toEqual(log.slice(3));
      const cost = await eventually(
        () => call('GET', `/search/workflow/status/${thread_id}`),
        ({ body }) => body.cost.state === 'settled',
      );
      expect(cost.body.cost).toMatchObject({ charge: 'research.run', credits: 25 });
    },
  );

  proves(['D6.watching', 'D6.messages'], 'losing the connection does not stop a run, and cancel does', async () => {
    const left = await web();
    const connection = await connect(left.websocket_url);
    connection.close();
    expect((await statusOf(call, left.thread_id))['status']).toBe('completed');
    const body = { query: 'Mercury', allow_clarification: true };
    const asking = await research(body);
    const waiting = await statusOf(call, asking.thread_id, ASKING);
    const watcher = await connect(waiting['websocket_url']);
    watcher.send({ type: 'cancel' });
    expect(await watcher.closed).toBe(1_000);
    expect(watcher.log().at(-1)!['type']).toBe('run.cancelled');
    expect((await statusOf(call, asking.thread_id))['status']).toBe('cancelled');
  });
});

describe('a ticket', () => {
  proves(
    ['D6.ticket', 'D2.revocation'],
    'is for one connection and one run, dies with its key, and pages of other origins are refused; the key opens the path, too',
    async () => {
      const { thread_id, websocket_url } = await web();
      expect(await refusedUpgrade(websocket_url, { origin: 'https://evil.example' })).toBe(403);
      const other = await web();
      const ofOther = new URL(websocket_url);
      ofOther.searchParams.set('ticket', new URL(other.websocket_url).searchParams.get('ticket')!);
      expect(await refusedUpgrade(ofOther.href)).toBe(401);
      const url = new URL(websocket_url);
      url.search = '';
      expect(await refusedUpgrade(url.href)).toBe(401);
      const headers = { 'x-api-key': cairn.apiKey };
      const byKey = await connect(url.href, { headers });
      await byKey.closed;
      expectWholeLog(byKey.log(), thread_id);
      const { body } = await call('GET', `/search/workflow/status/${thread_id}`);
      await (
        await connect(body.websocket_url)
      ).closed;
      expect(await refusedUpgrade(body.websocket_url)).toBe(401);

      const minted = (await call('POST', '/api-keys', { name: 'Brief' })).body;
      const asKey = { key: minted.api_key };
      const run = (await call('POST', '/search/agent/web-and-research', { prompt: QUESTION }, asKey)).body;
      const started = await call(
        'POST',
        '/search/research/start',
        { query: 'Mercury', allow_clarification: true },
        asKey,
      );
      const waiting = await statusOf(
        (method, path) => call(method, path, undefined, asKey),
        started.body.thread_id,
        ASKING,
      );
      const open = await connect(waiting['websocket_url']);
      await call('DELETE', `/api-keys/${minted.key_id}`);
      expect(await open.closed).not.toBe(1_000);
      expect(await refusedUpgrade(run.websocket_url)).toBe(401);
      await Promise.all([other.thread_id, run.thread_id, started.body.thread_id].map(stop));
    },
  );
});

describe('a question', () => {
  proves(
    ['POST /search/research/respond/{thread_id}', 'D6.clarification'],
    'a run asks one question with a default; respond answers it, and is refused when nothing is asked',
    async () => {
      const { thread_id } = await research({ query: 'Mercury', allow_clarification: true });
      const asking = await statusOf(call, thread_id, ASKING);
      expect(asking['status']).toBe('awaiting_clarification');
      expect(asking['question']).toMatchObject({
        question_id: expect.any(String),
        question: expect.stringMatching(/\?/),
        default: expect.stringMatching(/\w/),
        expires_at: expect.any(String),
      });
      const untilMs = Date.parse(asking['question'].expires_at) - Date.now();
      expect(untilMs).toBeGreaterThan(9 * 60_000);
      expect(untilMs).toBeLessThanOrEqual(10 * 60_000);
      expectRefusal(await call('POST', `/search/research/respond/${thread_id}`), 422, 'validation_failed', 'response');
      const choice = encodeURIComponent('the element');
      const answered = await call('POST', `/search/research/respond/${thread_id}?response=${choice}`);
      expect([answered.status, Object.keys(answered.body).toSorted()]).toEqual([200, ['message', 'status']]);
      const over = await statusOf(call, thread_id);
      expect([over['status'], over['question']]).toEqual(['completed', null]);
      expect(over['final_report']).toContain('357');
      expectRefusal(await call('POST', `/search/research/respond/${thread_id}?response=x`), 409, 'conflict');
    },
  );

  for (const query of ['research it', 'What about their head office?'])
    proves(
      ['D6.clarification', 'POST /search/research/start'],
      `a run asks when its prompt points at something unsaid: ${query}`,
      async () => {
        const { thread_id } = await research({ query, allow_clarification: true });
        const asking = await statusOf(call, thread_id, ASKING);
        expect(asking['status']).toBe('awaiting_clarification');
        expect(asking['question'].question).toMatch(/\?/);
        const response = encodeURIComponent('the head office of the Marlow Institute');
        await call('POST', `/search/research/respond/${thread_id}?response=${response}`);
        expect((await statusOf(call, thread_id))['final_report']).toContain('Lindau');
      },
    );

  proves(['D6.clarification'], 'without allow_clarification research does not ask', async () => {
    const { thread_id } = await research({ query: 'What about their head office?' });
    const over = await statusOf(call, thread_id, ASKING);
    expect([over['status'], over['question']]).toEqual(['completed', null]);
  });

  proves(
    ['D6.clarification', 'D6.messages', 'POST /search/agent/web-and-research'],
    'clarifying answers travel over the WebSocket of web research',
    async () => {
      const { websocket_url, thread_id } = await web({ prompt: 'Mercury' });
      const connection = await connect(websocket_url);
      const asked = await eventually(
        () => connection.log().find(({ type }) => type === 'clarification.requested'),
        (event) => event !== undefined,
      );
      const { question_id } = asked!['data'];
      connection.send({ type: 'clarification.answer', question_id, answer: 'the newspaper' });
      expect(await connection.closed).toBe(1_000);
      const types = connection.log().map(({ type }) => type);
      expect(types).toContain('clarification.answered');
      expect((await statusOf(call, thread_id))['final_report']).toContain('1854');
    },
  );

  proves(
    ['D6.second start', 'POST /search/service-deep-search/start'],
    'deep search takes the answer by a second start with thread_id and list_id, which answers the same session',
    async () => {
      const first = (await call('POST', '/search/service-deep-search/start', { prompt: 'Mercury' })).body;
      const { thread_id, list_id } = first;
      await connect(first.websocket_url);
      await statusOf(call, thread_id, ASKING);
      const second = await call('POST', '/search/service-deep-search/start', {
        prompt: 'the planet',
        thread_id,
        list_id,
      });
      expect(second.status).toBe(200);
      expectFields('DeepSearchSession', second.body);
      expect([second.body.thread_id, second.body.list_id]).toEqual([thread_id, list_id]);
      expect((await statusOf(call, thread_id))['final_report']).toContain('88');
      const late = { prompt: 'the planet', thread_id, list_id };
      expectRefusal(await call('POST', '/search/service-deep-search/start', late), 409, 'conflict');
    },
  );
});
