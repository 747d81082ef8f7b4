import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encodeEvent } from '@cairn/contracts';
import { connectEventBus, type EventBus, publishEvent } from '@cairn/events';
import { eventually, type RunningCairn, startCairn } from '@cairn/testing';
import type pg from 'pg';
import { api } from './api.ts';
import { databaseOf } from './installation-state.ts';
import { type NewTenant, operator } from './operator.ts';

const SOON_MS = 60_000;
let cairn: RunningCairn;
let bus: EventBus;
let database: pg.Client;

beforeAll(async () => {
  cairn = await startCairn();
  bus = await connectEventBus({ natsUrl: await cairn.eventsUrl(), name: 'spec' });
  database = await databaseOf(cairn);
}, 90_000);
afterAll(async () => {
  await bus.close();
  await database.end();
  await cairn.remove();
});

const read = async (key: string, path: string) => (await api(cairn.baseUrl, key, 'GET', `/api/v1/usage${path}`)).body;
const callsOf = async (key: string) => (await read(key, '/llm')).totals.calls;

/** One model call with a price, 1,000 tokens in and 100 out, published as a service's relay does. */
async function called(tenantId: string, livemode = true, times = 1): Promise<void> {
  const usage = { provider: 'openai', model: 'gpt-5-mini', inputTokens: 1_000n, outputTokens: 100n };
  const event = encodeEvent('llmUsage', { tenantId, livemode }, usage);
  for (let n = 0; n < times; n += 1) await publishEvent(bus, { ...event, eventId: `${event.eventId}/${n}` });
}

it('is counted once for each call, priced, taken from the credits, and adds up, a killed service in between', async () => {
  const tenant = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'User', '--plan', 'team');
  expect(await read(tenant.api_key, '/credits')).toMatchObject({ balance: 1_000, granted: 1_000 });
  // The broker is told of three different messages; only the event's own id says that they are one.
  await called(tenant.tenant_id, true, 3);
  await eventually(
    () => callsOf(tenant.api_key),
    (calls) => calls === 1,
    SOON_MS,
  );
  await cairn.kill('usage');
  await called(tenant.tenant_id, true, 2);
  await eventually(
    () => callsOf(tenant.api_key),
    (calls) => calls === 2,
    SOON_MS,
  );
  const { totals } = await read(tenant.api_key, '/llm?dimension=model&id=gpt-5-mini');
  // 250 nano-USD a token in, 2,000 out.
  expect(totals).toMatchObject({ input_tokens: 2_000, output_tokens: 200, cost_usd: 0.0009, credits_charged: 0.09 });
  expect(await read(tenant.api_key, '/credits')).toMatchObject({ balance: 999.91, llm: 0.09 });
  const checked = await operator<{ calls: number; differing_rows: number }>(cairn, 'usage', 'rebuild', '--check');
  expect(checked).toMatchObject({ calls: 2, differing_rows: 0 });
}, 120_000);

it('of the test twin is its own, and takes no credits', async () => {
  const tenant = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Twin', '--plan', 'team');
  const testTenantId = (await api(cairn.baseUrl, tenant.test_api_key, 'GET', '/api/v1/workspaces')).body.workspaces[0]
    .tenant_id;
  await called(testTenantId, false);
  await eventually(
    () => callsOf(tenant.test_api_key),
    (calls) => calls === 1,
    SOON_MS,
  );
  expect(await callsOf(tenant.api_key)).toBe(0);
  expect((await read(tenant.test_api_key, '/llm')).totals.credits_charged).toBe(0);
  expect((await read(tenant.test_api_key, '/credits')).balance).toBe(1_000);
}, 90_000);

it('of runs is reserved by the start call and settled once; of many starts at once as many succeed as the credits reach for', async () => {
  const tenant = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Runner', '--plan', 'team');
  const start = (path: string, key = tenant.api_key) =>
    api(cairn.baseUrl, key, 'POST', `/api/v1/search/${path}`, { prompt: 'Who repairs boilers, by my documents?' });
  const entries = async (state: string) =>
    (await read(tenant.api_key, '/credits?limit=200')).ledger.filter(
      (entry: { state: string }) => entry.state === state,
    );

  const people = await start('workflow/people/start');
  const [ended] = await eventually(
    async () => [...(await entries('settled')), ...(await entries('released'))],
    (found) => found.length === 1,
    SOON_MS,
  );
  expect(ended).toMatchObject({ charge: 'list.build', thread_id: people.body.thread_id, credits: 10 });
  const before = (await read(tenant.api_key, '/credits')).balance;
  expect(before).toBe(ended.state === 'settled' ? 990 : 1_000);

  // They wait for their connection, so that what they reserve stays reserved.
  const reach = Math.floor(before / 25);
  const answers = await Promise.all(Array.from({ length: reach + 6 }, () => start('service-deep-search/start')));
  const refused = answers.filter(({ status }) => status === 402);
  expect(refused.map(({ body }) => body.code)).toEqual(Array(6).fill('insufficient_credits'));
  expect((await read(tenant.api_key, '/credits')).balance).toBe(before - reach * 25);
  const started = answers.filter(({ status }) => status < 300).map(({ body }) => body.thread_id);
  const reserved = await entries('reserved');
  expect(reserved.map((entry: { thread_id: string }) => entry.thread_id).sort()).toEqual(started.sort());
  expect(
    reserved.every(
      (entry: { charge: string; credits: number }) => entry.charge === 'research.run' && entry.credits === 25,
    ),
  ).toBe(true);

  expect((await start('service-deep-search/start', tenant.test_api_key)).status).toBeLessThan(300);
  const twin = await read(tenant.test_api_key, '/credits');
  expect([
    twin.balance,
    twin.ledger.find(({ charge }: { charge: string }) => charge === 'research.run').credits,
  ]).toEqual([1_000, 0]);
}, 240_000);

it('goes with its tenant, and a late event does not bring it back', async () => {
  const tenant = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Leaver', '--plan', 'team');
  await called(tenant.tenant_id);
  await eventually(
    () => callsOf(tenant.api_key),
    (calls) => calls === 1,
    SOON_MS,
  );
  await operator(cairn, 'tenant', 'delete', tenant.tenant_id, '--yes');
  const rows = async () => {
    const tables = ['llm_calls', 'llm_rollups', 'tenants', 'credit_accounts', 'credit_grants', 'charges'];
    const counts = tables
      .map((table) => `SELECT count(*) AS n FROM usage.${table} WHERE tenant_id = $1`)
      .join(' UNION ALL ');
    return (await database.query<{ n: string }>(counts, [tenant.tenant_id])).rows.reduce(
      (sum, { n }) => sum + Number(n),
      0,
    );
  };
  await eventually(rows, (left) => left === 0, SOON_MS);
  await called(tenant.tenant_id);
  const bystander = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Stayer', '--plan', 'team');
  await called(bystander.tenant_id);
  await eventually(
    () => callsOf(bystander.api_key),
    (calls) => calls === 1,
    SOON_MS,
  );
  expect(await rows()).toBe(0);
}, 120_000);
