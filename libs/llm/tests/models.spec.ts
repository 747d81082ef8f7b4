import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeEvent, type EncodedEvent, type LlmUsage } from '@cairn/contracts';
import { eventually, type ModelReply, type ModelServer, startModelServer, textReply } from '@cairn/testing';
import { z } from 'zod';
import { createOutbound, type Outbound } from '@cairn/outbound';
import { createModels, type LanguageRequest, ModelFailure, type Models, parseModelsConfig } from '../src/index.ts';

const who = { tenantId: 'tnt_1', livemode: true, memoryId: 'mem_1', apiKeyId: 'key_1', user: 'ann' };
let server: ModelServer;
let events: EncodedEvent[];
let tenantKeys: Map<string, string>;
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
  server.failVectorsWith(null);
  tenantKeys = new Map();
  models = createModels({
    config: parseModelsConfig({
      providers: [
        { name: 'local', protocol: 'openai-compatible', base_url: server.baseUrl, api_key: 'model-server-key' },
      ],
      language_models: [
        { name: 'small', provider: 'local' },
        { name: 'large', provider: 'local', model: 'large-2' },
      ],
      embedding: { provider: 'local', model: 'vectors', dimensions: 384, batch_max: 3 },
      reranker: { provider: 'local', model: 'ranks' },
    }),
    providerKeys: (tenantId, provider) => {
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

function asking(more: Partial<LanguageRequest> = {}): LanguageRequest {
  return {
    attribution: who,
    purpose: 'answer',
    signal: new AbortController().signal,
    system: 'Answer.',
    messages: [{ role: 'user', content: 'What is the ferry called?' }],
    retries: 0,
    ...more,
  };
}

const usageOf = (event: EncodedEvent) => decodeEvent(event.payload).payload.value as LlmUsage;
const failureOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof ModelFailure ? error.reason : error;
};
async function read(stream: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += piece;
  return text;
}

describe('language models', () => {
  it('answer, and meter every call with all it is attributed to', async () => {
    server.replyWith(
      textReply('It is called Aurora.', {
        usage: { prompt_tokens: 70, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 30 } },
      }),
    );
    const model = await models.language(who, 'large');
    expect(await model!.generate(asking())).toMatchObject({ text: 'It is called Aurora.', finishReason: 'stop' });
    expect(server.calls[0]!.body.model).toBe('large-2');
    expect(events).toHaveLength(1);
    expect(usageOf(events[0]!)).toMatchObject({
      memoryId: 'mem_1',
      apiKeyId: 'key_1',
      user: 'ann',
      provider: 'local',
      model: 'large-2',
      byok: false,
      inputTokens: 70n,
      outputTokens: 9n,
      cachedInputTokens: 30n,
      purpose: 'answer',
      streamed: false,
    });
  });

  it('hand the usage event to the caller who wants to keep it with the result', async () => {
    server.replyWith(textReply('Aurora.'));
    const kept: EncodedEvent[] = [];
    const model = await models.language(who);
    await model!.generate(asking({ record: (event) => void kept.push(event) }));
    expect([kept.length, events.length]).toEqual([1, 0]);
  });

  it('stream the text in the pieces that the provider sends', async () => {
    server.replyWith(textReply('It is called Aurora.'));
    const pieces: string[] = [];
    for await (const piece of (await models.language(who))!.stream(asking())) pieces.push(piece);
    expect(pieces).toEqual(['It ', 'is ', 'called ', 'Aurora.']);
    expect(usageOf(events[0]!)).toMatchObject({ streamed: true, inputTokens: 100n, outputTokens: 20n });
  });

  it('ask for tools, take their results, and say when they refuse', async () => {
    server.replyWith((call) =>
      call.body.messages!.some((message) => message.role === 'tool')
        ? textReply('Found it.')
        : { kind: 'tools', calls: [{ name: 'look_up', input: { word: 'ferry' } }] },
    );
    const model = (await models.language(who))!;
    const tools = [{ name: 'look_up', description: 'Looks a word up.', input: z.object({ word: z.string() }) }];
    const first = await model.generate(asking({ tools }));
    expect(first).toMatchObject({
      finishReason: 'tool-calls',
      toolCalls: [{ name: 'look_up', input: { word: 'ferry' } }],
    });
    const [call] = first.toolCalls;
    const second = await model.generate(
      asking({
        tools,
        messages: [
          { role: 'user', content: 'Look it up.' },
          { role: 'assistant', content: '', toolCalls: [call!] },
          { role: 'tool', toolCallId: call!.id, toolName: 'look_up', result: 'Aurora' },
        ],
      }),
    );
    expect(second.text).toBe('Found it.');
    server.replyWith({ kind: 'refusal', text: 'I may not.' });
    expect(await model.generate(asking())).toMatchObject({ finishReason: 'content-filter' });
  });

  it('give an object of the schema, or say that it is malformed, metered either way', async () => {
    const schema = z.object({ name: z.string() });
    const model = (await models.language(who))!;
    server.replyWith(textReply('{"name": "Aurora"}'));
    expect((await model.generateObject(asking(), schema)).object).toEqual({ name: 'Aurora' });
    server.replyWith(textReply('{"title": 3}'));
    expect(await failureOf(model.generateObject(asking(), schema))).toBe('malformed');
    // The second answer is asked for once more, with the reason.
    expect(events).toHaveLength(3);
  });

  it('ask once more, with the reason, for an object that could not be read', async () => {
    const schema = z.object({ name: z.string() });
    const replies = ['{"title": 3}', '{"name": "Aurora"}'];
    server.replyWith(() => textReply(replies.shift()!));
    const { object, usage } = await (await models.language(who))!.generateObject(asking(), schema);
    expect(object).toEqual({ name: 'Aurora' });
    expect(usage).toMatchObject({ inputTokens: 200, outputTokens: 40 });
    const said = JSON.stringify(server.calls[1]!.body.messages);
    expect(said).toContain('title');
    expect(said).toMatch(/expected string/);
  });

  it.each([
    ['where it ended', 'a", "Borealis"]}', ['Aurora', 'Borealis']],
    ['with its last words again', '"names": ["Aurora", "Borealis"]}', ['Aurora', 'Borealis']],
    ['in a fence', '```json\na", "Borealis"]}\n```', ['Aurora', 'Borealis']],
    ['from its beginning', '{"names": ["Aurora", "Borealis"]}', ['Aurora', 'Borealis']],
    ['with other words, which are left out', 'Certainly, the rest is: Borealis', ['Auror']],
  ])('have an object that was cut off continued %s', async (_, continuation, names) => {
    const schema = z.object({ names: z.array(z.string()) });
    const replies = [textReply('{"names": ["Auror', { finish: 'length' }), textReply(continuation)];
    server.replyWith(() => replies.shift()!);
    expect((await (await models.language(who))!.generateObject(asking(), schema)).object).toEqual({ names });
    expect(events).toHaveLength(2);
  });

  it('keep what is whole of an object whose continuation fails, and ask nothing again of who refuses', async () => {
    const schema = z.object({ names: z.array(z.string()) });
    const model = (await models.language(who))!;
    const replies: ModelReply[] = [
      textReply('{"names": ["Aurora", ', { finish: 'length' }),
      { kind: 'status', status: 400 },
    ];
    server.replyWith(() => replies.shift()!);
    expect((await model.generateObject(asking(), schema)).object).toEqual({ names: ['Aurora'] });
    server.replyWith({ kind: 'refusal', text: 'I may not.' });
    server.calls.length = 0;
    expect(await failureOf(model.generateObject(asking(), schema))).toBe('malformed');
    expect(server.calls).toHaveLength(1);
  });

  it.each([
    ['rate_limited', { kind: 'status', status: 429 }],
    ['unauthorized', { kind: 'status', status: 401 }],
    ['rejected', { kind: 'status', status: 400 }],
    ['unreachable', { kind: 'status', status: 503 }],
    ['malformed', { kind: 'malformed', pieces: [] }],
    ['broken_off', { kind: 'breaks', pieces: [] }],
  ] as const)('say %s of a plain call', async (reason, reply) => {
    server.replyWith(reply);
    expect(await failureOf((await models.language(who))!.generate(asking()))).toBe(reason);
  });

  it.each([
    ['rate_limited', { kind: 'status', status: 429 }],
    ['malformed', { kind: 'malformed', pieces: ['It '] }],
    ['broken_off', { kind: 'breaks', pieces: ['It ', 'is '] }],
    ['timed_out', { kind: 'stalls', pieces: ['It '] }],
  ] as const)('say %s of a stream, and leave nothing running', async (reason, reply) => {
    server.replyWith(reply);
    expect(await failureOf(read((await models.language(who))!.stream(asking())))).toBe(reason);
    await eventually(() => server.openCalls === 0);
    // What was said before the end is metered, by its length.
    if ('pieces' in reply) expect(usageOf(events[0]!)).toMatchObject({ rawUsage: '{"estimated":true}' });
  });

  it('stop when the caller goes away or has read enough, and meter what was written', async () => {
    const model = (await models.language(who))!;
    server.replyWith(textReply('word '.repeat(2_000), { pieceDelayMs: 2 }));
    for await (const piece of model.stream(asking())) if (piece !== '') break;
    const gone = new AbortController();
    await expect(
      (async () => {
        for await (const piece of model.stream(asking({ signal: gone.signal }))) if (piece !== '') gone.abort();
      })(),
    ).rejects.toMatchObject({ name: 'AbortError' });
    await eventually(() => server.openCalls === 0);
    expect(server.calls.every((call) => call.aborted)).toBe(true);
    expect(events).toHaveLength(2);
  });

  it('repeat what may pass', async () => {
    let calls = 0;
    server.replyWith(() => (calls++ === 0 ? { kind: 'status', status: 503, retryAfterSeconds: 0 } : textReply('Yes.')));
    expect((await (await models.language(who))!.generate(asking({ retries: 1 }))).text).toBe('Yes.');
  });

  it('are refused by a name that is not in the list, and the list is said', async () => {
    await expect(models.language(who, 'huge')).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'llm_model', message: 'must be one of small, large' }],
    });
  });
});

