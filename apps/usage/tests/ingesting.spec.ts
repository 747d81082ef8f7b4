import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { EventSchema, LlmUsageSchema, newId } from '@cairn/contracts';
import { DEAD_LETTER_STREAM } from '@cairn/events';
import { eventually } from '@cairn/testing';
import { createMonthPartitions } from '../src/months/partitions.ts';
import { clusterClosedPartitions } from '../src/rollups/cluster-closed-partitions.ts';
import { rebuildRollups } from '../src/rollups/rebuild-rollups.ts';
import { type RunningUsage, runUsage } from './usage-harness.ts';
import { usageEvent } from './usage-events.ts';

let usage: RunningUsage;
beforeAll(async () => {
  usage = await runUsage();
});
afterAll(() => usage.close());

const deadLetters = async () => (await usage.bus.manager.streams.info(DEAD_LETTER_STREAM)).state.messages;

/** An event that no service makes. */
function crooked(change: { eventId?: string; at?: Date; usage?: object }) {
  const tenantId = newId('tenant');
  const eventId = change.eventId ?? newId('event');
  const usagePayload = create(LlmUsageSchema, { provider: 'acme', model: 'plain', ...change.usage });
  const event = create(EventSchema, {
    eventId,
    tenantId,
    livemode: true,
    occurredAt: timestampFromDate(change.at ?? new Date()),
    payload: { case: 'llmUsage', value: usagePayload },
  });
  return {
    tenantId,
    eventId: newId('event'),
    subject: `cairn.event.usage.llm.called.${tenantId}._._`,
    payload: toBinary(EventSchema, event),
  };
}

describe('an event that cannot be', () => {
  it.each<[string, Parameters<typeof crooked>[0]]>([
    ['an id that nobody made', { eventId: 'evt_1' }],
    ['a time before there was usage', { at: new Date('1970-01-01T00:00:00Z') }],
    ['a time that is far', { at: new Date('2150-01-01T00:00:00Z') }],
    ['more tokens than any call has', { usage: { inputTokens: 2_000_000_000n } }],
    ['no model', { usage: { model: '' } }],
    ['an id without end', { usage: { memoryId: 'x'.repeat(10_000) } }],
    ['a NUL character', { usage: { user: 'a\0b' } }],
  ])('with %s becomes a dead letter, and what comes beside it is counted', async (_what, change) => {
    const before = await deadLetters();
    const caller = usage.makeTenant();
    await usage.publish(usageEvent({ tenantId: caller.tenantId }), crooked(change), usageEvent(caller));
    await usage.stored(caller.tenantId, 2);
    await eventually(deadLetters, (after) => after === before + 1);
  });
});

it('keeps what a provider said up to four kilobytes, and counts a call that says more without it', async () => {
  const caller = usage.makeTenant();
  const long = JSON.stringify({ note: 'x'.repeat(5_000) });
  const short = JSON.stringify({ prompt_tokens: 1 });
  await usage.publish(
    usageEvent({ tenantId: caller.tenantId, usage: { rawUsage: long, purpose: 'long' } }),
    usageEvent({ tenantId: caller.tenantId, usage: { rawUsage: short, purpose: 'short' } }),
  );
  await usage.stored(caller.tenantId, 2);
  const rows = await usage.ask('SELECT purpose, raw_usage FROM llm_calls WHERE tenant_id = $1 ORDER BY purpose', [
    caller.tenantId,
  ]);
  expect(rows).toEqual([
    { purpose: 'long', raw_usage: null },
    { purpose: 'short', raw_usage: short },
  ]);
});

it('adds tokens that were counted beside their total to it, instead of losing the call', async () => {
  const caller = usage.makeTenant();
  const tokens = { inputTokens: 10n, cachedInputTokens: 90n, outputTokens: 5n, reasoningTokens: 20n };
  await usage.publish(usageEvent({ tenantId: caller.tenantId, usage: tokens }));
  await usage.stored(caller.tenantId, 1);
  const { totals } = (await usage.call(caller, '/api/v1/usage/llm')).body;
  expect(totals).toMatchObject({ input_tokens: 100, output_tokens: 25, reasoning_tokens: 20, cached_input_tokens: 90 });
});

