import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { KeysService } from '@cairn/contracts';
import { makeTenant, type RunningKeys, runKeys, type Tenant } from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
});
afterAll(() => keys.close());

const used = (keyId: string, count: number, at: string) => ({
  keyId,
  count: BigInt(count),
  lastUsedAt: timestampFromDate(new Date(at)),
});
const report = (gatewayId: string, sequence: number, ...usage: ReturnType<typeof used>[]) =>
  keys.gateway.reportUsage({ gatewayId, sequence: BigInt(sequence), usage });
const shown = async (keyId: string) => {
  const { body } = await keys.call(tenant.live, 'GET', `/api/v1/api-keys/${keyId}`);
  return [body['usage_count'], body['last_used_at']];
};

describe('the use of a key', () => {
  it('is added once for each report, however often that is sent, by several at once too', async () => {
    const { keyId } = (tenant = await makeTenant(keys)).live;
    const gateway = randomUUID();
    const first = used(keyId, 3, '2026-01-01T10:00:00Z');
    await Promise.all(Array.from({ length: 5 }, () => report(gateway, 1, first)));
    expect(await shown(keyId)).toEqual([3, '2026-01-01T10:00:00.000Z']);
    await report(gateway, 2, used(keyId, 2, '2026-01-01T11:00:00Z'));
    await report(gateway, 1, first);
    await report(gateway, 2, used(keyId, 2, '2026-01-01T11:00:00Z'));
    expect(await shown(keyId)).toEqual([5, '2026-01-01T11:00:00.000Z']);
  });

  it('adds up over gateways and boots, and was last when the latest says', async () => {
    const { keyId } = (tenant = await makeTenant(keys)).live;
    await report(randomUUID(), 1, used(keyId, 1, '2026-01-01T12:00:00Z'));
    await report(randomUUID(), 1, used(keyId, 1, '2026-01-01T09:00:00Z'), used(keyId, 4, '2026-01-01T08:00:00Z'));
    expect(await shown(keyId)).toEqual([6, '2026-01-01T12:00:00.000Z']);
  });

  it('is never in the future, whatever the clock of a gateway says', async () => {
    const { keyId } = (tenant = await makeTenant(keys)).live;
    await report(randomUUID(), 1, used(keyId, 1, '2999-01-01T00:00:00Z'));
    expect(Date.parse((await shown(keyId))[1] as string)).toBeLessThanOrEqual(Date.now());
  });

  it('of keys that are gone is no hindrance', async () => {
    const { keyId } = (tenant = await makeTenant(keys)).live;
    await report(randomUUID(), 1, used('key_gone', 1, '2026-01-01T12:00:00Z'), used(keyId, 1, '2026-01-01T12:00:00Z'));
    expect((await shown(keyId))[0]).toBe(1);
  });

  it('of the same keys, reported by many in another order, comes to the same', async () => {
    const [a, b] = [(tenant = await makeTenant(keys)).live.keyId, tenant.test.keyId];
    const at = '2026-01-01T12:00:00Z';
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => {
        const both = [used(a, 1, at), used(b, 1, at)];
        return report(randomUUID(), 1, ...(n % 2 === 0 ? both : both.toReversed()));
      }),
    );
    expect([(await shown(a))[0], (await shown(b))[0]]).toEqual([20, 20]);
  });
});

describe('a report', () => {
  it.each<[string, Parameters<RunningKeys['gateway']['reportUsage']>[0]]>([
    ['of nobody', { gatewayId: '', sequence: 1n }],
    ['without its sequence', { gatewayId: 'g' }],
    ['of too many keys', { gatewayId: 'g', sequence: 1n, usage: Array.from({ length: 10_001 }, () => ({})) }],
  ])('%s is refused', async (_what, request) => {
    await expect(keys.gateway.reportUsage(request)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it.each(['keys', 'tenancy', 'memory', 'operator'] as const)('is not for the %s to make', async (service) => {
    const reported = keys.as(service, KeysService, (client) => client.reportUsage({ gatewayId: 'g', sequence: 1n }));
    await expect(reported).rejects.toMatchObject({ code: 'permission_denied' });
  });
});

describe('a key whose row takes no more', () => {
  it('fails no other key of the same report, which is added once', async () => {
    const [broken, good] = [(await makeTenant(keys)).live, (tenant = await makeTenant(keys)).live];
    const most = '9223372036854775807';
    await keys.database.worker.transaction((tx) =>
      tx.execute('UPDATE api_keys SET usage_count = $2 WHERE key_id = $1', [broken.keyId, most]),
    );
    const gateway = randomUUID();
    const at = '2026-01-01T10:00:00Z';
    for (let sent = 0; sent < 2; sent += 1)
      await report(gateway, 1, used(broken.keyId, 1, at), used(good.keyId, 2, at));
    expect((await shown(good.keyId))[0]).toBe(2);
  });
});
