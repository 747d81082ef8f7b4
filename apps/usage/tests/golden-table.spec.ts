import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeEvent, type EncodedEvent, newId } from '@cairn/contracts';
import { createModels, type Models, parseModelsConfig } from '@cairn/llm';
import { createTestDatabase, type TestDatabase } from '@cairn/testing';
import pg from 'pg';
import pino from 'pino';
import { PRICES } from './prices.ts';
import { ingestCalls } from '../src/calls/ingest-calls.ts';
import { createMonthPartitions } from '../src/months/partitions.ts';
import { readCall } from '../src/calls/read-call.ts';
import { parsePriceList } from '../src/prices/price-list.ts';
import { MIGRATIONS } from '../src/migrate.ts';
import { type ProviderShape, SHAPES, type ShapedProvider, startShapedProvider } from './provider-shapes.ts';

const BOOK = parsePriceList(JSON.stringify({ versions: [PRICES.versions[0]] }), 'prices.json');
let database: TestDatabase;
let superuser: pg.Client;
let provider: ShapedProvider;
const emitted: EncodedEvent[] = [];

beforeAll(async () => {
  database = await createTestDatabase({ service: 'usage', migrations: MIGRATIONS });
  superuser = new pg.Client({ connectionString: database.superuserUrl });
  await superuser.connect();
  provider = await startShapedProvider();
});
afterAll(async () => {
  await superuser.end();
  await provider.close();
  await database.close();
});

function modelsOf({ protocol, model }: ProviderShape): Models {
  return createModels({
    config: parseModelsConfig({
      providers: [{ name: 'acme', protocol, base_url: provider.baseUrl, api_key: 'k' }],
      language_models: [{ name: model, provider: 'acme' }],
    }),
    providerKeys: () => Promise.resolve(null),
    outbound: { trusted: { fetch }, untrusted: { fetch } },
    meter: (event) => {
      emitted.push(event);
      return Promise.resolve();
    },
  });
}

interface Stored {
  input_tokens: string;
  output_tokens: string;
  cached_input_tokens: string;
  cache_write_tokens: string;
  reasoning_tokens: string;
  cost_nano_usd: string;
  micro_credits: string;
  streamed: boolean;
  raw_usage: string;
}

/** Makes the call as the memory service does and takes its event in as this service does. */
async function storedCall(shape: ProviderShape, streamed: boolean): Promise<Stored> {
  const who = { tenantId: newId('tenant'), livemode: true };
  const model = (await modelsOf(shape).language(who))!;
  const request = {
    attribution: who,
    purpose: 'answer',
    signal: new AbortController().signal,
    system: 'Answer.',
    retries: 0,
    messages: [{ role: 'user' as const, content: 'What is the ferry called?' }],
  };
  provider.say(shape);
  let text = '';
  if (streamed) for await (const piece of model.stream(request)) text += piece;
  else text = (await model.generate(request)).text;
  expect(text).toBe('It is called Ida.');
  const event = emitted.at(-1)!;
  const deps = {
    ...{
      workerDatabase: database.worker,
      prices: { current: () => BOOK },
      months: createMonthPartitions(database.worker),
    },
    logger: pino({ level: 'silent' }),
  };
  await ingestCalls(deps, [readCall(decodeEvent(event.payload))]);
  const { rows } = await superuser.query<Stored>('SELECT * FROM usage.llm_calls WHERE event_id = $1', [event.eventId]);
  return rows[0]!;
}

const figuresOf = (row: Stored) => ({
  tokens: {
    input: Number(row.input_tokens),
    output: Number(row.output_tokens),
    cached: Number(row.cached_input_tokens),
    cacheWrite: Number(row.cache_write_tokens),
    reasoning: Number(row.reasoning_tokens),
  },
  costNanoUsd: Number(row.cost_nano_usd),
});

describe.each(SHAPES)('$name', (shape) => {
  it.each([
    ['buffered', false],
    ['streamed', true],
  ])('%s it comes to the same tokens and the same price', async (_way, streamed) => {
    const row = await storedCall(shape, streamed);
    expect(figuresOf(row)).toEqual({ tokens: shape.tokens, costNanoUsd: shape.costNanoUsd });
    // 100 credits a USD: a tenth of a micro-credit for each nano-USD.
    expect(Number(row.micro_credits)).toBe(Math.round(shape.costNanoUsd / 10));
    expect(row.streamed).toBe(streamed);
  });

  it('keeps what the provider said', async () => {
    const row = await storedCall(shape, false);
    expect(JSON.parse(row.raw_usage)).toMatchObject(shape.buffered);
  });

  it('is made of parts that lie within their sums', () => {
    const { input, output, cached, cacheWrite, reasoning } = shape.tokens;
    expect(cached + cacheWrite).toBeLessThanOrEqual(input);
    expect(reasoning).toBeLessThanOrEqual(output);
  });
});
