import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import {
  eventually,
  listenOnLoopback,
  type ModelServer,
  type RunningCairn,
  startCairn,
  startModelServer,
  temporaryFolder,
  textReply,
} from '@cairn/testing';
import { ingest } from '../tests/api.ts';
import { type Call, callsOf, expectFields, expectRefusal, newTenant, proves } from './contract.ts';
import { connect, type RunMessage, statusOf } from './runs.ts';
import { WINDMILLS, windmillSite } from './windmill-site.ts';

const OPERATOR_KEY = 'model-server-key';
const OWN_KEY = 'sk-of-the-tenant';
const USAGE = { prompt_tokens: 1_000, completion_tokens: 100 };
/** Of gpt-5-mini: 250 nano-USD a token in, 2,000 out; 100 credits a dollar. */
const COST_USD = 0.000_45;
const DAY_MS = 86_400_000;
/** Longer than the pause between two heartbeats. */
const SLOW_MS = 17_000;

let cairn: RunningCairn;
let models: ModelServer;
let searchEngine: Server;
/** What the search engine was asked for, and what it answers. */
const asked: string[] = [];
let hits: { url: string; title: string; content: string }[] = [];

beforeAll(async () => {
  models = await startModelServer();
  models.apiKeys.add(OWN_KEY);
  const reply = textReply('The boiler is serviced every October [1].', { usage: USAGE });
  models.replyWith(({ body }) =>
    JSON.stringify(body.messages).includes('slowly')
      ? { kind: 'text', pieces: ['Slow [1].'], pieceDelayMs: SLOW_MS }
      : reply,
  );
  searchEngine = createServer((request, response) => {
    asked.push(new URL(request.url!, 'http://localhost').searchParams.get('q') ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results: hits }));
  });
  const searchUrl = `http://127.0.0.1:${await listenOnLoopback(searchEngine)}`;
  const modelsFile = join(await temporaryFolder('contract-models-'), 'models.json');
  const provider = { name: 'openai', protocol: 'openai-compatible', base_url: models.baseUrl, api_key: OPERATOR_KEY };
  const small = { name: 'small', provider: 'openai', model: 'gpt-5-mini' };
  const unpriced = { name: 'unpriced', provider: 'openai', model: 'nobody-knows-the-price' };
  await writeFile(modelsFile, JSON.stringify({ providers: [provider], language_models: [small, unpriced] }));
  cairn = await startCairn({
    env: {
      CAIRN_ALLOW_PRIVATE_NETWORK: 'true',
      CAIRN_MODELS_FILE: modelsFile,
      CAIRN_WEB_SEARCH: 'searxng',
      CAIRN_WEB_SEARCH_URL: searchUrl,
      CAIRN_MODEL_STALL_MS: String(2 * SLOW_MS),
      CAIRN_RESEARCH_CONNECT_MS: '4000',
      CAIRN_RESEARCH_CLARIFY_MS: '3000',
    },
  });
}, 240_000);
afterAll(async () => {
  await cairn.remove();
  await models.close();
  searchEngine.close();
});

interface Tenant {
  call: Call;
  search(more?: object): ReturnType<Call>;
  apiKey: string;
  testKey: string;
  id: string;
}

/** A tenant with one document, which nobody else’s usage is counted for. */
async function tenant(): Promise<Tenant> {
  const made = await newTenant(cairn);
  const call = callsOf({ baseUrl: cairn.baseUrl, apiKey: made.api_key });
  await ingest(cairn.baseUrl, made.api_key, [{ title: 'Boiler', content: 'The boiler is serviced every October.' }]);
  const search = (more: object = {}) =>
    call('POST', '/memory/search', { query: 'When is the boiler serviced?', llm_model: 'small', ...more });
  return { call, search, apiKey: made.api_key, testKey: made.test_api_key, id: made.tenant_id };
}
const usageOf = async (call: Call, query = '') => (await call('GET', `/usage/llm${query}`)).body;
const counted = (call: Call, calls: number, query = '') =>
  eventually(
    () => usageOf(call, query),
    ({ totals }) => totals.calls === calls,
    60_000,
  );

