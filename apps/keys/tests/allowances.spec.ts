import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AllowanceService, KeyKind, newId } from '@cairn/contracts';
import { rpcClient, type RpcClient } from '@cairn/service-kit';
import { eventually } from '@cairn/testing';
import pg from 'pg';
import { type RunningKeys, runKeys, tenantRef } from './keys-harness.ts';

const MONTH = '2026-11';
let keys: RunningKeys;
let client: RpcClient<typeof AllowanceService>;
let database: pg.Client;
beforeAll(async () => {
  keys = await runKeys();
  client = rpcClient(AllowanceService, keys.grpcAddress, keys.identities.serviceTokens('gateway'));
  database = new pg.Client({ connectionString: keys.database.superuserUrl });
  await database.connect();
});
afterAll(async () => {
  client.close();
  await database.end();
  await keys.close();
});

async function tenantWith(monthlyRequests: bigint | undefined): Promise<string> {
  const tenantId = newId('tenant');
  const tenant = { ...tenantRef(tenantId)!, ...(monthlyRequests === undefined ? {} : { monthlyRequests }) };
  await keys.operator.mintKey({ tenant, name: 'first', kind: KeyKind.LIVE });
  return tenantId;
}

class Boot {
  readonly gatewayId = randomUUID();
  private sequence = 0n;

  async hold(tenantId: string, spent: number, hold: number, sequence = ++this.sequence) {
    const quotas = [{ tenantId, month: MONTH, spent: BigInt(spent), hold: BigInt(hold) }];
    const { gatewayId } = this;
    const response = await client.drawAllowances({ gatewayId, sequence, rates: [], quotas });
    const { held, left, limit, unlimited } = response.quotas[0]!;
    return { held: Number(held), left: Number(left), limit: Number(limit), unlimited };
  }

  settle(tenantId: string, spent: number) {
    const quotas = [{ tenantId, month: MONTH, spent: BigInt(spent), hold: BigInt(spent) }];
    return client.settleHolds({ gatewayId: this.gatewayId, quotas });
  }
}

const endHolds = (boot: Boot) =>
  database.query("UPDATE keys.quota_holds SET expires_at = now() - interval '1 second' WHERE gateway_id = $1", [
    boot.gatewayId,
  ]);

