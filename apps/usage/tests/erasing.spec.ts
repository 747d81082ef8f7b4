import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeEvent, newId } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { type RunningUsage, runUsage } from './usage-harness.ts';
import { usageEvent } from './usage-events.ts';

let usage: RunningUsage;
beforeAll(async () => {
  usage = await runUsage();
});
afterAll(() => usage.close());

const TABLES = ['llm_calls', 'llm_rollups', 'tenants', 'charges', 'credit_grants', 'credit_accounts'];

async function rowsOf(tenantId: string): Promise<number> {
  const counts = TABLES.map((table) => `SELECT count(*) AS n FROM ${table} WHERE tenant_id = $1`).join(' UNION ALL ');
  return (await usage.ask<{ n: string }>(counts, [tenantId])).reduce((sum, { n }) => sum + Number(n), 0);
}

async function fill(tenantId: string, calls: number): Promise<void> {
  await usage.charges.reserveCharge({ tenantId, livemode: true, runId: newId('thread'), charge: 'list.build' });
  await usage.publish(...Array.from({ length: calls }, () => usageEvent({ tenantId, usage: { user: 'ann' } })));
  await usage.stored(tenantId, calls);
}

describe('erasing a tenant', () => {
  it('leaves nothing of it, everything of others, and is safe to repeat', async () => {
    const [leaver, stayer] = [usage.makeTenant(), usage.makeTenant()];
    await fill(leaver.tenantId, 50);
    await fill(stayer.tenantId, 5);
    const before = await rowsOf(stayer.tenantId);
    expect(await usage.tenancy.eraseTenant({ tenantId: leaver.tenantId })).toMatchObject({ finished: true });
    expect(await rowsOf(leaver.tenantId)).toBe(0);
    expect(await usage.tenancy.eraseTenant({ tenantId: leaver.tenantId })).toMatchObject({ finished: true });
    expect(await rowsOf(stayer.tenantId)).toBe(before);
  });

  it('while its calls still come in leaves nothing: what comes later is dropped', async () => {
    const leaver = usage.makeTenant();
    const events = Array.from({ length: 600 }, () => usageEvent({ tenantId: leaver.tenantId }));
    const publishing = (async () => {
      for (const event of events) await usage.publish(event);
    })();
    await eventually(
      () => rowsOf(leaver.tenantId),
      (rows) => rows > 0,
      30_000,
    );
    expect(await usage.tenancy.eraseTenant({ tenantId: leaver.tenantId })).toMatchObject({ finished: true });
    expect(await rowsOf(leaver.tenantId)).toBe(0);
    await publishing;
    const other = usage.makeTenant();
    await usage.publish(usageEvent({ tenantId: other.tenantId }));
    await usage.stored(other.tenantId, 1);
    expect(await rowsOf(leaver.tenantId)).toBe(0);
  }, 60_000);

  it('is not undone by a late word of tenancy or a late charge', async () => {
    const leaver = usage.makeTenant();
    await fill(leaver.tenantId, 1);
    await usage.tenancy.eraseTenant({ tenantId: leaver.tenantId });
    const { tenantId, livemode } = leaver;
    await usage.publish(
      encodeEvent(
        'tenantChanged',
        { tenantId, livemode },
        { revision: 9n, plan: 'team', status: 'deleting', burst: 1, monthlyCredits: 5n },
      ),
    );
    await expect(
      usage.charges.reserveCharge({ tenantId, livemode: true, runId: newId('thread'), charge: 'list.build' }),
    ).rejects.toMatchObject({ code: 'not_found' });
    const other = usage.makeTenant();
    await fill(other.tenantId, 1);
    expect(await rowsOf(tenantId)).toBe(0);
  });

  it('that has begun lets nothing be reserved any more, before its last row is gone', async () => {
    const { tenantId } = usage.makeTenant();
    await fill(tenantId, 1);
    await usage.ask('INSERT INTO closed_tenants (tenant_id) VALUES ($1)', [tenantId]);
    const before = await rowsOf(tenantId);
    await expect(
      usage.charges.reserveCharge({ tenantId, livemode: true, runId: newId('thread'), charge: 'list.build' }),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(await rowsOf(tenantId)).toBe(before);
  });

  it('is for tenancy alone', async () => {
    const { rpcClient } = await import('@cairn/service-kit');
    const { UsageErasureService } = await import('@cairn/contracts');
    const client = rpcClient(UsageErasureService, usage.grpcAddress, usage.identities.serviceTokens('research'));
    await expect(client.eraseTenant({ tenantId: newId('tenant') })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    client.close();
  });
});
