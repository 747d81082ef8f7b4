import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  AllowanceService,
  type Credential,
  Denial,
  encodeEvent,
  KeyKind,
  KeysOperatorService,
  KeysService,
  newId,
} from '@cairn/contracts';
import { connectEventBus, type EventBus, publishEvent } from '@cairn/events';
import { digestOf } from '@cairn/identity';
import { rpcClient } from '@cairn/service-kit';
import { eventually, testIdentity } from '@cairn/testing';
import pg from 'pg';
import { makeTenant, resolve, type RunningKeys, runKeys, type Tenant, tenantRef } from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
let bus: EventBus;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
  bus = await connectEventBus({ natsUrl: keys.nats.url, name: 'spec' });
});
afterAll(async () => {
  await bus.close();
  await keys.close();
});

async function mintBelow(body: object): Promise<{ keyId: string; plaintext: string }> {
  const response = await keys.call(tenant.live, 'POST', '/api/v1/api-keys', { name: 'x', ...body });
  return { keyId: response.body['key_id'] as string, plaintext: response.body['api_key'] as string };
}

describe('a credential', () => {
  it('that is valid resolves to everything the gateway decides by', async () => {
    const { keyId, plaintext } = await mintBelow({
      scopes: ['memory:search', 'usage:read'],
      app_permissions: { memory: ['read'], usage: ['read'] },
      ip_allowlist: ['10.0.0.0/8'],
      expires_at: '2999-01-01T00:00:00Z',
    });
    expect(await resolve(keys, plaintext)).toMatchObject({
      keyId,
      tenantId: tenant.tenantId,
      livemode: true,
      kind: KeyKind.LIVE,
      scopes: ['memory:search', 'usage:read'],
      appPermissions: expect.arrayContaining([
        expect.objectContaining({ app: 'memory', actions: ['read'] }),
        expect.objectContaining({ app: 'usage', actions: ['read'] }),
      ]),
      ipAllowlist: ['10.0.0.0/8'],
      memoryId: '',
      spaceId: '',
      rateLimit: { requestsPerSecond: 50, burst: 100 },
      expiresAt: { seconds: BigInt(Date.parse('2999-01-01T00:00:00Z') / 1000) },
    });
  });

  it('that nobody made, or that differs in one character, is unknown', async () => {
    const { plaintext } = await mintBelow({});
    expect(await resolve(keys, `${plaintext}x`)).toBe(Denial.UNKNOWN);
    expect(await resolve(keys, plaintext.toLowerCase())).toBe(Denial.UNKNOWN);
    expect(await resolve(keys, '')).toBe(Denial.UNKNOWN);
  });

  it('is expired from its last millisecond on', async () => {
    const at = Date.now() + 3_600_000;
    const { plaintext } = await mintBelow({ expires_at: new Date(at).toISOString() });
    for (const [now, expected] of [
      [at - 1, { $typeName: 'cairn.keys.v1.Credential' }],
      [at, Denial.EXPIRED],
      [at + 1, Denial.EXPIRED],
    ] as const) {
      keys.setTime(new Date(now));
      const found = await resolve(keys, plaintext);
      keys.setTime(null);
      expect(found).toEqual(typeof expected === 'number' ? expected : expect.objectContaining(expected));
    }
  });

  it('that was revoked is revoked, also when it has expired since', async () => {
    const { keyId, plaintext } = await mintBelow({ type: 'ephemeral' });
    await keys.database.worker.transaction((tx) =>
      tx.execute('UPDATE api_keys SET revoked_at = now() WHERE key_id = $1', [keyId]),
    );
    expect(await resolve(keys, plaintext)).toBe(Denial.REVOKED);
    keys.setTime(new Date(Date.now() + 48 * 3_600_000));
    expect(await resolve(keys, plaintext)).toBe(Denial.REVOKED);
    keys.setTime(null);
  });
});