describe('a monthly quota', () => {
  it('is given out to the last request and not one more, whoever asks at the same time', async () => {
    const tenantId = await tenantWith(1_000n);
    const boots = Array.from({ length: 8 }, () => new Boot());
    const held = new Map<Boot, number>();
    for (let round = 0; round < 10; round += 1) {
      const responses = await Promise.all(
        boots.map((boot, n) => boot.hold(tenantId, held.get(boot) ?? 0, (held.get(boot) ?? 0) + 7 + n * 5)),
      );
      for (const [n, response] of responses.entries()) held.set(boots[n]!, response.held);
      expect([...held.values()].reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1_000);
    }
    expect([...held.values()].reduce((sum, each) => sum + each, 0)).toBe(1_000);
    expect((await boots[0]!.hold(tenantId, 0, 10_000)).left).toBe(0);
  });

  it('takes back what is given back, keeps what is held, and goes by the latest draw only', async () => {
    const tenantId = await tenantWith(100n);
    const [a, b] = [new Boot(), new Boot()];
    expect(await a.hold(tenantId, 0, 80)).toMatchObject({ held: 80, left: 20, limit: 100 });
    expect(await b.hold(tenantId, 0, 80)).toMatchObject({ held: 20, left: 0 });
    expect(await a.hold(tenantId, 30, 30)).toMatchObject({ held: 30, left: 50 });
    expect(await b.hold(tenantId, 20, 90)).toMatchObject({ held: 70, left: 0 });
    // Overtaken on its way: it would take back what was drawn since.
    expect(await b.hold(tenantId, 0, 20, 1n)).toMatchObject({ held: 70 });
    expect(await b.hold(tenantId, 20, 10)).toMatchObject({ held: 20, left: 50 });
  });

  it('a plan that is lowered grants nothing more, and takes back nothing that is held', async () => {
    const tenantId = await tenantWith(100n);
    const boot = new Boot();
    await boot.hold(tenantId, 0, 60);
    const tenant = { ...tenantRef(tenantId)!, monthlyRequests: 50n, revision: 2n };
    await keys.tenancy.applyTenant({ tenant });
    expect(await boot.hold(tenantId, 10, 70)).toMatchObject({ held: 60, left: 0, limit: 50 });
    expect(await boot.hold(tenantId, 10, 20)).toMatchObject({ held: 20, left: 30 });
  });

  it('a boot that is gone settles when its hold has ended: what it noted is spent, the rest comes back', async () => {
    const tenantId = await tenantWith(100n);
    const [gone, next] = [new Boot(), new Boot()];
    await gone.hold(tenantId, 0, 90);
    await gone.hold(tenantId, 40, 90);
    expect(await gone.settle(tenantId, 55)).toMatchObject({ settled: false });
    expect(await next.hold(tenantId, 0, 100)).toMatchObject({ held: 10 });
    await endHolds(gone);
    expect(await gone.settle(tenantId, 55)).toMatchObject({ settled: true });
    expect(await next.hold(tenantId, 10, 100)).toMatchObject({ held: 45, left: 0 });
    // Said again, or by one who has lost its notes, it changes nothing.
    expect(await gone.settle(tenantId, 0)).toMatchObject({ settled: true });
    expect(await next.hold(tenantId, 10, 100)).toMatchObject({ held: 45, left: 0 });
  });

  it('a boot that is gone settles more tenants at once than one draw may name', async () => {
    const tenantId = await tenantWith(100n);
    const [gone, next] = [new Boot(), new Boot()];
    await gone.hold(tenantId, 0, 90);
    await endHolds(gone);
    const others = Array.from({ length: 10_000 }, () => newId('tenant'));
    const quotas = [tenantId, ...others].map((tenant) => ({ tenantId: tenant, month: MONTH, spent: 40n, hold: 40n }));
    expect(await client.settleHolds({ gatewayId: gone.gatewayId, quotas })).toMatchObject({ settled: true });
    expect(await next.hold(tenantId, 0, 100)).toMatchObject({ held: 60, left: 0 });
  });

  it('has no bound for a plan without one, and nothing for a tenant that nobody knows', async () => {
    expect(await new Boot().hold(await tenantWith(undefined), 0, 5)).toMatchObject({ unlimited: true });
    expect(await new Boot().hold(newId('tenant'), 0, 5)).toMatchObject({ unlimited: false, held: 0, limit: 0 });
  });

  it('goes with its tenant, and a gateway that still draws does not bring it back', async () => {
    const tenantId = await tenantWith(100n);
    const boot = new Boot();
    await boot.hold(tenantId, 0, 60);
    await keys.tenancy.eraseKeys({ tenantId });
    expect(await boot.hold(tenantId, 10, 60)).toMatchObject({ unlimited: false, held: 0, limit: 0, left: 0 });
    const left = await database.query(
      'SELECT tenant_id FROM keys.quota_months WHERE tenant_id = $1 UNION ALL SELECT tenant_id FROM keys.quota_holds WHERE tenant_id = $1',
      [tenantId],
    );
    expect(left.rows).toEqual([]);
  });
});

