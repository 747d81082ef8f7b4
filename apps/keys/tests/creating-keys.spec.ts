import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createApiKey, Denial, newId, SCOPES } from '@cairn/contracts';
import { hasKeyForm, type Identity } from '@cairn/identity';
import {
  KNOWN_MEMORY,
  KNOWN_SPACE,
  makeTenant,
  OTHER_SPACE,
  resolve,
  type RunningKeys,
  runKeys,
  type Tenant,
} from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
});
afterAll(() => keys.close());

const create = (body: unknown, identity: Identity | null = tenant.live, headers: Record<string, string> = {}) =>
  keys.call(identity, 'POST', '/api/v1/api-keys', body, headers);
const list = async (identity: Identity, query = '') => {
  const { body } = await keys.call(identity, 'GET', `/api/v1/api-keys${query}`);
  return body as unknown as { api_keys: { key_id: string; name: string }[]; next_cursor?: string };
};
/** A caller that uses the key which this answer created. */
const callerWith = (body: Record<string, unknown>, overrides: Partial<Identity> = {}): Identity => ({
  ...tenant.live,
  keyId: body['key_id'] as string,
  ...overrides,
});

describe('POST /api-keys', () => {
  it('returns 201 with the key, its plaintext and its permissions', async () => {
    const { status, body } = await create({ name: 'robot' });
    expect(status).toBe(201);
    expect(createApiKey.response.schema.safeParse(body).success).toBe(true);
    expect(body).toMatchObject({
      name: 'robot',
      type: 'live',
      livemode: true,
      scopes: SCOPES,
      app_permissions: {},
      usage_count: 0,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    });
    expect(hasKeyForm(body['api_key'] as string)).toBe(true);
    expect(body['prefix']).toBe((body['api_key'] as string).slice(0, 12));
    expect(await resolve(keys, body['api_key'] as string)).toMatchObject({
      keyId: body['key_id'],
      tenantId: tenant.tenantId,
    });
  });

  it.each<[string, unknown, number, string, string | undefined]>([
    ['no name', {}, 422, 'validation_failed', 'name'],
    ['an empty name', { name: '  ' }, 422, 'validation_failed', 'name'],
    ['an unknown field', { name: 'x', nmae: 'y' }, 422, 'validation_failed', 'nmae'],
    ['a tenant', { name: 'x', tenant_id: 'tnt_1' }, 422, 'validation_failed', 'tenant_id'],
    ['an unknown type', { name: 'x', type: 'root' }, 422, 'validation_failed', 'type'],
    ['an unknown scope', { name: 'x', scopes: ['root'] }, 422, 'validation_failed', 'scopes.0'],
    [
      'an unknown app',
      { name: 'x', app_permissions: { root: ['read'] } },
      422,
      'validation_failed',
      'app_permissions.root',
    ],
    [
      'an unknown action',
      { name: 'x', app_permissions: { keys: ['admin'] } },
      422,
      'validation_failed',
      'app_permissions.keys.0',
    ],
    [
      'an app called __proto__',
      '{"name":"x","app_permissions":{"__proto__":["read"]}}',
      422,
      'validation_failed',
      undefined,
    ],
    ['a time in the past', { name: 'x', expires_at: '2001-01-01T00:00:00Z' }, 422, 'validation_failed', 'expires_at'],
    ['an invalid time', { name: 'x', expires_at: 'tomorrow' }, 422, 'validation_failed', 'expires_at'],
    ['an invalid address', { name: 'x', ip_allowlist: ['10/8'] }, 422, 'validation_failed', 'ip_allowlist.0'],
    ['a memory key without its memory', { name: 'x', type: 'memory' }, 422, 'validation_failed', 'memory_id'],
    ['a NUL in its name', { name: 'x\0y' }, 422, 'validation_failed', 'name'],
    ['a foreign memory', { name: 'x', type: 'memory', memory_id: newId('memory') }, 404, 'not_found', undefined],
    ['invalid JSON', '{"name"', 400, 'malformed_json', undefined],
  ])('with %s is refused and stores nothing', async (_what, body, status, code, path) => {
    const before = (await list(tenant.live)).api_keys.length;
    const answer = await create(body);
    expect(answer).toMatchObject({
      status,
      body: { code, ...(path === undefined ? {} : { errors: [expect.objectContaining({ path })] }) },
    });
    expect((await list(tenant.live)).api_keys).toHaveLength(before);
  });

  it('binds a memory key to its memory and grants it the memory scopes', async () => {
    const { body } = await create({ name: 'agent', type: 'memory', memory_id: KNOWN_MEMORY });
    expect(body).toMatchObject({ type: 'memory', memory_id: KNOWN_MEMORY });
    expect(body['api_key']).toMatch(/^mk_/);
    expect(await resolve(keys, body['api_key'] as string)).toMatchObject({
      memoryId: KNOWN_MEMORY,
      tenantId: tenant.tenantId,
    });
  });

  it('binds it to one space of the memory, and to no space that is another’s or not there', async () => {
    const scoped = { name: 'agent', type: 'memory', memory_id: KNOWN_MEMORY };
    const { status, body } = await create({ ...scoped, space_id: KNOWN_SPACE });
    expect([status, body['space_id']]).toEqual([201, KNOWN_SPACE]);
    expect(await resolve(keys, body['api_key'] as string)).toMatchObject({
      memoryId: KNOWN_MEMORY,
      spaceId: KNOWN_SPACE,
    });
    expect(await create({ ...scoped, space_id: newId('space') })).toMatchObject({ status: 404 });
    for (const wrong of [
      { ...scoped, space_id: OTHER_SPACE },
      { name: 'x', space_id: KNOWN_SPACE },
      { name: 'x', type: 'memory', space_id: KNOWN_SPACE },
    ])
      expect(await create(wrong)).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  });

  it('lets an ephemeral key live 24 hours', async () => {
    const { body } = await create({ name: 'ci', type: 'ephemeral' });
    const hours = (Date.parse(body['expires_at'] as string) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.99);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it('keeps a rate limit that lowers the plan’s; one above it is not worth more', async () => {
    const lower = await create({ name: 'slow', rate_limit: { requests_per_second: 2, burst: 3 } });
    expect(await resolve(keys, lower.body['api_key'] as string)).toMatchObject({
      rateLimit: { requestsPerSecond: 2, burst: 3 },
    });
    const higher = await create({ name: 'fast', rate_limit: { requests_per_second: 900, burst: 900 } });
    expect(await resolve(keys, higher.body['api_key'] as string)).toMatchObject({
      rateLimit: { requestsPerSecond: 50, burst: 100 },
    });
  });
});

describe('a key that mints', () => {
  it('passes on no more than it holds itself, judged by what is stored and not by the caller’s token', async () => {
    const { body } = await create({
      name: 'invalidate',
      scopes: ['keys:write', 'keys:read'],
      ip_allowlist: ['10.0.0.0/8'],
      rate_limit: { requests_per_second: 1, burst: 1 },
    });
    const invalidate = callerWith(body);
    expect(await create({ name: 'x', scopes: ['memory:search'] }, invalidate)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    });
    expect(await create({ name: 'x', ip_allowlist: ['11.0.0.0/8'] }, invalidate)).toMatchObject({ status: 403 });
    const child = await create({ name: 'child', rate_limit: { requests_per_second: 40, burst: 40 } }, invalidate);
    expect(child.body).toMatchObject({
      scopes: ['keys:read', 'keys:write'],
      ip_allowlist: ['10.0.0.0/8'],
      rate_limit: { requests_per_second: 1, burst: 1 },
    });
  });

  it('without keys:write is refused, and so is a memory key', async () => {
    const reader = { ...tenant.live, scopes: ['keys:read'] as const };
    expect(await create({ name: 'x' }, reader)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    const memory: Identity = { ...tenant.live, kind: 'memory', memoryId: KNOWN_MEMORY };
    expect(await create({ name: 'x' }, memory)).toMatchObject({ status: 403, body: { code: 'memory_not_permitted' } });
    const unbound: Identity = { ...memory, memoryId: null };
    expect(await create({ name: 'x' }, unbound)).toMatchObject({ status: 403, body: { code: 'memory_not_permitted' } });
  });

  it('that is ephemeral takes its children with it', async () => {
    const { body } = await create({ name: 'ci', type: 'ephemeral' });
    const child = await create({ name: 'child' }, callerWith(body, { kind: 'ephemeral' }));
    expect(child.body['expires_at']).toBe(body['expires_at']);
  });

  it('that is revoked, expired or unknown mints nothing, though its token still holds', async () => {
    const gone = callerWith({ key_id: newId('key') });
    expect(await create({ name: 'x' }, gone)).toMatchObject({ status: 401, body: { code: 'credential_revoked' } });
    const { body } = await create({ name: 'revoked' });
    await keys.database.worker.transaction((tx) =>
      tx.execute('UPDATE api_keys SET revoked_at = now() WHERE key_id = $1', [body['key_id']]),
    );
    expect(await create({ name: 'x' }, callerWith(body))).toMatchObject({
      status: 401,
      body: { code: 'credential_revoked' },
    });
    const brief = await create({ name: 'brief', type: 'ephemeral' });
    keys.setTime(new Date(Date.now() + 25 * 3_600_000));
    expect(await create({ name: 'x' }, callerWith(brief.body))).toMatchObject({
      status: 401,
      body: { code: 'credential_expired' },
    });
    keys.setTime(null);
  });
});

describe('Idempotency-Key', () => {
  it('of another key of the tenant is a request of its own: no key receives what another key made', async () => {
    const header = { 'idempotency-key': randomUUID() };
    const minter = callerWith((await create({ name: 'minter', scopes: ['keys:write'] })).body);
    const [first, own] = [
      await create({ name: 'mine' }, minter, header),
      await create({ name: 'mine' }, tenant.live, header),
    ];
    expect([first.status, own.status]).toEqual([201, 201]);
    expect(first.body['scopes']).toEqual(['keys:write']);
    expect(own.body).toMatchObject({ scopes: SCOPES, api_key: expect.any(String) });
    expect(own.headers.get('idempotency-replayed')).toBeNull();
    expect(await create({ name: 'other' }, minter, header)).toMatchObject({ status: 422 });
    expect((await create({ name: 'mine' }, minter, header)).body).toMatchObject({ key_id: first.body['key_id'] });
  });

  it('replays the same resource without its plaintext, and mints one key', async () => {
    const header = { 'idempotency-key': randomUUID() };
    const first = await create({ name: 'once' }, tenant.live, header);
    const second = await create({ name: 'once' }, tenant.live, header);
    const { api_key: plaintext, ...rest } = first.body;
    expect(plaintext).toBeDefined();
    expect(second).toMatchObject({ status: 201, body: rest });
    expect(second.body).not.toHaveProperty('api_key');
    expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect((await list(tenant.live)).api_keys.filter(({ name }) => name === 'once')).toHaveLength(1);
  });

  it('with another body is 422', async () => {
    const header = { 'idempotency-key': randomUUID() };
    await create({ name: 'one' }, tenant.live, header);
    expect(await create({ name: 'two' }, tenant.live, header)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch' },
    });
  });

  it('used by ten callers at once mints one key', async () => {
    const header = { 'idempotency-key': randomUUID() };
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'ten' }, tenant.live, header)));
    expect(responses.filter(({ body }) => body['api_key'] !== undefined)).toHaveLength(1);
    for (const { status, body } of responses)
      expect([status, body.code]).toEqual(status === 201 ? [201, undefined] : [409, 'idempotency_in_flight']);
    expect((await list(tenant.live)).api_keys.filter(({ name }) => name === 'ten')).toHaveLength(1);
  });

  it('of more than 255 characters is 422', async () => {
    const answer = await create({ name: 'x' }, tenant.live, { 'idempotency-key': 'k'.repeat(256) });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'Idempotency-Key' }] } });
  });
});

