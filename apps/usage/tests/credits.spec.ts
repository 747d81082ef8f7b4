import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeService, ChargeState, encodeEvent, newId } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import { rpcClient } from '@cairn/service-kit';
import { eventually, testIdentity } from '@cairn/testing';
import { releaseExpired } from '../src/credits/end-charge.ts';
import { type RunningUsage, runUsage } from './usage-harness.ts';
import { usageEvent } from './usage-events.ts';

const TODAY = new Date('2026-11-20T15:00:00Z');
let usage: RunningUsage;
const credits = async (as: Identity, query = '') => (await usage.call(as, `/api/v1/usage/credits${query}`)).body;
const reserve = (as: Identity, runId = newId('thread'), charge = 'research.run', more: object = {}) =>
  usage.charges.reserveCharge({ tenantId: as.tenantId, livemode: as.livemode, runId, charge, ...more });
/** As research does: a call that finds no free connection in time is made again, for the same run. */
async function reserveSurely(as: Identity) {
  const run = { tenantId: as.tenantId, livemode: true, runId: newId('thread'), charge: 'list.build' };
  for (;;) {
    try {
      return await usage.charges.reserveCharge(run, { timeoutMs: 60_000 });
    } catch (error) {
      if (!(error instanceof CairnError) || error.code !== 'unavailable') throw error;
    }
  }
}
const settle = (as: Identity, runId: string) => usage.charges.settleCharge({ tenantId: as.tenantId, runId });
const release = (as: Identity, runId: string) => usage.charges.releaseCharge({ tenantId: as.tenantId, runId });
const accountsDiffer = async (as: Identity) =>
  (await usage.operator.rebuildRollups({ tenantId: as.tenantId, check: true })).differences;

const scopeOf = ({ tenantId, livemode }: Identity) => ({ tenantId, livemode });

beforeAll(async () => {
  usage = await runUsage();
  usage.setTime(TODAY);
});
afterAll(() => usage.close());

