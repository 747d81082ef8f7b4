import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Denial, newId, updateApiKey } from '@cairn/contracts';
import { keyClient } from './changing-keys.ts';
import {
  KNOWN_MEMORY,
  makeTenant,
  OTHER_MEMORY,
  resolve,
  type RunningKeys,
  runKeys,
  type Tenant,
} from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
let client: ReturnType<typeof keyClient>;
beforeAll(async () => {
  keys = await runKeys();
  client = keyClient(keys, () => tenant);
});
beforeEach(async () => {
  tenant = await makeTenant(keys);
});
afterAll(() => keys.close());

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('PATCH /api-keys/{key_id}', () => {
  it('changes what is named and leaves the rest; what resolves next is the change', async () => {
    const key = await client.mint({ scopes: ['memory:search', 'keys:read'] });
    const change = {
      name: 'renamed',
      scopes: ['memory:search'],
      app_permissions: { memory: ['read'] },
      ip_allowlist: ['10.0.0.0/8'],
      expires_at: inHours(5),
      rate_limit: { requests_per_second: 2, burst: 3 },
    };
    const before = (await client.read(key.keyId)).body;
    const answer = await client.change(key.keyId, change);
    expect(answer.status).toBe(200);
    expect(updateApiKey.response.schema.safeParse(answer.body).success).toBe(true);
    expect(answer.body).toEqual({ ...before, ...change });
    expect((await client.read(key.keyId)).body).toEqual(answer.body);
    expect(await resolve(keys, key.plaintext)).toMatchObject({
      scopes: ['memory:search'],
      appPermissions: [{ app: 'memory', actions: ['read'] }],
      ipAllowlist: ['10.0.0.0/8'],
      rateLimit: { requestsPerSecond: 2, burst: 3 },
    });
    expect(await client.change(key.keyId, {})).toMatchObject({ status: 200, body: answer.body });
    const open = { app_permissions: {}, ip_allowlist: [], expires_at: null, rate_limit: null };
    expect(await client.change(key.keyId, open)).toMatchObject({ status: 200, body: open });
  });

  it.each<[string, object, object, string]>([
    ['scopes', { scopes: ['keys:write', 'keys:read'] }, { scopes: ['keys:write', 'usage:read'] }, 'scope usage:read'],
    [
      'app permissions',
      { app_permissions: { keys: ['write'] } },
      { app_permissions: { keys: ['write', 'read'] } },
      'app permission keys:read',
    ],
    ['apps', { app_permissions: { keys: ['write'] } }, { app_permissions: {} }, 'unrestricted app permissions'],
    ['addresses', { ip_allowlist: ['10.0.0.0/8'] }, { ip_allowlist: ['10.0.0.0/7'] }, 'use from 10.0.0.0/7'],
    ['all addresses', { ip_allowlist: ['10.0.0.0/8'] }, { ip_allowlist: [] }, 'use from any address'],
    ['rate', { rate_limit: { requests_per_second: 1, burst: 9 } }, { rate_limit: null }, 'rate_limit.burst above 9'],
  ])(
    'widens the %s of a key, the caller’s own too, by no more than the caller holds',
    async (_what, own, request, lacks) => {
      const limited = await client.mint(own);
      for (const keyId of [limited.keyId, (await client.mint({}, limited.caller)).keyId]) {
        const answer = await client.change(keyId, request, limited.caller);
        expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
        expect(answer.body['detail']).toContain(lacks);
        expect(await client.change(keyId, request)).toMatchObject({ status: 200 });
        expect(await client.change(keyId, own)).toMatchObject({ status: 200 });
      }
    },
  );

  it('lets a weaker key invalidate a stronger one, and keep what that had', async () => {
    const mighty = await client.mint({ scopes: ['usage:read', 'graph:read'] });
    const weak = await client.mint({ scopes: ['keys:write'] });
    expect(await client.change(mighty.keyId, { scopes: ['usage:read'] }, weak.caller)).toMatchObject({ status: 200 });
    expect(await client.change(mighty.keyId, { scopes: ['graph:read'] }, weak.caller)).toMatchObject({ status: 403 });
  });

  it('never combines two keys into more than either of them', async () => {
    const administrator = await client.mint({ scopes: ['keys:read', 'keys:write', 'oauth:write'] });
    const worker = await client.mint({
      app_permissions: { memory: ['read'] },
      ip_allowlist: ['10.9.9.9/32'],
      expires_at: inHours(1),
      rate_limit: { requests_per_second: 1, burst: 1 },
    });
    const before = (await client.read(worker.keyId)).body;
    const open = { app_permissions: {}, ip_allowlist: [], expires_at: null, rate_limit: null };
    for (const [name, value] of [...Object.entries(open), ['all', open] as const]) {
      const change = name === 'all' ? open : { [name]: value };
      const answer = await client.change(worker.keyId, change, administrator.caller);
      expect([name, answer.status, answer.body.code]).toEqual([name, 403, 'permission_denied']);
      expect(answer.body['detail']).toContain('scope webhooks:write');
    }
    expect((await client.read(worker.keyId)).body).toEqual(before);
    // What is within the caller as a whole it may make of the key, and anyone may invalidate.
    const within = { ...open, scopes: ['keys:read'] };
    expect(await client.change(worker.keyId, within, administrator.caller)).toMatchObject({
      status: 200,
      body: within,
    });
    expect(await client.change(worker.keyId, { ip_allowlist: ['10.0.0.1'] }, administrator.caller)).toMatchObject({
      status: 200,
    });
  });

  it('revives an expired key only within what the caller holds itself', async () => {
    const expired = await client.mint({ expires_at: inHours(1) });
    const weak = await client.mint({ scopes: ['keys:write'] });
    keys.setTime(new Date(Date.now() + 2 * 3_600_000));
    try {
      for (const end of [inHours(9), null])
        expect(await client.change(expired.keyId, { expires_at: end }, weak.caller)).toMatchObject({
          status: 403,
          body: { code: 'permission_denied' },
        });
      expect(await client.change(expired.keyId, { name: 'renamed' }, weak.caller)).toMatchObject({ status: 200 });
      expect(await resolve(keys, expired.plaintext)).toBe(Denial.EXPIRED);
      const lesser = { expires_at: null, scopes: ['keys:write'] };
      expect(await client.change(expired.keyId, lesser, weak.caller)).toMatchObject({ status: 200 });
      expect(await resolve(keys, expired.plaintext)).toMatchObject({ scopes: ['keys:write'] });
    } finally {
      keys.setTime(null);
    }
  });

  it('extends an expired key, but never a revoked one', async () => {
    const key = await client.mint({ expires_at: inHours(1) });
    keys.setTime(new Date(Date.now() + 2 * 3_600_000));
    try {
      expect(await resolve(keys, key.plaintext)).toBe(Denial.EXPIRED);
      expect(await client.change(key.keyId, { expires_at: inHours(9) })).toMatchObject({ status: 200 });
      expect(await resolve(keys, key.plaintext)).toMatchObject({ keyId: key.keyId });
    } finally {
      keys.setTime(null);
    }
    await client.revoke(key.keyId);
    for (const change of [{ name: 'x' }, { expires_at: null }, {}])
      expect(await client.change(key.keyId, change)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(await resolve(keys, key.plaintext)).toBe(Denial.REVOKED);
  });

  it('keeps an ephemeral key, and all that was minted below it, within its 24 hours', async () => {
    const ephemeral = await client.mint({ type: 'ephemeral', expires_at: inHours(20) });
    const child = await client.mint({}, ephemeral.caller);
    for (const [keyId, end] of [
      [ephemeral.keyId, inHours(25)],
      [ephemeral.keyId, null],
      [child.keyId, inHours(21)],
      [child.keyId, null],
    ] as const)
      expect(await client.change(keyId, { expires_at: end })).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'expires_at' }] },
      });
    expect(await client.change(ephemeral.keyId, { expires_at: inHours(23) })).toMatchObject({ status: 200 });

    const grandchild = await client.mint({}, child.caller);
    const soon = inHours(1);
    expect(await client.change(ephemeral.keyId, { expires_at: soon })).toMatchObject({ status: 200 });
    for (const { keyId } of [ephemeral, child, grandchild])
      expect((await client.read(keyId)).body['expires_at']).toBe(soon);
    expect(await client.change(child.keyId, { expires_at: inHours(2) })).toMatchObject({ status: 422 });
  });

  it('two keys that change each other both get a response', async () => {
    const [a, b] = [await client.mint(), await client.mint()];
    for (let round = 0; round < 10; round++) {
      const both = await Promise.all([
        client.change(a.keyId, { name: `a${round}` }, b.caller),
        client.change(b.keyId, { name: `b${round}` }, a.caller),
      ]);
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
    }
  });

  it.each<[string, object, string]>([
    ['a time in the past', { expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
    ['an invalid address', { ip_allowlist: ['10/8'] }, 'ip_allowlist.0'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['root'] }, 'scopes.0'],
    ['an unknown app', { app_permissions: { root: ['read'] } }, 'app_permissions.root'],
    ['another type', { type: 'test' }, 'type'],
    ['another memory', { memory_id: OTHER_MEMORY }, 'memory_id'],
    ['an unknown field', { nmae: 'x' }, 'nmae'],
  ])('refuses %s', async (_what, body, path) => {
    const key = await client.mint();
    expect(await client.change(key.keyId, body)).toMatchObject({ status: 422, body: { errors: [{ path }] } });
  });

  it('grants a memory key no scope that is not for memory keys', async () => {
    const key = await client.mint({ type: 'memory', memory_id: KNOWN_MEMORY });
    expect(await client.change(key.keyId, { scopes: ['documents:write'] })).toMatchObject({ status: 200 });
    expect(await client.change(key.keyId, { scopes: ['keys:write'] })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'scopes.0' }] },
    });
  });

  it('is not for keys of others, callers that are gone, memory keys and OAuth tokens', async () => {
    const key = await client.mint();
    const otherTenant = await makeTenant(keys);
    expect(await client.change(key.keyId, { name: 'x' }, otherTenant.live)).toMatchObject({ status: 404 });
    expect(await client.change(newId('key'), { name: 'x' })).toMatchObject({ status: 404 });
    expect(await client.change(tenant.live.keyId, { name: 'x' }, tenant.test)).toMatchObject({ status: 404 });
    const gone = await client.mint();
    await client.revoke(gone.keyId);
    expect(await client.change(key.keyId, { name: 'x' }, gone.caller)).toMatchObject({ status: 401 });
    const oauth = { ...tenant.live, kind: 'oauth' as const };
    expect(await client.change(key.keyId, { name: 'x' }, oauth)).toMatchObject({ status: 403 });
  });
});