describe('GET /api/v1/usage/llm', () => {
  proves(
    ['GET /usage/llm', 'UsageRecord.*', 'UsageRow.*', 'D7.prices', 'D7.usage', 'D3.user', 'GET /usage/llm own tenant'],
    'counts what was called, by every dimension, day and model; days are inclusive and default to the last 30',
    async () => {
      const { call, search, id } = await tenant();
      const space = (await call('POST', '/spaces', { name: 'Used' })).body;
      const thread = (await call('POST', '/threads', { user: 'bob' })).body;
      expect((await search({ user: 'ada' })).body).toMatchObject({ generated: true, fallback: null });
      expect((await search({ thread_id: thread.thread_id })).status).toBe(200);
      const usage = await counted(call, 2);
      expectFields('UsageRecord', usage.totals);
      expect(usage.totals).toMatchObject({ input_tokens: 2_000, output_tokens: 200, calls: 2, byok_tokens: 0 });
      expect(usage.totals.cost_usd).toBeCloseTo(2 * COST_USD, 6);
      expect(usage.totals.credits_charged).toBeCloseTo(200 * COST_USD, 4);
      const today = new Date().toISOString().slice(0, 10);
      expect(usage.series).toHaveLength(1);
      expectFields('UsageRow', usage.series[0]);
      expect(usage.series[0]).toEqual({ key: today, ...usage.totals });
      expect([usage.from, usage.to]).toEqual([
        new Date(Date.parse(today) - 29 * DAY_MS).toISOString().slice(0, 10),
        today,
      ]);
      const byModel = await usageOf(call, '?group_by=model');
      expect(byModel.series.map(({ key, calls }: RunMessage) => [key, calls])).toEqual([['gpt-5-mini', 2]]);
      const { workspace_id, primary_memory_id } = (await call('GET', '/workspaces')).body.workspaces[0];
      const { key_id } = (await call('GET', '/api-keys?type=live')).body.api_keys[0];
      for (const [dimension, ofId, calls] of [
        ['tenant', id, 2],
        ['workspace', workspace_id, 2],
        ['memory', primary_memory_id, 2],
        ['space', space.space_id, 0],
        ['conversation', thread.thread_id, 1],
        ['user', 'ada', 1],
        ['user', 'bob', 1],
        ['api_key', key_id, 2],
        ['model', 'gpt-5-mini', 2],
      ] as const) {
        const answer = await usageOf(call, `?dimension=${dimension}&id=${encodeURIComponent(ofId)}`);
        expect([dimension, ofId, answer.totals.calls]).toEqual([dimension, ofId, calls]);
      }
      expect((await usageOf(call, '?dimension=user')).totals.calls).toBe(2);
      expect((await usageOf(call, `?from=${today}&to=${today}`)).totals.calls).toBe(2);
      expect((await usageOf(call, '?from=2020-01-01&to=2020-01-31')).series).toEqual([]);
      for (const [query, path] of [
        [`from=${today}&to=2020-01-01`, 'from'],
        ['from=yesterday', 'from'],
        ['dimension=planet', 'dimension'],
        ['group_by=hour', 'group_by'],
      ] as const)
        expectRefusal(await call('GET', `/usage/llm?${query}`), 422, 'validation_failed', path);
    },
    150_000,
  );

  proves(
    ['D7.prices', 'D6.search_mode', 'D2.test provider'],
    'the cost of a model without a price is null, an unknown llm_model is refused with the list, a test key reaches no live provider',
    async () => {
      const { call, search, testKey } = await tenant();
      await search({ llm_model: 'unpriced' });
      const { totals } = await counted(call, 1);
      expect([totals.cost_usd, totals.credits_charged, totals.unpriced_calls]).toEqual([null, 0, 1]);
      const refused = await search({ llm_model: 'nobody-has-it' });
      expectRefusal(refused, 422, 'validation_failed', 'llm_model');
      expect(refused.body.detail).toMatch(/small.*unpriced/);
      const before = models.calls.length;
      const asTest = await call('POST', '/memory/search', { query: 'Is anything here?' }, { key: testKey });
      expect([asTest.status, asTest.body.generated, models.calls.length]).toEqual([200, false, before]);
    },
  );
});

describe('a stream', () => {
  const slowly = (apiKey: string, signal?: AbortSignal) =>
    fetch(`${cairn.baseUrl}/api/v1/memory/search/stream`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'When, slowly, is the boiler serviced?', llm_model: 'small' }),
      ...(signal === undefined ? {} : { signal }),
    });

  proves(
    ['D5.heartbeats'],
    'has a comment every fifteen seconds while the model is silent, and ends the model’s call when the client leaves',
    async () => {
      const { apiKey } = await tenant();
      const [whole, left] = [slowly(apiKey).then((response) => response.text()), new AbortController()];
      const begun = await slowly(apiKey, left.signal);
      await begun.body!.getReader().read();
      const isSlow = ({ body }: ModelServer['calls'][number]) => JSON.stringify(body.messages).includes('slowly');
      await eventually(() => models.calls.filter(isSlow).length === 2);
      left.abort();
      await eventually(() => models.calls.filter(isSlow).some(({ aborted }) => aborted));
      const text = await whole;
      expect(text).toMatch(/^:/m);
      expect(text.indexOf('event: sources')).toBe(0);
      expect(text).toContain('event: done');
    },
  );
});