describe('GET /api-keys', () => {
  it('lists every key without a limit, and pages with one', async () => {
    const other = await makeTenant(keys);
    for (let n = 0; n < 4; n += 1) await create({ name: `key ${n}` }, other.live);
    const all = await list(other.live);
    expect(all.api_keys).toHaveLength(6);
    expect(all).not.toHaveProperty('next_cursor');
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await list(other.live, `?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.api_keys.length).toBeLessThanOrEqual(4);
      seen.push(...page.api_keys.map(({ key_id }) => key_id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(all.api_keys.map(({ key_id }) => key_id));
  });

  it.each([
    '?limit=0',
    '?limit=201',
    '?limit=x',
    '?limit=1.5',
    '?limit=1&limit=2',
    '?page=1',
    '?tenant_id=t',
    '?cursor=',
  ])('refuses %s', async (query) => {
    expect(await keys.call(tenant.live, 'GET', `/api/v1/api-keys${query}`)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    });
  });

  it('shows no plaintext, digest or internal field', async () => {
    const shown = JSON.stringify(await list(tenant.live));
    for (const hidden of ['api_key"', 'sha256', 'tenant_id', tenant.liveKey]) expect(shown).not.toContain(hidden);
  });
});

describe('GET /api-keys/{key_id}', () => {
  it('shows a key of the caller’s own, and 404 for another tenant’s, an unknown or a strange id', async () => {
    const { body } = await create({ name: 'mine' });
    const { api_key: _plaintext, ...rest } = body;
    const mine = await keys.call(tenant.live, 'GET', `/api/v1/api-keys/${body['key_id'] as string}`);
    expect(mine).toMatchObject({ status: 200, body: rest });
    const otherTenant = await makeTenant(keys);
    for (const [identity, id] of [
      [otherTenant.live, body['key_id']],
      [tenant.test, body['key_id']],
      [tenant.live, newId('key')],
      [tenant.live, "x'; DROP TABLE api_keys; --"],
    ] as const) {
      const answer = await keys.call(identity, 'GET', `/api/v1/api-keys/${encodeURIComponent(id as string)}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', detail: 'The key was not found.' } });
    }
  });
});

describe('an unknown credential', () => {
  it('resolves to unknown', async () => {
    expect(await resolve(keys, 'ck_live_nothing')).toBe(Denial.UNKNOWN);
  });
});
