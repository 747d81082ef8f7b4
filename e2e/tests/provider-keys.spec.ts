import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  eventually,
  type ModelServer,
  type RunningCairn,
  startCairn,
  startModelServer,
  temporaryFolder,
  textReply,
} from '@cairn/testing';
import { api, ingest } from './api.ts';
import { type Replica, startReplica } from './more-replicas.ts';

const OPERATORS_KEY = 'model-server-key';
const OWN_KEY = 'sk-own';
const SOON_MS = 60_000;
const QUESTION = { query: 'When does the ferry Aurora sail?' };

let folder: string;
let server: ModelServer;
let cairn: RunningCairn;
let memory: Replica;
let gateway: Replica;
/** Of the two gateways, each of which sends what is about memories to a replica of its own. */
let addresses: string[];

beforeAll(async () => {
  server = await startModelServer();
  server.apiKeys.add(OWN_KEY);
  server.replyWith(textReply('The ferry Aurora sails at noon [1].'));
  folder = await temporaryFolder('cairn-provider-keys-');
  const modelsFile = join(folder, 'models.json');
  const provider = { name: 'local', protocol: 'openai-compatible', base_url: server.baseUrl, api_key: OPERATORS_KEY };
  const models = { providers: [provider], language_models: [{ name: 'small', provider: 'local' }] };
  await writeFile(modelsFile, JSON.stringify({ ...models, reranker: { provider: 'local', model: 'ranks' } }));
  cairn = await startCairn({ env: { CAIRN_MODELS_FILE: modelsFile } });
  memory = await startReplica(cairn, 'memory');
  gateway = await startReplica(cairn, 'gateway', { CAIRN_MEMORY_HTTP: memory.http, CAIRN_MEMORY_GRPC: memory.grpc });
  addresses = [cairn.baseUrl, gateway.http];
  await ingest(cairn.baseUrl, cairn.apiKey, [
    { content: 'The ferry Aurora sails at noon.' },
    { content: 'The ferry Borealis sails at midnight.' },
  ]);
}, 240_000);
afterAll(async () => {
  await gateway?.stop();
  await memory?.stop();
  await cairn?.remove();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  server.calls.length = 0;
});

const PATH = '/api/v1/provider-keys/local';
const put = () => api(cairn.baseUrl, cairn.apiKey, 'PUT', PATH, { api_key: OWN_KEY });
const remove = () => api(cairn.baseUrl, cairn.apiKey, 'DELETE', PATH);

/** The keys that a search on each replica makes its calls with. */
async function keysUsed(): Promise<string[][]> {
  const used: string[][] = [];
  for (const address of addresses) {
    server.calls.length = 0;
    const { status, body } = await api(address, cairn.apiKey, 'POST', '/api/v1/memory/search', QUESTION);
    expect([status, body.generated]).toEqual([200, true]);
    expect(new Set(server.calls.map(({ path }) => path))).toEqual(new Set(['/chat/completions', '/rerank']));
    used.push([...new Set(server.calls.map(({ apiKey }) => apiKey))]);
  }
  return used;
}

const all = (key: string) => addresses.map(() => [key]);
const totals = async (query = '') =>
  (await api(cairn.baseUrl, cairn.apiKey, 'GET', `/api/v1/usage/llm${query}`)).body.totals;

it('a provider key is used by the next call of every replica after PUT and by none after DELETE, without a broker', async () => {
  expect(await keysUsed()).toEqual(all(OPERATORS_KEY));
  await cairn.without('nats', async () => {
    for (let round = 0; round < 3; round += 1) {
      expect((await put()).status).toBe(200);
      expect(await keysUsed()).toEqual(all(OWN_KEY));
      expect((await remove()).status).toBe(200);
      expect(await keysUsed()).toEqual(all(OPERATORS_KEY));
    }
  });
  // Each search makes two calls: an answer of 100 and 20 tokens, and a ranking.
  const used = await eventually(
    () => totals(),
    ({ calls }) => calls === 28,
    SOON_MS,
  );
  const answers = await totals('?dimension=model&id=small');
  expect(answers).toMatchObject({ calls: 14, input_tokens: 1_400, output_tokens: 280, byok_tokens: 6 * 120 });
  expect(used.byok_tokens).toBeGreaterThan(6 * 120);
}, 240_000);

it('while tenancy is down a search calls no model, with nobody’s key', async () => {
  await put();
  await keysUsed();
  server.calls.length = 0;
  await cairn.without('nats', async () => {
    await cairn.kill('tenancy');
    for (const address of addresses) {
      const { status, body } = await api(address, cairn.apiKey, 'POST', '/api/v1/memory/search', QUESTION);
      if (status === 200) expect(body).toMatchObject({ generated: false, fallback: 'unreachable' });
      else expect([status, body.code]).toEqual([503, 'unavailable']);
    }
    expect(server.calls).toEqual([]);
  });
}, 120_000);
