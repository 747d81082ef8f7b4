import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Identity } from '@cairn/identity';
import { eventually } from '@cairn/testing';
import { readFile, writeFile } from 'node:fs/promises';
import { PRICES } from './prices.ts';
import { variables } from '../src/config.ts';
import { parsePriceList, ratesOf, versionAt } from '../src/prices/price-list.ts';
import { priceCall } from '../src/prices/price-call.ts';
import { type RunningUsage, runUsage } from './usage-harness.ts';
import { usageEvent } from './usage-events.ts';

const PRICE_LIST = parsePriceList(JSON.stringify(PRICES), 'prices.json');
const CALL = {
  occurredAtMs: Date.parse('2026-11-01T12:00:00Z'),
  livemode: true,
  provider: 'acme',
  model: 'plain',
  byok: false,
  coveredByRun: false,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
};

type ListFile = { versions: Record<string, unknown>[] };
const changed = (change: (list: ListFile) => void): string => {
  const list = structuredClone(PRICES) as unknown as ListFile;
  change(list);
  return JSON.stringify(list);
};

describe('the price list', () => {
  it('that is shipped prices both charges and the models it names', async () => {
    const file = variables.pricesFile.schema.parse(undefined);
    const version = versionAt(parsePriceList(await readFile(file, 'utf8'), file), Date.now())!;
    expect(version.charges).toEqual({ 'list.build': 10_000_000, 'research.run': 25_000_000 });
    // $0.25 and $2 a million tokens.
    expect(ratesOf(version, 'openai', 'gpt-5-mini')).toMatchObject({ input: 250_000n, output: 2_000_000n });
  });

  it.each<[string, (list: ListFile) => void, RegExp]>([
    ['no version', (list) => (list.versions = []), /versions/],
    ['two versions of one name', (list) => (list.versions[1]!['version'] = 'old'), /name of an earlier version/],
    ['versions out of order', (list) => (list.versions = list.versions.toReversed()), /must be after/],
    ['an invalid day', (list) => (list.versions[0]!['effective_from'] = '2026-02-30'), /effective_from/],
    ['no price for a charge', (list) => (list.versions[0]!['charges'] = { 'list.build': 1 }), /research\.run/],
    ['a charge nobody knows', (list) => (list.versions[0]!['charges'] = { coffee: 1 }), /coffee/],
    ['no rate of credits', (list) => delete list.versions[0]!['credits_per_usd'], /credits_per_usd/],
    ['a price below zero', (list) => (list.versions[1]!['models'] = { 'a/b': { input: -1, output: 0 } }), /input/],
    ['four decimals', (list) => (list.versions[1]!['models'] = { 'a/b': { input: 0.0001, output: 0 } }), /decimals/],
    ['no price of the output', (list) => (list.versions[1]!['models'] = { 'a/b': { input: 1 } }), /output/],
    ['a model without provider', (list) => (list.versions[1]!['models'] = { b: { input: 1, output: 1 } }), /models\.b/],
    ['a field nobody knows', (list) => (list.versions[1]!['discount'] = 1), /discount/],
  ])('with %s is refused, saying where', (_what, change, where) => {
    expect(() => parsePriceList(changed(change), 'prices.json')).toThrow(where);
  });

  it('that is torn is refused with its name', () => {
    expect(() => parsePriceList('{"versions":', 'torn.json')).toThrow(/torn\.json/);
  });

  it('keeps what a later version does not speak of, and takes back what it sets to null', () => {
    const list = parsePriceList(
      changed((file) => (file.versions[1]!['models'] = { 'acme/free': null, 'acme/new': { input: 1, output: 1 } })),
      'prices.json',
    );
    const later = versionAt(list, Date.parse('2026-11-02T00:00:00Z'))!;
    expect(ratesOf(later, 'acme', 'plain')).toMatchObject({ input: 1_000_000n });
    expect([ratesOf(later, 'acme', 'free'), ratesOf(later, 'acme', 'new')?.input]).toEqual([null, 1_000n]);
    expect([later.creditsPerUsd, later.charges['list.build']]).toEqual([100, 10_000_000]);
  });

  it.each([
    ['acme', 'plain', true],
    ['acme', 'plain-2026-01-15', true],
    ['acme', 'plain-20260115', true],
    ['acme', 'plain-turbo', false],
    ['other', 'plain', false],
    ['local', 'whatever', true],
    ['acme', 'constructor', false],
    ['__proto__', 'x', false],
  ])('%s/%s has a price: %p', (provider, model, known) => {
    expect(ratesOf(PRICE_LIST[0]!, provider, model) !== null).toBe(known);
  });
});