describe('months', () => {
  const partitions = async () =>
    (
      await usage.ask<{ name: string }>(
        "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'llm_rollups'::regclass ORDER BY 1",
      )
    ).map(({ name }) => name);

  it('have their partitions three months ahead, made once by however many replicas', async () => {
    const months = Array.from({ length: 4 }, () => createMonthPartitions(usage.database.worker));
    await Promise.all(months.map((each) => each.ensureAhead(new Date('2031-11-30T23:59:59Z'))));
    expect((await partitions()).filter((name) => /_203[12]_/.test(name))).toEqual([
      'llm_rollups_2031_11',
      'llm_rollups_2031_12',
      'llm_rollups_2032_01',
      'llm_rollups_2032_02',
    ]);
  });

  it('that are long over get theirs when a call of then comes late', async () => {
    const caller = usage.makeTenant();
    await usage.publish(usageEvent({ tenantId: caller.tenantId, at: new Date('2024-02-29T12:00:00Z') }));
    await usage.stored(caller.tenantId, 1);
    expect(await partitions()).toContain('llm_rollups_2024_02');
    const { series } = (await usage.call(caller, '/api/v1/usage/llm?from=2024-02-29&to=2024-02-29')).body;
    expect(series.map(({ key, cost_usd }) => [key, cost_usd])).toEqual([['2024-02-29', null]]);
  });

  it('have row-level security on every partition, also for who asks it by name', async () => {
    const open = await usage.ask(
      `SELECT relname FROM pg_class JOIN pg_inherits ON inhrelid = oid
        WHERE inhparent IN ('llm_calls'::regclass, 'llm_rollups'::regclass) AND NOT (relrowsecurity AND relforcerowsecurity)`,
    );
    expect(open).toEqual([]);
    const seen = await usage.database.app.withTenant(newId('tenant'), (tx) =>
      tx.query('SELECT 1 FROM llm_rollups_2024_02'),
    );
    expect(seen).toEqual([]);
  });
});

describe('a month that is over', () => {
  it('is put in order once, after which it reads the same and takes late calls', async () => {
    const caller = usage.makeTenant();
    const at = new Date('2025-05-10T12:00:00Z');
    await usage.publish(...Array.from({ length: 20 }, () => usageEvent({ tenantId: caller.tenantId, at })));
    await usage.stored(caller.tenantId, 20);
    const read = async () => (await usage.call(caller, '/api/v1/usage/llm?from=2025-05-01&to=2025-05-31')).body;
    const before = await read();
    const deps = { maintenanceDatabase: usage.database.worker, now: () => new Date('2025-06-03T00:00:00Z') };
    expect(await clusterClosedPartitions(deps)).toBeGreaterThan(0);
    expect(await clusterClosedPartitions(deps)).toBe(0);
    expect(await read()).toEqual(before);
    await usage.publish(usageEvent({ tenantId: caller.tenantId, at }));
    await usage.stored(caller.tenantId, 21);
    expect((await read()).totals.calls).toBe(21);
  });
});

describe('rebuilding', () => {
  it('finds a roll-up that was changed, one that is missing and one too many; rebuilding corrects them', async () => {
    const caller = usage.makeTenant();
    const { tenantId } = caller;
    await usage.publish(
      usageEvent({ tenantId, usage: { workspaceId: 'ws_1', user: 'ann' } }),
      usageEvent({ tenantId, usage: { model: 'small' } }),
    );
    await usage.stored(tenantId, 2);
    const request = { fromMonth: null, toMonth: null, tenantId, check: true };
    const deps = { maintenanceDatabase: usage.database.worker };
    const whole = await rebuildRollups(deps, request);
    expect(whole).toMatchObject({ calls: 2, differingRows: 0 });
    await usage.ask(
      "UPDATE llm_rollups SET input_tokens = input_tokens + 1 WHERE tenant_id = $1 AND dimension = 'user'",
      [tenantId],
    );
    await usage.ask("DELETE FROM llm_rollups WHERE tenant_id = $1 AND id = 'ws_1'", [tenantId]);
    await usage.ask(
      `INSERT INTO llm_rollups SELECT tenant_id, 'space', 'spc_1', day, model, 1, 0, 1, 1, 0, 0, 0, 1, 0
         FROM llm_rollups WHERE tenant_id = $1 AND dimension = 'tenant' AND model = 'small'`,
      [tenantId],
    );
    const checked = await usage.operator.rebuildRollups({ tenantId, check: true });
    expect([checked.differingRows, checked.differences.length]).toEqual([4n, 4]);
    expect(await usage.operator.rebuildRollups({ tenantId })).toMatchObject({ differingRows: 4n });
    expect(await rebuildRollups(deps, request)).toEqual(whole);
  });

  it('tells of an account that its entries do not explain, and leaves it', async () => {
    const caller = usage.makeTenant(100);
    const { tenantId } = caller;
    await usage.charges.reserveCharge({ tenantId, livemode: true, runId: newId('thread'), charge: 'list.build' });
    await usage.ask('UPDATE credit_accounts SET settled = 5 WHERE tenant_id = $1', [tenantId]);
    const { differences } = await usage.operator.rebuildRollups({ tenantId });
    expect(differences).toHaveLength(1);
    expect(differences[0]).toContain(`${tenantId} credits of`);
    expect((await usage.operator.rebuildRollups({ tenantId })).differingRows).toBe(1n);
    await usage.ask('UPDATE credit_accounts SET settled = 0 WHERE tenant_id = $1', [tenantId]);
  });

  it.each(['2026', '2026-13', 'x'])('of the month %j is refused', async (fromMonth) => {
    await expect(usage.operator.rebuildRollups({ fromMonth })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
