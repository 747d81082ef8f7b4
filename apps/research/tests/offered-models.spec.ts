import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listModels, testProviderKey } from '@cairn/contracts';
import { listenOnLoopback, testIdentity } from '@cairn/testing';
import { type ResearchHarness, startResearchHarness } from './research-harness.ts';

const OWN_KEY = 'sk-own-0123456789';
let research: ResearchHarness;
let provider: Server;
let asked = 0;
let folder: string;

beforeAll(async () => {
  provider = createServer((request, response) => {
    asked += 1;
    const accepted = request.headers.authorization === `Bearer ${OWN_KEY}` && request.url === '/v1/models';
    response.writeHead(accepted ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: 'large-2' }] }));
  });
  const base_url = `http://127.0.0.1:${await listenOnLoopback(provider)}/v1`;
  folder = await mkdtemp(join(tmpdir(), 'cairn-models-'));
  const modelsFile = join(folder, 'models.json');
  const providers = [
    { name: 'mine', protocol: 'openai-compatible', base_url },
    { name: 'theirs', protocol: 'openai-compatible', base_url, api_key: 'sk-operator' },
  ];
  const language_models = [
    { name: 'large', provider: 'mine', model: 'large-2' },
    { name: 'without-price', provider: 'theirs' },
  ];
  const embedding = { provider: 'theirs', model: 'vectors', dimensions: 384 };
  await writeFile(modelsFile, JSON.stringify({ providers, language_models, embedding }));
  research = await startResearchHarness({ modelsFile });
});
afterAll(async () => {
  await research.close();
  provider.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the list of models', () => {
  it('says of each its price, whose key it takes, and whether it can be used', async () => {
    const price = { input: 0.25, output: 2, cached_input: 0.025 };
    const own = testIdentity();
    research.stubs.providerKeys.set(`${own.tenantId} mine`, OWN_KEY);
    const { body } = await research.call('GET', '/api/v1/models', undefined, { as: own });
    expect(listModels.response.schema.safeParse(body).success).toBe(true);
    const theirs = { provider: 'theirs', billed_to: 'platform', state: 'available' };
    expect(body).toEqual({
      models: [
        {
          id: 'large',
          provider: 'mine',
          model: 'large-2',
          kind: 'language',
          default: true,
          price,
          billed_to: 'own_key',
          state: 'available',
        },
        { ...theirs, id: 'without-price', model: 'without-price', kind: 'language', default: false, price: null },
        { ...theirs, id: 'theirs/vectors', model: 'vectors', kind: 'embedding', default: true, price },
      ],
    });
    const test = await research.call('GET', '/api/v1/models', undefined, { as: testIdentity({ livemode: false }) });
    expect((test.body as unknown as { models: { state: string }[] }).models.map(({ state }) => state)).toEqual([
      'no_key',
      'no_key',
      'no_key',
    ]);
  });
});

describe('the test of a provider key', () => {
  const post = (as = research.caller, headers = {}) =>
    research.call('POST', '/api/v1/provider-keys/mine/test', {}, { as, headers });

  it('asks the provider with the stored key, once for an Idempotency-Key as far as the answer shows', async () => {
    const own = testIdentity();
    research.stubs.providerKeys.set(`${own.tenantId} mine`, OWN_KEY);
    const first = await post(own, { 'idempotency-key': 'one' });
    expect(testProviderKey.response.schema.safeParse(first.body).success).toBe(true);
    expect(first.body).toMatchObject({ ok: true, failure: null, models: [{ model: 'large-2', listed: true }] });
    research.stubs.providerKeys.set(`${own.tenantId} mine`, 'sk-replaced');
    expect((await post(own, { 'idempotency-key': 'one' })).body).toEqual(first.body);
    const replaced = await post(own);
    expect(replaced.body).toMatchObject({ ok: false, failure: 'key_refused', status: 401, models: [] });
    expect(JSON.stringify([first.body, replaced.body])).not.toMatch(/sk-/);
  });

  it('is 404 where none is stored, and asks nobody', async () => {
    const before = asked;
    expect([(await post(testIdentity())).status, asked]).toEqual([404, before]);
  });
});

describe('an unknown model', () => {
  it('is refused by every kind of run, without any model configured as well', async () => {
    const offline = await startResearchHarness();
    const starts: [string, object][] = [
      ['agent/web-and-research', { prompt: 'walkers in Rome, from https://example.org/' }],
      ['agent/agentic-crawler', { prompt: 'walkers in Rome, from https://example.org/' }],
      ['workflow/people/start', { prompt: 'walkers in Rome, from https://example.org/' }],
      ['workflow/company/start', { prompt: 'walkers in Rome, from https://example.org/' }],
      ['research/start', { query: 'walkers in Rome' }],
      ['service-deep-search/start', { prompt: 'walkers in Rome, from https://example.org/' }],
    ];
    for (const [path, body] of starts)
      for (const harness of [research, offline]) {
        const answer = await harness.call('POST', `/api/v1/search/${path}`, { ...body, llm_model: 'gpt-0' });
        expect([path, answer.status, answer.body['errors']]).toMatchObject([path, 422, [{ path: 'llm_model' }]]);
      }
    await offline.close();
  });
});