describe('without any model', () => {
  it('nobody has one, and who names one is refused', async () => {
    const none = createModels({
      config: parseModelsConfig({}),
      providerKeys: () => Promise.resolve(null),
      meter: () => Promise.resolve(),
      outbound: { trusted: outlet, untrusted: outlet },
    });
    expect(await none.language(who)).toBeNull();
    await expect(none.language(who, 'gpt-5')).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'llm_model', message: 'is not known: no model is configured; leave it out' }],
    });
  });
});

describe('whose key', () => {
  it("is the tenant's own where it has one, and the usage says so", async () => {
    server.replyWith(textReply('Yes.'));
    server.apiKeys.add('own-key');
    tenantKeys.set('tnt_1 local', 'own-key');
    const model = (await models.language(who))!;
    await model.generate(asking());
    expect([model.byok, server.calls[0]!.apiKey, usageOf(events[0]!).byok]).toEqual([true, 'own-key', true]);
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

describe('embeddings and reranking', () => {
  it('embed in batches, of length 1, and the same for the same text', async () => {
    const embedding = (await models.embedding(who))!;
    const texts = ['the ferry', 'the harbour', 'the ferry', 'a train', 'a boat', 'tea', 'milk'];
    const vectors = await embedding.embed(texts, asking());
    expect(server.calls.map(({ body }) => (body.input as string[]).length)).toEqual([3, 3, 1]);
    expect(vectors).toHaveLength(7);
    expect(vectors[0]).toEqual(vectors[2]);
    expect(Math.hypot(...vectors[4]!)).toBeCloseTo(1);
    expect(events).toHaveLength(3);
  });

  it('say why they cannot', async () => {
    server.failVectorsWith(500);
    expect(await failureOf((await models.embedding(who))!.embed(['x'], asking()))).toBe('unreachable');
    expect(await failureOf((await models.reranker(who))!.rerank('x', ['y'], asking()))).toBe('unreachable');
  });

  it.each([
    ['by what it says it used', { x: 1, usage: { total_tokens: 7 } }, 7n, '{"total_tokens":7}'],
    ['by the length of what it was asked', { x: 1 }, 1n, '{"estimated":true}'],
  ])('meter an answer without ratings %s', async (_how, answer, inputTokens, rawUsage) => {
    const without = { fetch: () => Promise.resolve(Response.json(answer)) };
    const reranker = await createModels({
      config: parseModelsConfig({
        providers: [
          { name: 'local', protocol: 'openai-compatible', base_url: server.baseUrl, api_key: 'model-server-key' },
        ],
        reranker: { provider: 'local', model: 'ranks' },
      }),
      providerKeys: () => Promise.resolve(null),
      meter: async (event) => void events.push(event),
      outbound: { trusted: without, untrusted: without },
    }).reranker(who);
    expect(await failureOf(reranker!.rerank('x', ['y'], asking()))).toBe('malformed');
    expect(events.map(usageOf)).toEqual([expect.objectContaining({ model: 'ranks', inputTokens, rawUsage })]);
  });

  it('rate the texts in their own order', async () => {
    const scores = await (await models.reranker(who))!.rerank('green ferry', ['a train', 'the green ferry'], asking());
    expect(scores[1]).toBeGreaterThan(scores[0]!);
    expect(usageOf(events[0]!)).toMatchObject({ model: 'ranks', purpose: 'answer' });
  });
});