describe('a price', () => {
  it('changes at midnight UTC, to the millisecond', () => {
    const at = (time: string) => priceCall(PRICE_LIST, { ...CALL, occurredAtMs: Date.parse(time), inputTokens: 1 });
    expect(at('2026-11-01T23:59:59.999Z')).toMatchObject({ costNanoUsd: 1_000, priceVersion: 'old' });
    expect(at('2026-11-02T00:00:00.000Z')).toMatchObject({ costNanoUsd: 2_000, priceVersion: 'new' });
    expect(at('2026-11-02T00:30:00.000+01:00')).toMatchObject({ costNanoUsd: 1_000, priceVersion: 'old' });
  });

  it('before the first version is unknown, not zero', () => {
    expect(priceCall(PRICE_LIST, { ...CALL, occurredAtMs: 0, inputTokens: 1 })).toEqual({
      costNanoUsd: null,
      microCredits: 0,
      priceVersion: null,
    });
  });

  it('of cached and written tokens stands instead of the input’s, of a long call instead of the short one’s', () => {
    const tokens = { inputTokens: 100, cachedInputTokens: 60, cacheWriteTokens: 30, outputTokens: 10 };
    expect(priceCall(PRICE_LIST, { ...CALL, ...tokens }).costNanoUsd).toBe(
      10 * 1_000 + 60 * 100 + 30 * 1_250 + 10 * 4_000,
    );
    const long = { ...CALL, model: 'long', outputTokens: 1 };
    expect(priceCall(PRICE_LIST, { ...long, inputTokens: 1_000 }).costNanoUsd).toBe(10_020);
    expect(priceCall(PRICE_LIST, { ...long, inputTokens: 1_001 }).costNanoUsd).toBe(1_001 * 30 + 60);
  });

  it('is rounded half up, once for the call, and exact beyond what a double holds', () => {
    const small = (tokens: object) => priceCall(PRICE_LIST, { ...CALL, model: 'small', ...tokens }).costNanoUsd;
    expect([small({ inputTokens: 1 }), small({ inputTokens: 2 })]).toEqual([38, 75]);
    const huge = priceCall(PRICE_LIST, { ...CALL, inputTokens: 1_000_000_000, outputTokens: 1_000_000_000 });
    expect(huge).toMatchObject({ costNanoUsd: 5_000_000_000_000, microCredits: 500_000_000_000 });
  });

  it.each([
    ['on the tenant’s own key', { byok: true }],
    ['in a test tenant', { livemode: false }],
    ['that a run covers', { coveredByRun: true }],
  ])('of a call %s takes no credits and is told all the same', (_what, how) => {
    expect(priceCall(PRICE_LIST, { ...CALL, inputTokens: 1_000, ...how })).toMatchObject({
      costNanoUsd: 1_000_000,
      microCredits: 0,
    });
  });
});

describe('a price list that changes while the service runs', () => {
  let usage: RunningUsage;
  let caller: Identity;
  const costOf = async (model: string) => {
    const day = new Date('2026-11-20T12:00:00Z');
    await usage.publish(usageEvent({ tenantId: caller.tenantId, at: day, usage: { model } }));
    const rows = () =>
      usage.ask<{ cost_nano_usd: number | null }>(
        'SELECT cost_nano_usd FROM llm_calls WHERE tenant_id = $1 AND model = $2 ORDER BY event_id',
        [caller.tenantId, model],
      );
    const before = (await rows()).length;
    await eventually(rows, (found) => found.length > before || found.length > 0, 30_000);
    return (await rows()).at(-1)!.cost_nano_usd;
  };
  const write = (list: string) => writeFile(usage.pricesFile, list);

  beforeAll(async () => {
    usage = await runUsage();
    caller = usage.makeTenant();
  });
  afterAll(() => usage.close());

  it('takes effect without a restart', async () => {
    expect(await costOf('unknown-yet')).toBeNull();
    await write(
      changed((list) =>
        list.versions.push({
          version: 'newer',
          effective_from: '2026-11-03',
          models: { 'acme/known-now': { input: 1, output: 0 } },
        }),
      ),
    );
    await eventually(() => /prices: a new price list is in force/.test(usage.logged()), Boolean, 30_000);
    expect(await costOf('known-now')).toBe(1_000);
  });

  it('is rejected when it is invalid or changes a version already used, and the previous one stays in force', async () => {
    await write('{');
    await eventually(() => /price_book_refused/.test(usage.logged()), Boolean, 30_000);
    await write(changed((list) => (list.versions[0]!['models'] = { 'acme/sneaky': { input: 1, output: 1 } })));
    await eventually(
      () => /version old is not what it was when it was first used/.test(usage.logged()),
      Boolean,
      30_000,
    );
    expect(await costOf('sneaky')).toBeNull();
    expect(await costOf('free')).toBe(0);
  });
});