describe('a balance', () => {
  it('is what the plan gives a month, before anything was charged', async () => {
    const caller = usage.makeTenant(1_000);
    expect(await credits(caller)).toEqual({
      balance: 1_000,
      period: { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
      granted: 1_000,
      reserved: 0,
      settled: 0,
      llm: 0,
      ledger: [
        {
          charge: 'plan.credits',
          thread_id: null,
          credits: 1_000,
          state: 'granted',
          at: '2026-11-01T00:00:00.000Z',
        },
      ],
    });
  });

  it('is explained by its ledger: granted less reserved, settled and what models used, to the millionth', async () => {
    const caller = usage.makeTenant(1_000);
    const [kept, spent, freed] = [newId('thread'), newId('thread'), newId('thread')];
    await reserve(caller, kept, 'list.build');
    await reserve(caller, spent);
    await reserve(caller, freed);
    await settle(caller, spent);
    await release(caller, freed);
    await usage.publish(
      usageEvent({ tenantId: caller.tenantId, at: TODAY, usage: { inputTokens: 1n, outputTokens: 0n } }),
      usageEvent({ tenantId: caller.tenantId, at: TODAY, usage: { byok: true } }),
      usageEvent({ tenantId: caller.tenantId, at: TODAY, usage: { runId: spent } }),
      usageEvent({ tenantId: caller.tenantId, at: TODAY, usage: { model: 'nobody-knows' } }),
    );
    await usage.stored(caller.tenantId, 4);
    const { balance, granted, reserved, settled, llm, ledger } = await credits(caller);
    // One token at 2,000 nano-USD, 100 credits a USD: 0.0002 credits.
    expect({ balance, granted, reserved, settled, llm }).toEqual({
      balance: 964.9998,
      granted: 1_000,
      reserved: 10,
      settled: 25,
      llm: 0.0002,
    });
    expect(
      ledger.map(({ charge, thread_id, credits: taken, state }) => [charge, thread_id, taken, state]).sort(),
    ).toEqual(
      [
        ['list.build', kept, 10, 'reserved'],
        ['llm.usage', null, 0.0002, 'settled'],
        ['plan.credits', null, 1_000, 'granted'],
        ['research.run', freed, 25, 'released'],
        ['research.run', spent, 25, 'settled'],
      ].sort(),
    );
    expect(await accountsDiffer(caller)).toEqual([]);
  });

  it('resets each month, and what was reserved before goes back to its own month', async () => {
    const caller = usage.makeTenant(30);
    const runId = newId('thread');
    await reserve(caller, runId);
    usage.setTime(new Date('2026-12-01T00:00:00Z'));
    try {
      expect((await credits(caller)).balance).toBe(30);
      await reserve(caller);
      await release(caller, runId);
      expect((await credits(caller)).balance).toBe(5);
    } finally {
      usage.setTime(TODAY);
    }
    expect((await credits(caller)).balance).toBe(30);
  });

  it('rises at once with a larger plan, and keeps what it has until the month ends with a smaller one', async () => {
    const caller = usage.makeTenant(30);
    await reserve(caller);
    const planChanged = (revision: bigint, plan: string, monthlyCredits: bigint) =>
      usage.publish(
        encodeEvent('tenantChanged', scopeOf(caller), { revision, plan, status: 'active', burst: 1, monthlyCredits }),
      );
    await planChanged(3n, 'business', 100n);
    await eventually(
      async () => (await credits(caller)).balance,
      (balance) => balance === 75,
    );
    // Comes late, and is older than what is known.
    await planChanged(2n, 'enterprise', 1_000_000n);
    await planChanged(4n, 'free', 1n);
    await eventually(
      () => usage.ask<{ plan: string }>('SELECT plan FROM tenants WHERE tenant_id = $1', [caller.tenantId]),
      ([row]) => row?.plan === 'free',
    );
    expect(await credits(caller)).toMatchObject({ balance: 75, granted: 100 });
    expect(await accountsDiffer(caller)).toEqual([]);
  });

  it('is paged without losing or repeating an entry', async () => {
    const caller = usage.makeTenant(1_000);
    for (let n = 0; n < 7; n += 1) await reserve(caller, newId('thread'), 'list.build');
    const whole = (await credits(caller)).ledger;
    expect(whole).toHaveLength(8);
    const paged: typeof whole = [];
    let cursor: string | undefined;
    do {
      const page = await credits(
        caller,
        `?limit=3${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      paged.push(...page.ledger);
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(whole);
  });

  it.each(['?limit=0', '?limit=201', '?cursor=nonsense', '?month=2026-11'])('refuses %s', async (query) => {
    expect((await usage.call(usage.makeTenant(), `/api/v1/usage/credits${query}`)).status).toBe(422);
  });
});

describe('a charge', () => {
  it('is refused when the balance does not reach, with both figures, and nothing is written', async () => {
    const caller = usage.makeTenant(24);
    await expect(reserve(caller)).rejects.toMatchObject({
      code: 'insufficient_credits',
      message: 'research.run costs 25 credits; 24 are left this month.',
    });
    expect(await credits(caller)).toMatchObject({ balance: 24, reserved: 0 });
    await reserve(caller, newId('thread'), 'list.build');
    expect((await credits(caller)).balance).toBe(14);
  });

  it('of a balance for 100 is given to exactly 100 of 1,000 at the same time', async () => {
    const caller = usage.makeTenant(1_000);
    const answers = await Promise.allSettled(Array.from({ length: 1_000 }, () => reserveSurely(caller)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
    const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []));
    expect(new Set(refusals)).toEqual(new Set(['insufficient_credits']));
    expect(await credits(caller)).toMatchObject({ balance: 0, reserved: 1_000 });
    expect(await accountsDiffer(caller)).toEqual([]);
  }, 180_000);

  it('of one run is taken once, however often and however much at once the call is repeated', async () => {
    const caller = usage.makeTenant(1_000);
    const runId = newId('thread');
    const answers = await Promise.all(Array.from({ length: 50 }, () => reserve(caller, runId)));
    expect(new Set(answers.map(({ charge }) => charge!.microCredits))).toEqual(new Set([25_000_000n]));
    expect((await credits(caller)).balance).toBe(975);
    await Promise.all(Array.from({ length: 20 }, () => settle(caller, runId)));
    expect(await credits(caller)).toMatchObject({ balance: 975, reserved: 0, settled: 25 });
    expect((await reserve(caller, runId)).charge!.state).toBe(ChargeState.SETTLED);
    expect((await credits(caller)).balance).toBe(975);
  });

  it('is settled or released, whichever comes first, and later calls are told which', async () => {
    const caller = usage.makeTenant(1_000);
    for (let round = 0; round < 10; round += 1) {
      const runId = newId('thread');
      await reserve(caller, runId);
      const ends = await Promise.all([settle(caller, runId), release(caller, runId), settle(caller, runId)]);
      expect(new Set(ends.map(({ charge }) => charge!.state)).size).toBe(1);
    }
    const { reserved, settled, balance } = await credits(caller);
    expect([reserved, settled + balance]).toEqual([0, 1_000]);
    expect(await accountsDiffer(caller)).toEqual([]);
  });

  it('for something else under the same run is a conflict', async () => {
    const caller = usage.makeTenant();
    const runId = newId('thread');
    await reserve(caller, runId, 'list.build');
    await expect(reserve(caller, runId, 'research.run')).rejects.toMatchObject({ code: 'conflict' });
    expect((await credits(caller)).reserved).toBe(10);
  });

  it('that nobody made cannot be ended, nor one of another tenant', async () => {
    const [caller, other] = [usage.makeTenant(), usage.makeTenant()];
    const runId = newId('thread');
    await reserve(caller, runId);
    await expect(settle(other, runId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(release(caller, newId('thread'))).rejects.toMatchObject({ code: 'not_found' });
    expect((await credits(caller)).reserved).toBe(25);
  });

  it('that nobody ends goes back by itself when its time is over, and once', async () => {
    const caller = usage.makeTenant();
    const [forgotten, running] = [newId('thread'), newId('thread')];
    await reserve(caller, forgotten, 'research.run', { holdSeconds: 60 });
    await reserve(caller, running);
    const deps = { workerDatabase: usage.database.worker, now: () => new Date(TODAY.getTime() + 61_000) };
    const released = await Promise.all([releaseExpired(deps), releaseExpired(deps), releaseExpired(deps)]);
    expect(released.reduce((sum, n) => sum + n, 0)).toBe(1);
    expect(await credits(caller)).toMatchObject({ balance: 975, reserved: 25 });
    expect((await settle(caller, forgotten)).charge!.state).toBe(ChargeState.RELEASED);
  });

  it.each<[string, object]>([
    ['an unknown name', { charge: 'coffee' }],
    ['no run', { runId: '' }],
    ['a run too long', { runId: 'x'.repeat(129) }],
    ['no tenant', { tenantId: '' }],
    ['a service id too long', { serviceId: 'x'.repeat(129) }],
    ['a hold without end', { holdSeconds: 4_000_000_000 }],
  ])('with %s is refused', async (_what, wrong) => {
    const caller = usage.makeTenant();
    const good = { tenantId: caller.tenantId, livemode: true, runId: newId('thread'), charge: 'list.build' };
    await expect(usage.charges.reserveCharge({ ...good, ...wrong })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('of a tenant that nobody knows is refused', async () => {
    await expect(reserve(testIdentity())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('may be made by research alone', async () => {
    const caller = usage.makeTenant();
    for (const service of ['memory', 'gateway', 'operator'] as const) {
      const client = rpcClient(ChargeService, usage.grpcAddress, usage.identities.serviceTokens(service));
      const request = { tenantId: caller.tenantId, livemode: true, runId: 'thr_1', charge: 'list.build' };
      await expect(client.reserveCharge(request)).rejects.toMatchObject({ code: 'permission_denied' });
      await expect(client.settleCharge(request)).rejects.toMatchObject({ code: 'permission_denied' });
      client.close();
    }
  });

  it('is no part of what a model call costs, which research may ask for', async () => {
    const tokens = { inputTokens: 1_000n, outputTokens: 100n, cachedInputTokens: 0n, cacheWriteTokens: 0n };
    const { nanoUsd } = await usage.charges.priceCall({ provider: 'acme', model: 'plain', ...tokens });
    expect(nanoUsd).toBeGreaterThan(0n);
    expect(
      (await usage.charges.priceCall({ provider: 'acme', model: 'nobody-knows', ...tokens })).nanoUsd,
    ).toBeUndefined();
  });

  it('cannot be told apart from its price, which holds from its day on and stays with the charge', async () => {
    const caller = usage.makeTenant();
    const { charge } = await reserve(caller);
    expect([charge!.priceVersion, charge!.microCredits]).toEqual(['new', 25_000_000n]);
  });
});

describe('a test tenant', () => {
  it('is charged nothing for runs and for models, and both are written down', async () => {
    const testTenant = usage.makeTenant(1_000, false);
    const runId = newId('thread');
    expect((await reserve(testTenant, runId)).charge).toMatchObject({ microCredits: 0n, state: ChargeState.RESERVED });
    // Tenancy decides what is a test tenant, whatever a caller claims.
    const second = await usage.charges.reserveCharge({
      tenantId: testTenant.tenantId,
      livemode: true,
      runId: newId('thread'),
      charge: 'list.build',
    });
    expect(second.charge!.microCredits).toBe(0n);
    await settle(testTenant, runId);
    await usage.publish(usageEvent({ tenantId: testTenant.tenantId, livemode: false, at: TODAY }));
    await usage.stored(testTenant.tenantId, 1);
    expect(await credits(testTenant)).toMatchObject({ balance: 1_000, reserved: 0, settled: 0, llm: 0 });
    const { totals } = (await usage.call(testTenant, '/api/v1/usage/llm')).body;
    expect(totals).toMatchObject({ calls: 1, cost_usd: 0.0028, credits_charged: 0 });
    expect(await usage.charges.getBalance({ tenantId: testTenant.tenantId })).toMatchObject({
      balanceMicroCredits: 1_000_000_000n,
      charged: false,
    });
  });

  it('has charges even where the plan gives no credits', async () => {
    const testTenant = usage.makeTenant(0, false);
    expect((await reserve(testTenant)).charge!.microCredits).toBe(0n);
  });
});

describe('calls of models', () => {
  it('may take more than is left; the next run is refused then', async () => {
    const caller = usage.makeTenant(30);
    await usage.publish(usageEvent({ tenantId: caller.tenantId, at: TODAY, usage: { inputTokens: 300_000n } }));
    await usage.stored(caller.tenantId, 1);
    // 300,000 × 2,000 + 100 × 8,000 nano-USD are 0.6008 USD.
    expect(await credits(caller)).toMatchObject({ balance: -30.08, llm: 60.08 });
    await expect(reserve(caller)).rejects.toMatchObject({ code: 'insufficient_credits' });
  });

  it('of a tenant that is not known yet are taken from what its plan turns out to give', async () => {
    const caller = testIdentity();
    await usage.publish(usageEvent({ tenantId: caller.tenantId, at: TODAY }));
    await usage.stored(caller.tenantId, 1);
    await usage.publish(
      encodeEvent('tenantChanged', scopeOf(caller), {
        revision: 1n,
        plan: 'team',
        status: 'active',
        burst: 1,
        monthlyCredits: 50n,
      }),
    );
    await eventually(
      () => usage.ask('SELECT 1 FROM tenants WHERE tenant_id = $1', [caller.tenantId]),
      (rows) => rows.length === 1,
    );
    expect(await credits(caller)).toMatchObject({ balance: 49.72, granted: 50, llm: 0.28 });
    expect(await accountsDiffer(caller)).toEqual([]);
  });
});

describe('the database itself', () => {
  const broken = (sql: string, values: unknown[]) =>
    expect(usage.ask(sql, values)).rejects.toMatchObject({ code: '23514' });
  const INSERT = `INSERT INTO llm_calls (tenant_id, event_id, minted_on, occurred_at, livemode, provider, model, byok,
      input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, cost_nano_usd,
      micro_credits, price_version, run_id, streamed)
    VALUES ('t', $1, '2026-11-20', '2026-11-20', $2, 'acme', 'plain', $3, 10, 10, 0, 0, 0, $4, $5, $6, $7, false)`;

  it('refuses credits for a call on the tenant’s own key, in the test tenant, of a charged run, or without a price', async () => {
    await broken(INSERT, [newId('event'), true, true, 5, 1, 'new', null]);
    await broken(INSERT, [newId('event'), false, false, 5, 1, 'new', null]);
    await broken(INSERT, [newId('event'), true, false, 5, 1, 'new', 'thr_1']);
    await broken(INSERT, [newId('event'), true, false, null, 1, null, null]);
    await usage.ask(INSERT, [newId('event'), true, true, 5, 0, 'new', null]);
    await usage.ask("DELETE FROM llm_calls WHERE tenant_id = 't'");
  });

  it('refuses an account that is charged beyond what was granted', async () => {
    const insert = `INSERT INTO credit_accounts VALUES ('t', '2026-11-01', 10, $1, $2, 0)`;
    await broken(insert, [6, 5]);
    await broken(insert, [-1, 0]);
  });

  it('lets requests read and never write', async () => {
    for (const table of [
      'llm_calls',
      'llm_rollups',
      'credit_accounts',
      'charges',
      'credit_grants',
      'llm_rollups_2026_11',
    ])
      await expect(
        usage.database.app.withTenant('t', (tx) => tx.execute(`DELETE FROM ${table}`)),
      ).rejects.toMatchObject({ code: '42501' });
    await expect(
      usage.database.app.transaction((tx) => tx.query("SELECT make_usage_month('2030-01-01')")),
    ).rejects.toMatchObject({ code: '42501' });
  });
});
