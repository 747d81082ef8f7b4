import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EncodedEvent } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { createOutbound, type Outbound } from '@cairn/outbound';
import { type ModelServer, startModelServer, textReply } from '@cairn/testing';
import { z } from 'zod';
import { createModels, type Models, parseModelsConfig } from '../src/index.ts';
import { asking, failureOf, read, usageOf, who } from './model-calls.ts';

let server: ModelServer;
let events: EncodedEvent[];
let tenantKeys: Map<string, string>;
let isUnavailable: boolean;
let models: Models;

const outlet = createOutbound({ allowPrivateNetwork: true, userAgent: 'spec' });
/** For a key of a tenant's own, whose address the operator does not vouch for. */
const closedOutlet = { fetch: () => Promise.reject(new Error('not the way to an address that a tenant named')) };

beforeAll(async () => {
  server = await startModelServer();
});
afterAll(async () => {
  await outlet.close();
  await server.close();
});
beforeEach(() => {
  events = [];
  server.calls.length = 0;
  tenantKeys = new Map();
  isUnavailable = false;
  models = createModels({
    config: parseModelsConfig({
      providers: [
        { name: 'local', protocol: 'openai-compatible', base_url: server.baseUrl, api_key: 'model-server-key' },
      ],
      language_models: [{ name: 'small', provider: 'local' }],
      embedding: { provider: 'local', model: 'vectors', dimensions: 384, batch_max: 3 },
      reranker: { provider: 'local', model: 'ranks' },
    }),
    providerKeys: (tenantId, provider) => {
      if (isUnavailable) return Promise.reject(new CairnError('unavailable', 'Tenancy is down.'));
      const apiKey = tenantKeys.get(`${tenantId} ${provider}`);
      return Promise.resolve(apiKey === undefined ? null : { apiKey, baseUrl: undefined });
    },
    meter: (event) => {
      events.push(event);
      return Promise.resolve();
    },
    outbound: { trusted: outlet, untrusted: outlet },
    stallTimeoutMs: 300,
  });
});

describe('whose key', () => {
  it("is the tenant's own where it has one, and the usage says so", async () => {
    server.replyWith(textReply('Yes.'));
    server.apiKeys.add('own-key');
    tenantKeys.set('tnt_1 local', 'own-key');
    const model = (await models.language(who))!;
    await model.generate(asking());
    expect([server.calls[0]!.apiKey, usageOf(events[0]!).byok]).toEqual(['own-key', true]);
  });

  it('is found out at each call, so a key that came or went since the model was asked for counts', async () => {
    server.replyWith(textReply('Yes.'));
    server.apiKeys.add('own-key');
    const ports = {
      language: (await models.language(who))!,
      embedding: (await models.embedding(who))!,
      reranker: (await models.reranker(who))!,
    };
    const callAll = async () => {
      await ports.language.generate(asking());
      await ports.language.generateObject(asking(), z.string()).catch(() => undefined);
      await read(ports.language.stream(asking()));
      await ports.embedding.embed(['x'], asking());
      await ports.reranker.rerank('x', ['y'], asking());
    };
    for (const key of [undefined, 'own-key', undefined]) {
      if (key === undefined) tenantKeys.delete('tnt_1 local');
      else tenantKeys.set('tnt_1 local', key);
      server.calls.length = events.length = 0;
      await callAll();
      expect(new Set(server.calls.map(({ apiKey }) => apiKey))).toEqual(new Set([key ?? 'model-server-key']));
      expect(new Set(events.map((event) => usageOf(event).byok))).toEqual(new Set([key !== undefined]));
      expect(new Set(server.calls.map(({ path }) => path)).size).toBe(3);
    }
  });

  it('is found out again when a call is repeated, and the usage is of the key that was answered', async () => {
    server.apiKeys.add('own-key');
    tenantKeys.set('tnt_1 local', 'own-key');
    let calls = 0;
    server.replyWith(() => {
      if (calls++ > 0) return textReply('Yes.');
      tenantKeys.delete('tnt_1 local');
      return { kind: 'status', status: 503, retryAfterSeconds: 0 };
    });
    await (await models.language(who))!.generate(asking({ retries: 1 }));
    expect(server.calls.map(({ apiKey }) => apiKey)).toEqual(['own-key', 'model-server-key']);
    expect(events.map((event) => usageOf(event).byok)).toEqual([false]);
  });

  it('lets a call finish that began before the key was deleted, and refuses the next where nobody has another', async () => {
    server.apiKeys.add('own-key');
    const test = { ...who, livemode: false };
    tenantKeys.set('tnt_1 local', 'own-key');
    server.replyWith(textReply('It is called Aurora.', { pieceDelayMs: 5 }));
    const model = (await models.language(test))!;
    let text = '';
    for await (const piece of model.stream(asking({ attribution: test }))) {
      text += piece;
      tenantKeys.delete('tnt_1 local');
    }
    expect([text, usageOf(events[0]!).byok]).toEqual(['It is called Aurora.', true]);
    server.calls.length = 0;
    expect(await failureOf(model.generate(asking({ attribution: test })))).toBe('unauthorized');
    expect(server.calls).toEqual([]);
  });

  it('is nobody’s while it cannot be found out: the call is unavailable, and no request is made', async () => {
    const model = (await models.language(who))!;
    const embedding = (await models.embedding(who))!;
    const reranker = (await models.reranker(who))!;
    isUnavailable = true;
    for (const call of [
      () => model.generate(asking({ retries: 2 })),
      () => model.generateObject(asking(), z.object({})),
      () => read(model.stream(asking())),
      () => embedding.embed(['x'], asking()),
      () => reranker.rerank('x', ['y'], asking()),
      () => models.language(who),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'unavailable' });
    expect([server.calls, events]).toEqual([[], []]);
  });

  it('reaches an address that the tenant named only through the guard', async () => {
    server.replyWith(textReply('Yes.'));
    const guards: Outbound[] = [];
    const elsewhere = (allowPrivateNetwork: boolean) => {
      const outbound = createOutbound({ allowPrivateNetwork, userAgent: 'spec' });
      guards.push(outbound);
      const named = { apiKey: 'model-server-key', baseUrl: server.baseUrl };
      return createModels({
        config: parseModelsConfig({
          providers: [{ name: 'local', protocol: 'openai-compatible', base_url: 'https://models.example/v1' }],
          language_models: [{ name: 'small', provider: 'local' }],
        }),
        providerKeys: () => Promise.resolve(named),
        meter: () => Promise.resolve(),
        outbound: { trusted: closedOutlet, untrusted: outbound },
      });
    };
    const allowed = (await elsewhere(true).language(who))!;
    expect((await allowed.generate(asking())).text).toBe('Yes.');
    expect(await read(allowed.stream(asking()))).toBe('Yes.');
    const refused = (await elsewhere(false).language(who))!;
    expect(await failureOf(refused.generate(asking()))).toBe('rejected');
    for (const guard of guards) await guard.close();
  });

  it("is never the operator's for a tenant that is not live", async () => {
    expect(await models.language({ ...who, livemode: false })).toBeNull();
    expect(await models.embedding({ ...who, livemode: false })).toBeNull();
    expect(await models.reranker({ ...who, livemode: false })).toBeNull();
  });
});
