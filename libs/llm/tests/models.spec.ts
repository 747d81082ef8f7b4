import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EncodedEvent } from '@cairn/contracts';
import { eventually, type ModelReply, type ModelServer, startModelServer, textReply } from '@cairn/testing';
import { z } from 'zod';
import { createOutbound } from '@cairn/outbound';
import { createModels, type Models, parseModelsConfig } from '../src/index.ts';
import { asking, failureOf, read, usageOf, who } from './model-calls.ts';

let server: ModelServer;
let events: EncodedEvent[];
let models: Models;

const outlet = createOutbound({ allowPrivateNetwork: true, userAgent: 'spec' });

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
    providerKeys: () => Promise.resolve(null),
    meter: (event) => {
      events.push(event);
      return Promise.resolve();
    },
    outbound: { trusted: outlet, untrusted: outlet },
    stallTimeoutMs: 300,
  });
});

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