describe('a rate', () => {
  const draw = async (keyId: string, want: number) => {
    const rates = [{ keyId, requestsPerSecond: 0.01, burst: 50, want }];
    const response = await client.drawAllowances({ gatewayId: 'gw', sequence: 1n, rates, quotas: [] });
    return response.rates[0]!;
  };

  it('grants a burst once, however many draw at the same time, and reports the time until the next', async () => {
    const keyId = newId('key');
    const grants = await Promise.all(Array.from({ length: 40 }, () => draw(keyId, 3)));
    expect(grants.reduce((sum, grant) => sum + grant.granted, 0)).toBe(50);
    const after = await draw(keyId, 3);
    expect(after).toMatchObject({ granted: 0, left: 0 });
    expect(after.waitMs).toBeGreaterThan(90_000);
    expect(after.waitMs).toBeLessThanOrEqual(100_000);
  });

  it('batches about the same keys do not wait for each other in a circle', async () => {
    const ids = Array.from({ length: 50 }, () => newId('key'));
    const rates = ids.map((keyId) => ({ keyId, requestsPerSecond: 10, burst: 100, want: 1 }));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        client.drawAllowances({
          gatewayId: `gw_${n}`,
          sequence: 1n,
          rates: n % 2 === 0 ? rates : rates.toReversed(),
          quotas: [],
        }),
      ),
    );
  });
});

const GOOD_RATE = { keyId: 'k', requestsPerSecond: 1, burst: 1, want: 1 };

describe('an entry of a draw that cannot be given', () => {
  const POISON = [
    { requestsPerSecond: 5e-324 },
    { requestsPerSecond: 0 },
    { requestsPerSecond: NaN },
    { requestsPerSecond: Infinity },
    { burst: 1e308 },
    { burst: NaN },
    { burst: 0 },
    { want: 4_000_000_000 },
    { keyId: 'no text\0of PostgreSQL' },
  ];

  it.each(POISON)('%j fails no other rate and no quota', async (poison) => {
    const tenantId = await tenantWith(100n);
    const ids = Array.from({ length: 9 }, () => newId('key'));
    const good = ids.map((keyId) => ({ keyId, requestsPerSecond: 10, burst: 100, want: 3 }));
    const rates = [...good.slice(0, 4), { ...GOOD_RATE, keyId: newId('key'), ...poison }, ...good.slice(4)];
    const quotas = [
      { tenantId: 'no text\0of PostgreSQL', month: MONTH, spent: 0n, hold: 1n },
      { tenantId, month: MONTH, spent: 0n, hold: 7n },
      { tenantId, month: '2026-13', spent: 0n, hold: 1n },
    ];
    const response = await client.drawAllowances({ gatewayId: randomUUID(), sequence: 1n, rates, quotas });
    const given = new Map(response.rates.map((rate) => [rate.keyId, rate.granted]));
    expect(ids.map((keyId) => given.get(keyId))).toEqual(ids.map(() => 3));
    expect(response.quotas.map((quota) => [quota.tenantId, quota.held])).toEqual([[tenantId, 7n]]);
  });

  it('of a rate below every bound is given its burst, and a bucket that owed for ever is paid off', async () => {
    const keyId = newId('key');
    await database.query('INSERT INTO keys.rate_buckets VALUES ($1, $2)', [keyId, 1e300]);
    const rates = [{ keyId, requestsPerSecond: 1_000, burst: 1, want: 1 }];
    const draw = () => client.drawAllowances({ gatewayId: 'gw', sequence: 1n, rates, quotas: [] });
    const { rates: given } = await eventually(draw, (response) => response.rates[0]!.granted === 1);
    expect(given[0]!.granted).toBe(1);
  });
});

describe('a draw that makes no sense', () => {
  it.each([
    ['without a gateway', { gatewayId: '' }],
    ['with too many entries', { rates: Array.from({ length: 10_001 }, () => GOOD_RATE) }],
  ])('%s is refused', async (_name, wrong) => {
    const request = { gatewayId: 'gw', sequence: 1n, rates: [], quotas: [], ...wrong };
    await expect(client.drawAllowances(request)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('from a service that is no gateway is refused', async () => {
    const other = rpcClient(AllowanceService, keys.grpcAddress, keys.identities.serviceTokens('tenancy'));
    await expect(other.drawAllowances({ gatewayId: 'gw', sequence: 1n, rates: [], quotas: [] })).rejects.toMatchObject({
      code: expect.stringMatching(/identity_invalid|permission_denied/),
    });
    other.close();
  });
});