/** Connections of this service that wait for somebody's lock. */
async function waitingForLocks(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND application_name = 'keys-worker' AND datname = current_database()`,
  );
  return rows[0]!.waiting;
}

describe('a flood of digests that nobody has', () => {
  const UNKNOWN = 600;

  it('takes one connection and a few transactions: keys in use, draws and leases do not wait for it', async () => {
    const { keyId, plaintext } = await mintBelow({});
    const known = digestOf(plaintext);
    const client = rpcClient(AllowanceService, keys.grpcAddress, keys.identities.serviceTokens('gateway'));
    const database = new pg.Client({ connectionString: keys.database.superuserUrl });
    await database.connect();
    // What is no key may be a token: these lookups wait here, as long as they like.
    await database.query('BEGIN');
    await database.query('LOCK TABLE keys.oauth_tokens IN ACCESS EXCLUSIVE MODE');
    const flood = Promise.allSettled(
      Array.from({ length: UNKNOWN }, () => keys.gateway.resolve({ sha256: randomBytes(32) }, { timeoutMs: 60_000 })),
    );
    try {
      const waiting = await eventually(
        () => waitingForLocks(database),
        (count) => count > 0,
      );
      expect(waiting).toBe(1);
      const rates = [{ keyId, requestsPerSecond: 1, burst: 10, want: 1 }];
      const [resolved, drawn, renewed] = await Promise.all([
        keys.gateway.resolve({ sha256: known, seenGood: true }),
        client.drawAllowances({ gatewayId: 'gw', sequence: 1n, rates, quotas: [] }),
        keys.gateway.renewLease({ gatewayId: 'gw_flooded', address: '127.0.0.1:1', joining: true }),
      ]);
      expect(resolved.result).toMatchObject({ case: 'credential', value: { keyId } });
      expect(drawn.rates[0]!.granted).toBe(1);
      expect(renewed.granted).toBe(true);
      expect(await waitingForLocks(database)).toBe(1);
    } finally {
      await database.query('COMMIT');
      // Nothing listens there: later invalidations would wait for its expiry.
      await database.query("DELETE FROM keys.gateway_leases WHERE gateway_id = 'gw_flooded'");
      await database.end();
      client.close();
    }
    const denials = (await flood).map((each) => (each.status === 'fulfilled' ? each.value.result.value : each.reason));
    expect(new Set(denials)).toEqual(new Set([Denial.UNKNOWN]));
  }, 60_000);

  it('and valid ones among them are told apart', async () => {
    const { plaintext } = await mintBelow({});
    const digests = Array.from({ length: 50 }, (_, n) => (n % 10 === 0 ? digestOf(plaintext) : randomBytes(32)));
    const results = await Promise.all(digests.map((sha256) => keys.gateway.resolve({ sha256 })));
    expect(results.map(({ result }) => result.case)).toEqual(
      digests.map((_, n) => (n % 10 === 0 ? 'credential' : 'denial')),
    );
  });
});

describe('who may ask', () => {
  const sha256 = digestOf('x');

  it.each(['keys', 'tenancy', 'memory', 'operator'] as const)('resolving is not for the %s', async (service) => {
    const resolved = keys.as(service, KeysService, (client) => client.resolve({ sha256 }));
    await expect(resolved).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it.each(['keys', 'tenancy', 'memory', 'gateway'] as const)('minting is not for the %s', async (service) => {
    const request = { tenant: tenantRef(newId('tenant')), name: 'x', kind: KeyKind.LIVE };
    const minted = keys.as(service, KeysOperatorService, (client) => client.mintKey(request));
    await expect(minted).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('neither is for a tenant, whatever it may do', async () => {
    const onBehalfOf = await keys.identities.token(testIdentity(), 'memory');
    const resolved = keys.as('memory', KeysService, (client) => client.resolve({ sha256 }, { onBehalfOf }));
    await expect(resolved).rejects.toMatchObject({ code: 'permission_denied' });
    const request = { tenant: tenantRef(newId('tenant')), name: 'x', kind: KeyKind.LIVE };
    const minted = keys.as('memory', KeysOperatorService, (client) => client.mintKey(request, { onBehalfOf }));
    await expect(minted).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('nor is it for somebody without a valid token', async () => {
    for (const token of ['', 'forged']) {
      const otherTenant = rpcClient(KeysService, keys.grpcAddress, async () => token);
      await expect(otherTenant.resolve({ sha256 })).rejects.toMatchObject({ code: 'identity_invalid' });
      otherTenant.close();
    }
  });

  it('a digest of another length is refused', async () => {
    await expect(keys.gateway.resolve({ sha256: Buffer.alloc(31) })).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});

describe('the operator’s minting', () => {
  it('of a further key for a tenant or its test tenant replaces those that were all revoked', async () => {
    const { tenantId, testTenantId, live, liveKey } = await makeTenant(keys);
    await keys.call(live, 'DELETE', `/api/v1/api-keys/${live.keyId}`);
    expect(await resolve(keys, liveKey)).toBe(Denial.REVOKED);
    const mint = (kind: KeyKind, id = tenantId) => keys.operator.mintKey({ tenantId: id, name: 'new', kind });
    const found = await resolve(keys, (await mint(KeyKind.LIVE)).apiKey);
    expect(found).toMatchObject({ tenantId, livemode: true, rateLimit: { requestsPerSecond: 50 } });
    expect((found as Credential).scopes).toContain('keys:write');
    expect(await resolve(keys, (await mint(KeyKind.TEST)).apiKey)).toMatchObject({
      tenantId: testTenantId,
      livemode: false,
    });
    for (const id of [testTenantId, newId('tenant')])
      await expect(mint(KeyKind.LIVE, id)).rejects.toMatchObject({ code: 'not_found' });
    await keys.tenancy.applyTenant({ tenant: { ...tenantRef(tenantId)!, revision: 2n, status: 'deleting' } });
    await expect(mint(KeyKind.LIVE)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('limits an ephemeral key to 24 hours, too', async () => {
    const { apiKey } = await keys.operator.mintKey({
      tenant: tenantRef(tenant.tenantId),
      name: 'brief',
      kind: KeyKind.EPHEMERAL,
    });
    keys.setTime(new Date(Date.now() + 24 * 3_600_000 + 1_000));
    expect(await resolve(keys, apiKey)).toBe(Denial.EXPIRED);
    keys.setTime(null);
  });

  it.each<[string, Parameters<typeof keys.operator.mintKey>[0]]>([
    ['without a tenant', { name: 'x', kind: KeyKind.LIVE }],
    ['without the tenant’s id', { tenant: tenantRef(''), name: 'x', kind: KeyKind.LIVE }],
    [
      'with a tenant and the id of one',
      { tenant: tenantRef('tnt_x'), tenantId: 'tnt_x', name: 'x', kind: KeyKind.LIVE },
    ],
    ['without a name', { tenant: tenantRef('tnt_x'), name: ' ', kind: KeyKind.LIVE }],
    ['without a kind', { tenant: tenantRef('tnt_x'), name: 'x' }],
    ['of a memory key, which needs a memory', { tenant: tenantRef('tnt_x'), name: 'x', kind: KeyKind.MEMORY }],
    ['of a live key for a test tenant', { tenant: tenantRef('tnt_x', 'tnt_y'), name: 'x', kind: KeyKind.LIVE }],
    ['of a test key for a live tenant', { tenant: tenantRef('tnt_x'), name: 'x', kind: KeyKind.TEST }],
  ])('is refused %s', async (_what, request) => {
    await expect(keys.operator.mintKey(request)).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('what tenancy says of a tenant', () => {
  const say = (tenantId: string, revision: bigint, change: { requestsPerSecond?: number; status?: string }) =>
    publishEvent(
      bus,
      encodeEvent(
        'tenantChanged',
        { tenantId, livemode: true },
        { revision, plan: 'team', status: 'active', requestsPerSecond: 50, burst: 100, twinOf: '', ...change },
      ),
    );
  const rate = async (plaintext: string) => {
    const found = await resolve(keys, plaintext);
    return typeof found === 'object' ? found.rateLimit?.requestsPerSecond : found;
  };

  it('changes the limits of its keys', async () => {
    const { tenantId, liveKey } = await makeTenant(keys);
    await say(tenantId, 2n, { requestsPerSecond: 500 });
    await eventually(
      () => rate(liveKey),
      (found) => found === 500,
    );
  });

  it('that is older than what is known is ignored', async () => {
    const { tenantId, liveKey } = await makeTenant(keys);
    await say(tenantId, 7n, { requestsPerSecond: 70 });
    await say(tenantId, 6n, { requestsPerSecond: 60 });
    await say(tenantId, 7n, { requestsPerSecond: 71 });
    // One durable consumer handles events in order: once the last one is done, so are those before it.
    const other = await makeTenant(keys);
    await say(other.tenantId, 2n, { requestsPerSecond: 9 });
    await eventually(
      () => rate(other.liveKey),
      (found) => found === 9,
    );
    expect(await rate(liveKey)).toBe(70);
  });

  it('shuts its keys out while it is suspended, and lets them in again', async () => {
    const { tenantId, liveKey } = await makeTenant(keys);
    await say(tenantId, 2n, { status: 'suspended' });
    await eventually(
      () => resolve(keys, liveKey),
      (found) => found === Denial.TENANT_SUSPENDED,
    );
    await keys.operator.mintKey({ tenant: tenantRef(tenantId), name: 'late', kind: KeyKind.LIVE });
    expect(await resolve(keys, liveKey)).toBe(Denial.TENANT_SUSPENDED);
    await say(tenantId, 3n, { status: 'active' });
    await eventually(
      () => rate(liveKey),
      (found) => found === 50,
    );
  });
});