describe('GET /api-keys', () => {
  it('filters by type, memory and revocation before it pages', async () => {
    await client.mint({ type: 'ephemeral' });
    const bound = await client.mint({ type: 'memory', memory_id: KNOWN_MEMORY });
    await client.mint({ type: 'memory', memory_id: OTHER_MEMORY });
    const gone = await client.mint();
    await client.revoke(gone.keyId);
    const list = async (query: string) =>
      (await keys.call(tenant.live, 'GET', `/api/v1/api-keys${query}`)).body as {
        api_keys: { key_id: string; type: string }[];
        next_cursor?: string;
      };
    expect((await list('?type=memory')).api_keys.map(({ type }) => type)).toEqual(['memory', 'memory']);
    expect((await list(`?memory_id=${KNOWN_MEMORY}`)).api_keys.map(({ key_id }) => key_id)).toEqual([bound.keyId]);
    expect((await list('?revoked=true')).api_keys.map(({ key_id }) => key_id)).toEqual([gone.keyId]);
    expect((await list('?revoked=false')).api_keys).toHaveLength(5);
    const first = await list('?type=memory&limit=1');
    expect(first.api_keys).toHaveLength(1);
    const second = await list(`?type=memory&limit=1&cursor=${first.next_cursor}`);
    expect(second.api_keys).toHaveLength(1);
    expect(second).not.toHaveProperty('next_cursor');
    for (const query of ['?type=oauth', '?revoked=yes'])
      expect(await keys.call(tenant.live, 'GET', `/api/v1/api-keys${query}`)).toMatchObject({ status: 422 });
  });
});