describe('a provider key of the tenant', () => {
  proves(
    ['D3.provider keys', 'Usage.own-key', 'charging.own-key', 'D3.provider keys at once'],
    'is used by the first call after PUT, whose usage is reported and not charged, and by none after DELETE',
    async () => {
      const { call, search } = await tenant();
      const keyOfNextCall = async () => {
        const before = models.calls.length;
        expect((await search()).body.generated).toBe(true);
        return models.calls.slice(before).map(({ apiKey }) => apiKey);
      };
      expect(await keyOfNextCall()).toEqual([OPERATOR_KEY]);
      const path = '/provider-keys/openai';
      expect((await call('PUT', path, { api_key: OWN_KEY })).status).toBe(200);
      expect(await keyOfNextCall()).toEqual([OWN_KEY]);
      expect((await call('DELETE', path)).status).toBe(200);
      expect(await keyOfNextCall()).toEqual([OPERATOR_KEY]);
      const { totals } = await counted(call, 3);
      expect(totals).toMatchObject({ byok_tokens: 1_100 });
      expect(totals.credits_charged).toBeCloseTo(200 * COST_USD, 4);
    },
  );

  proves(
    ['Usage.own-key', 'charging.own-key', 'D3.provider keys'],
    'is reported as byok_tokens with 0 credits when it is there from the first call on',
    async () => {
      const { call, search } = await tenant();
      await call('PUT', '/provider-keys/openai', { api_key: OWN_KEY });
      await search();
      const { totals, series } = await counted(call, 1);
      for (const row of [totals, series[0]]) expect([row.byok_tokens, row.credits_charged]).toEqual([1_100, 0]);
      expect((await call('GET', '/usage/credits')).body).toMatchObject({ balance: 1_000, llm: 0 });
    },
  );
});

describe('credits', () => {
  proves(
    ['D7.credits', 'D7.charge', 'charging.research.run'],
    'the balance is what was granted less what is reserved, settled and used, and the ledger says so newest first',
    async () => {
      const { call } = await tenant();
      const run = (await call('POST', '/search/research/start', { query: 'When is the boiler serviced?' })).body;
      await statusOf(call, run.thread_id);
      const credits = (
        await eventually(
          () => call('GET', '/usage/credits'),
          ({ body }) => body.settled === 25,
        )
      ).body;
      expect(credits).toMatchObject({ granted: 1_000, reserved: 0, settled: 25 });
      expect(credits.balance).toBeCloseTo(1_000 - 25 - credits.llm, 4);
      const entry = credits.ledger.find(({ thread_id }: RunMessage) => thread_id === run.thread_id);
      expect(entry).toEqual({
        charge: 'research.run',
        thread_id: run.thread_id,
        credits: 25,
        state: 'settled',
        at: expect.stringMatching(/Z$/),
      });
      const times = credits.ledger.map(({ at }: RunMessage) => Date.parse(at));
      expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
    },
  );
});

describe('deadlines', () => {
  proves(
    ['D6.expiry', 'D7.charge'],
    'a run that nobody connects to in time expires, and its charge is released',
    async () => {
      const { call } = await tenant();
      const { thread_id } = (await call('POST', '/search/service-deep-search/start', { prompt: 'x' })).body;
      expect((await statusOf(call, thread_id))['status']).toBe('expired');
      const released = await eventually(
        () => call('GET', '/usage/credits'),
        ({ body }) => body.reserved === 0,
      );
      expect(released.body.balance).toBe(1_000);
    },
  );

  proves(
    ['D6.clarification default'],
    'a question that nobody answers in time takes its default, and the assumption is recorded',
    async () => {
      const { call } = await tenant();
      const documents = ['planet', 'element', 'newspaper'].map((what) => ({
        title: `Mercury the ${what}`,
        content: `Mercury is the name of a ${what}.`,
      }));
      const { documents: accepted } = (await call('POST', '/memory/documents', { documents })).body;
      for (const { doc_id } of accepted)
        await eventually(
          () => call('GET', `/memory/documents/${doc_id}`),
          ({ body }) => body.status === 'completed',
        );
      const session = (await call('POST', '/search/service-deep-search/start', { prompt: 'Mercury' })).body;
      const connection = await connect(session.websocket_url);
      await connection.closed;
      const requested = connection.log().find(({ type }) => type === 'clarification.requested')!;
      const over = await statusOf(call, session.thread_id);
      expect(requested['data'].default).toMatch(/\w/);
      expect([over['status'], over['assumptions'].length]).toEqual(['completed', 1]);
    },
  );
});

describe('a crawl without a site', () => {
  proves(
    ['D6.crawler without a site', 'POST /search/agent/agentic-crawler'],
    'asks the web search that the operator has configured, and collects from the sites that it names',
    async () => {
      const { call } = await tenant();
      const site = await windmillSite();
      hits = [{ url: site.url, title: 'Windmills of the county', content: 'All windmills with their years.' }];
      const prompt = 'Collect every windmill of the county with the year in which it was built';
      const started = await call('POST', '/search/agent/agentic-crawler', { prompt, start: 'now' });
      try {
        expect(started.status).toBe(200);
        await statusOf(call, started.body.thread_id);
        expect(asked.length).toBeGreaterThan(0);
        const rows = (await call('GET', `/search/lists/${started.body.list_id}/rows?limit=200`)).body
          .data as RunMessage[];
        const names = rows.map(({ name }) => name).join(', ');
        for (const [name] of WINDMILLS) expect(names).toContain(name);
      } finally {
        site.close();
      }
    },
  );
});
