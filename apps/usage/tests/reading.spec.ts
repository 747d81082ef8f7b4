import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Identity } from '@cairn/identity';
import { testIdentity } from '@cairn/testing';
import { type RunningUsage, runUsage } from './usage-harness.ts';
import { usageEvent } from './usage-events.ts';

const TODAY = new Date('2026-11-20T15:00:00Z');
let usage: RunningUsage;
let caller: Identity;
let tenantId: string;
const llm = async (query: string, as = caller) => usage.call(as, `/api/v1/usage/llm${query}`);

/** What was used: day, ids and tokens. */
const CALLS = [
  { day: '2026-11-01', ids: { workspaceId: 'ws_1', memoryId: 'mem_1' }, usage: {} },
  { day: '2026-11-02', ids: { workspaceId: 'ws_1', memoryId: 'mem_2', user: 'ann' }, usage: {} },
  { day: '2026-11-02', ids: { workspaceId: 'ws_2', spaceId: 'spc_1', conversationId: 'thr_1' }, usage: { byok: true } },
  { day: '2026-11-20', ids: { apiKeyId: 'key_1', user: 'bob' }, usage: { model: 'nobody-priced-this' } },
  { day: '2026-10-22', ids: {}, usage: { model: 'free', inputTokens: 5n, outputTokens: 5n } },
  { day: '2026-10-21', ids: {}, usage: { inputTokens: 7n, outputTokens: 0n } },
];

beforeAll(async () => {
  usage = await runUsage();
  usage.setTime(TODAY);
  caller = usage.makeTenant();
  tenantId = caller.tenantId;
  await usage.publish(
    ...CALLS.map(({ day, ids, usage: more }) =>
      usageEvent({ tenantId, at: new Date(`${day}T10:00:00Z`), usage: { ...ids, ...more } }),
    ),
    usageEvent({ tenantId: testIdentity().tenantId, at: TODAY, usage: { workspaceId: 'ws_1' } }),
  );
  await usage.stored(tenantId, CALLS.length);
}, 60_000);
afterAll(() => usage.close());

it('without a query gives the last 30 days of the tenant by day, ended today', async () => {
  const { status, body } = await llm('');
  expect(status).toBe(200);
  expect([body.from, body.to]).toEqual(['2026-10-22', '2026-11-20']);
  expect(body.series.map((row) => row.key)).toEqual(['2026-10-22', '2026-11-01', '2026-11-02', '2026-11-20']);
  expect(body.totals).toEqual({
    input_tokens: 4_005,
    output_tokens: 405,
    calls: 5,
    // 1,000 × 1,000 + 100 × 4,000 on the first, twice the price on the second, where two calls were.
    cost_usd: 0.007,
    credits_charged: 0.42,
    byok_tokens: 1_100,
    cached_input_tokens: 0,
    reasoning_tokens: 0,
    unpriced_calls: 1,
  });
});

it('says null, never 0, for what nobody has priced, and 0 for what is free', async () => {
  const { body } = await llm('?group_by=model');
  const costs = Object.fromEntries(body.series.map((row) => [row.key, row.cost_usd]));
  expect(costs).toEqual({ free: 0, 'nobody-priced-this': null, plain: 0.007 });
  expect((await llm('?from=2026-11-20&to=2026-11-20')).body.totals.cost_usd).toBeNull();
  expect((await llm('?from=2026-12-01&to=2026-12-02')).body.totals).toMatchObject({ calls: 0, cost_usd: 0 });
});

it('by day and model together names both, and adds up to the same', async () => {
  const { body } = await llm('?group_by=day_and_model');
  expect(body.series.map(({ key, day, model, calls }) => [key, day, model, calls])).toEqual([
    ['2026-10-22/free', '2026-10-22', 'free', 1],
    ['2026-11-01/plain', '2026-11-01', 'plain', 1],
    ['2026-11-02/plain', '2026-11-02', 'plain', 2],
    ['2026-11-20/nobody-priced-this', '2026-11-20', 'nobody-priced-this', 1],
  ]);
  expect(body.totals).toEqual((await llm('')).body.totals);
  expect((await llm('')).body.series.every((row) => !('day' in row) && !('model' in row))).toBe(true);
});

