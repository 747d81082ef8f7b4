import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { KeysService, type readRequests, type ResponseOf } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { addRequestCounts } from '../src/traffic/request-counts.ts';
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

describe('the requests of a tenant', () => {
  const NOW = new Date();
  const HOUR_MS = 3_600_000;
  const ago = (hours: number) => timestampFromDate(new Date(NOW.getTime() - hours * HOUR_MS));
  const bucket = (at: number, count: number) => Array.from({ length: 15 }, (_, n) => (n === at ? BigInt(count) : 0n));
  const group = (
    more: {
      keyId?: string;
      operation?: string;
      statusClass?: number;
      hours?: number;
      requests?: number;
      bucket?: number;
    } = {},
  ) => ({
    tenantId: tenant.live.tenantId,
    keyId: more.keyId ?? tenant.live.keyId,
    operation: more.operation ?? 'listMemories',
    statusClass: more.statusClass ?? 2,
    at: ago(more.hours ?? 0),
    requests: BigInt(more.requests ?? 10),
    durations: bucket(more.bucket ?? 6, more.requests ?? 10),
  });
  const reportRequests = (gatewayId: string, sequence: number, ...requests: ReturnType<typeof group>[]) =>
    keys.gateway.reportUsage({ gatewayId, sequence: BigInt(sequence), requests });
  const read = async (query = '', as = tenant.live) =>
    (await keys.call(as, 'GET', `/api/v1/usage/requests${query}`)).body as unknown as ResponseOf<typeof readRequests>;

  it('add up by hour, operation and credential, once for each report, with their errors and percentiles', async () => {
    tenant = await makeTenant(keys);
    const gateway = randomUUID();
    const first = [group(), group({ statusClass: 5, bucket: 9 }), group({ operation: 'searchMemory', keyId: 'key_2' })];
    await Promise.all(Array.from({ length: 3 }, () => reportRequests(gateway, 1, ...first)));
    await reportRequests(randomUUID(), 1, group(), group({ hours: 3, statusClass: 4 }));
    const byOperation = await read('?group_by=operation');
    expect(byOperation.totals).toEqual({
      requests: 50,
      client_errors: 10,
      server_errors: 10,
      p50_ms: 81.3,
      p95_ms: 875,
    });
    expect(byOperation.series.map(({ key, requests }) => [key, requests])).toEqual([
      ['listMemories', 40],
      ['searchMemory', 10],
    ]);
    const byHour = await read();
    expect(byHour.series.map(({ requests }) => requests)).toEqual([10, 40]);
    expect(byHour.series[1]!.key).toBe(
      new Date(Math.floor(NOW.getTime() / HOUR_MS) * HOUR_MS).toISOString().replace('.000Z', 'Z'),
    );
    expect((await read('?group_by=key')).series.map(({ key }) => key)).toEqual([tenant.live.keyId, 'key_2']);
    expect((await read('?group_by=day&status_class=5xx')).totals.requests).toBe(10);
    expect((await read('?key_id=key_2')).totals.requests).toBe(10);
    expect((await read(`?from=${new Date(NOW.getTime() - HOUR_MS).toISOString()}`)).totals.client_errors).toBe(0);
  });

  it('are nobody else’s, never in the future, and none of a tenant that is gone', async () => {
    const other = await makeTenant(keys);
    tenant = await makeTenant(keys);
    await reportRequests(randomUUID(), 1, group({ hours: -48 }), { ...group(), tenantId: 'tnt_gone' }, group());
    expect((await read('', other.live)).totals).toEqual({
      requests: 0,
      client_errors: 0,
      server_errors: 0,
      p50_ms: null,
      p95_ms: null,
    });
    expect((await read()).series.map(({ requests }) => requests)).toEqual([20]);
    await expect(
      reportRequests(randomUUID(), 1, ...Array.from({ length: 10_001 }, () => group())),
    ).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('go with their tenant when it is erased while a report is added', async () => {
    tenant = await makeTenant(keys);
    const { tenantId } = tenant.live;
    let erasing: Promise<unknown> = Promise.resolve();
    let isErased = false;
    await keys.database.worker.transaction(async (tx) => {
      await addRequestCounts(tx, [group() as never]);
      erasing = keys.tenancy.eraseKeys({ tenantId }).finally(() => {
        isErased = true;
      });
      await eventually(async () => {
        const waiting = await tx.query(
          'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))',
        );
        return isErased || waiting.length > 0;
      });
    });
    await erasing;
    const left = await keys.database.worker.transaction((tx) =>
      tx.query('SELECT tenant_id FROM request_counts WHERE tenant_id = $1', [tenantId]),
    );
    expect(left).toEqual([]);
  });

  it.each([
    ['?from=2026-11-23T10:00:00Z&to=2026-11-23T09:00:00Z', 'must be before to'],
    ['?from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'is more than 31 days before to'],
    ['?group_by=day&from=2020-01-01T00:00:00Z', 'is more than 92 days before to'],
  ])('are not read over %s', async (query, message) => {
    const { status, body } = await keys.call(tenant.live, 'GET', `/api/v1/usage/requests${query}`);
    expect([status, (body['errors'] as { message: string }[])[0]!.message]).toEqual([422, message]);
  });
});
