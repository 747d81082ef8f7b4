import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { type RunningUsage, runUsage } from './usage-harness.ts';

let usage: RunningUsage;
beforeAll(async () => {
  usage = await runUsage();
  usage.setTime(new Date('2026-11-20T15:00:00Z'));
});
afterAll(() => usage.close());

describe('the credits of a month', () => {
  it('as tenancy shows them are all that is spent or reserved, of what was granted', async () => {
    const caller = usage.makeTenant(1_000);
    const use = () => usage.creditUse.getCreditUse({ tenantId: caller.tenantId });
    expect(await use()).toMatchObject({ usedMicroCredits: 0n, grantedMicroCredits: 1_000_000_000n });
    const [kept, returned] = [newId('thread'), newId('thread')];
    for (const runId of [kept, returned])
      await usage.charges.reserveCharge({ tenantId: caller.tenantId, livemode: true, runId, charge: 'research.run' });
    expect((await use()).usedMicroCredits).toBe(50_000_000n);
    await usage.charges.settleCharge({ tenantId: caller.tenantId, runId: kept });
    await usage.charges.releaseCharge({ tenantId: caller.tenantId, runId: returned });
    const { usedMicroCredits, resetsAt } = await use();
    expect([usedMicroCredits, new Date(Number(resetsAt!.seconds) * 1_000).toISOString()]).toEqual([
      25_000_000n,
      '2026-12-01T00:00:00.000Z',
    ]);
  });

  it('are not said to others, nor of a tenant that does not exist', async () => {
    await expect(usage.creditUse.getCreditUse({ tenantId: newId('tenant') })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('prices of models', () => {
  it('are those in force now, in the order of the request, and unknown where nobody has said one', async () => {
    const { prices } = await usage.charges.priceModels({
      models: [
        { provider: 'acme', model: 'nobody-knows' },
        { provider: 'acme', model: 'plain' },
      ],
    });
    expect(prices.map(({ known }) => known)).toEqual([false, true]);
    expect(prices[1]!.input).toBeGreaterThan(0n);
  });
});