it('alerts for a model without a price, once a batch, and lists it to the operator', async () => {
  expect(usage.logged()).toMatch(/"alert":"model_without_price","model":"acme\/nobody-priced-this"/);
  const { models } = await usage.operator.listUnpriced({});
  expect(models.map(({ provider, model, calls }) => [provider, model, calls])).toEqual([
    ['acme', 'nobody-priced-this', 1n],
  ]);
});

describe('a dimension', () => {
  it.each<[string, string | null, number, string[]]>([
    ['tenant', null, 6, ['free', 'nobody-priced-this', 'plain']],
    ['workspace', null, 3, ['plain']],
    ['workspace', 'ws_1', 2, ['plain']],
    ['memory', 'mem_2', 1, ['plain']],
    ['space', null, 1, ['plain']],
    ['conversation', 'thr_1', 1, ['plain']],
    ['user', null, 2, ['nobody-priced-this', 'plain']],
    ['user', 'bob', 1, ['nobody-priced-this']],
    ['api_key', 'key_1', 1, ['nobody-priced-this']],
    ['model', null, 6, ['free', 'nobody-priced-this', 'plain']],
    ['model', 'plain', 4, ['plain']],
  ])('%s with id %p covers %d calls', async (dimension, id, calls, models) => {
    const named = id === null ? '' : `&id=${id}`;
    const { body } = await llm(`?dimension=${dimension}${named}&from=2026-01-01&group_by=model`);
    expect(body.totals.calls).toBe(calls);
    expect(body.series.map((row) => row.key)).toEqual(models);
  });

  it.each(['tenant', 'workspace', 'memory', 'space', 'conversation', 'user', 'api_key', 'model'])(
    '%s with an id that is nobody’s is empty and tells nothing',
    async (dimension) => {
      const { status, body } = await llm(`?dimension=${dimension}&id=${testIdentity().tenantId}`);
      expect([status, body.series, body.totals.calls]).toEqual([200, [], 0]);
    },
  );

  it('shows the caller its own tenant by id, and another’s ids as if they were not', async () => {
    expect((await llm(`?id=${tenantId}`)).body).toEqual((await llm('')).body);
    const other = usage.makeTenant();
    expect((await llm('?dimension=workspace&id=ws_1', other)).body.totals.calls).toBe(0);
    expect((await llm(`?id=${tenantId}`, other)).body.totals.calls).toBe(0);
  });
});

describe('a query that cannot be', () => {
  it.each<[string, string]>([
    ['?from=2026-11-03&to=2026-11-02', 'from'],
    ['?from=2026-11-21', 'from'],
    ['?from=yesterday', 'from'],
    ['?to=2026-02-30', 'to'],
    ['?from=2026-11-01T00:00:00Z', 'from'],
    ['?from=', 'from'],
    ['?dimension=planet', 'dimension'],
    ['?dimension=', 'dimension'],
    ['?id=', 'id'],
    [`?id=${'x'.repeat(257)}`, 'id'],
    ['?group_by=hour', 'group_by'],
    ['?form=2026-11-01', 'form'],
    ['?tenant_id=tnt_1', 'tenant_id'],
    ['?from=2026-11-01&from=2026-11-02', 'from'],
  ])('%s is refused, naming %s', async (query, path) => {
    const { status, body } = await llm(query);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors.map((error) => error.path)).toContain(path);
  });

  it.each(['?from=0000-01-01', '?from=0001-01-01&to=9999-12-31', '?to=2026-11-20&id=%F0%9F%98%80'])(
    'does not exist at the edges: %s is answered',
    async (query) => {
      expect((await llm(query)).status).toBe(200);
    },
  );
});

it('takes both days inclusive, as UTC', async () => {
  const { body } = await llm('?from=2026-11-02&to=2026-11-02');
  expect(body.series.map((row) => [row.key, row.calls])).toEqual([['2026-11-02', 2]]);
});

it('is refused without an identity and without the scope', async () => {
  expect((await usage.call(null, '/api/v1/usage/llm')).status).toBe(401);
  const narrow = { ...caller, scopes: ['memory:search' as const] };
  expect((await llm('', narrow)).body.code).toBe('permission_denied');
  expect((await usage.call(narrow, '/api/v1/usage/credits')).body.code).toBe('permission_denied');
});
