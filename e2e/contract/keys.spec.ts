import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type SharedCairn } from '@cairn/testing';
import { type Call, contract, expectFields, expectRefusal, onMemoryHost, proves } from './contract.ts';

let cairn: SharedCairn;
let call: Call;
beforeAll(async () => {
  ({ cairn, call } = await contract());
}, 120_000);
afterAll(() => cairn.remove());

const KEYS = '/api-keys';
const HOUR_MS = 3_600_000;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const mint = async (body: object = {}, key?: string) =>
  (await call('POST', KEYS, { name: 'x', ...body }, key === undefined ? {} : { key })).body;
const search = (key: string, more: object = {}) => call('POST', '/memory/search', { query: 'otter', ...more }, { key });
const primary = async (): Promise<{ memory_id: string; subdomain: string }> =>
  (await call('GET', '/memories')).body.memories[0];

describe('POST /api/v1/api-keys', () => {
  proves(
    ['POST /api-keys', 'ApiKey.*', 'ApiKey.restrictions', 'D2.livemode', 'D0.statuses'],
    'name is required; app_permissions, ip_allowlist and expires_at are optional; the answer is the ApiKey with its plaintext',
    async () => {
      const expires_at = new Date(Date.now() + HOUR_MS).toISOString();
      const restrictions = {
        app_permissions: { memory: ['read'] },
        ip_allowlist: ['10.0.0.0/8', '::1/128'],
        expires_at,
      };
      const made = await call('POST', KEYS, { name: 'Robot', ...restrictions });
      expect(made.status).toBe(201);
      expectFields('ApiKey', made.body);
      expect(made.body).toMatchObject({
        name: 'Robot',
        prefix: made.body.api_key.slice(0, 12),
        app_permissions: { memory: ['read'] },
        ip_allowlist: ['10.0.0.0/8', '::1/128'],
        last_used_at: null,
        usage_count: 0,
        livemode: true,
        type: 'live',
      });
      expect(Date.parse(made.body.expires_at)).toBe(Date.parse(expires_at));
      expect((await mint()).expires_at).toBeNull();
      expect((await mint()).app_permissions).toEqual({});
      expectRefusal(await call('POST', KEYS, {}), 422, 'validation_failed', 'name');
    },
  );

  proves(
    ['ApiKey.shown-once', 'auth.7', 'D2.reading'],
    'the plaintext is in the answer that makes the key and in no later one',
    async () => {
      const { api_key: plaintext, ...shown } = await mint({ name: 'Once' });
      const read = await call('GET', `${KEYS}/${shown.key_id}`);
      expect(read.body).toEqual(shown);
      expectFields('ApiKey', read.body, ['api_key']);
      const listed = await call('GET', KEYS);
      expect(listed.body.api_keys).toContainEqual(shown);
      expect(JSON.stringify(listed.body)).not.toContain(plaintext);
    },
  );

  proves(
    ['D2.format', 'credential.ck_live_', 'credential.ck_test_', 'credential.ck_eph_', 'credential.mk_'],
    'a key is its prefix, 43 characters of base62 and the CRC32 of both in six more',
    async () => {
      const { memory_id } = await primary();
      const kinds = [
        ['live', 'ck_live_', {}],
        ['test', 'ck_test_', {}],
        ['ephemeral', 'ck_eph_', {}],
        ['memory', 'mk_', { memory_id }],
      ] as const;
      for (const [type, prefix, more] of kinds) {
        const { api_key: key } = await mint({ type, ...more });
        expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
        expect(key.slice(-6)).toBe(base62(crc32(key.slice(0, -6))).padStart(6, '0'));
      }
    },
  );

  proves(
    ['D2.types', 'D2.space_id'],
    'memory_id is required for a memory key and refused for any other; the space has to be one of the memory',
    async () => {
      const { memory_id } = await primary();
      expectRefusal(await call('POST', KEYS, { name: 'x', type: 'memory' }), 422, 'validation_failed', 'memory_id');
      expectRefusal(await call('POST', KEYS, { name: 'x', memory_id }), 422, 'validation_failed', 'memory_id');
      expectRefusal(await call('POST', KEYS, { name: 'x', type: 'other' }), 422, 'validation_failed', 'type');
      const space = (await call('POST', '/spaces', { name: 'Narrow' })).body;
      const narrow = await mint({ type: 'memory', memory_id, space_id: space.space_id });
      expect(narrow).toMatchObject({ type: 'memory', memory_id, space_id: space.space_id });
      const other = (await call('POST', '/memories', { display_name: 'Elsewhere' })).body;
      const wrong = { name: 'x', type: 'memory', memory_id: other.memory_id, space_id: space.space_id };
      expectRefusal(await call('POST', KEYS, wrong), 422, 'validation_failed', 'space_id');
      const listed = await call('GET', '/spaces', undefined, { key: narrow.api_key });
      expect(listed.body.spaces.map((each: { space_id: string }) => each.space_id)).toEqual([space.space_id]);
    },
  );

  proves(
    ['limit.ephemeral', 'D2.ephemeral', 'D2.expires_at past'],
    'an ephemeral key lives 24 hours by default and at most; a time that has passed is refused',
    async () => {
      const made = await mint({ type: 'ephemeral' });
      expect(Math.abs(Date.parse(made.expires_at) - Date.parse(made.created_at) - 24 * HOUR_MS)).toBeLessThan(1_000);
      const late = new Date(Date.now() + 25 * HOUR_MS).toISOString();
      const answer = await call('POST', KEYS, { name: 'x', type: 'ephemeral', expires_at: late });
      expectRefusal(answer, 422, 'validation_failed', 'expires_at');
      const past = { name: 'x', expires_at: new Date(Date.now() - 1_000).toISOString() };
      expectRefusal(await call('POST', KEYS, past), 422, 'validation_failed', 'expires_at');
      expect((await search(made.api_key)).status).toBe(200);
    },
  );

  proves(['D2.rate_limit'], 'rate_limit lowers the rate of the plan and is refused above it', async () => {
    const rate_limit = { requests_per_second: 2, burst: 3 };
    expect((await mint({ rate_limit })).rate_limit).toEqual(rate_limit);
    const higher = { name: 'x', rate_limit: { requests_per_second: 1_000, burst: 3 } };
    const answer = await call('POST', KEYS, higher);
    expect([answer.status, answer.body.rate_limit?.requests_per_second]).toEqual([201, 1_000]);
    const probed = await call('GET', '/whoami', undefined, { key: answer.body.api_key });
    expect(Number(/q=(\d+);/.exec(probed.headers.get('ratelimit-policy')!)![1])).toBeLessThanOrEqual(100);
  });

  proves(
    ['D2.scopes', 'D2.mk scopes'],
    'a platform key holds every scope, a memory key six of them, and two more when it is given them',
    async () => {
      const { scopes } = await mint();
      const pairs = [
        'keys',
        'oauth',
        'workspaces',
        'memories',
        'spaces',
        'threads',
        'documents',
        'graph',
        'webhooks',
        'providers',
      ];
      const named = pairs.flatMap((what) => [`${what}:read`, `${what}:write`]);
      for (const scope of [...named, 'memory:search', 'usage:read', 'search:run', 'lists:read'])
        expect(scopes).toContain(scope);
      const { memory_id } = await primary();
      const held = ['memory:search', 'graph:read', 'documents:read', 'threads:read', 'threads:write', 'spaces:read'];
      expect((await mint({ type: 'memory', memory_id })).scopes.toSorted()).toEqual(held.toSorted());
      const given = ['documents:write', 'graph:write'];
      expect((await mint({ type: 'memory', memory_id, scopes: given })).scopes.toSorted()).toEqual(given);
      const beyond = { name: 'x', type: 'memory', memory_id, scopes: ['webhooks:write'] };
      expectRefusal(await call('POST', KEYS, beyond), 422, 'validation_failed');
    },
  );

  proves(
    ['D2.app_permissions', 'auth.2', 'D1.permission_denied'],
    'app_permissions restrict a key by app and action; an unknown app or action is refused',
    async () => {
      const { api_key: key } = await mint({ app_permissions: { memory: ['read'], usage: ['read'] } });
      expect((await search(key)).status).toBe(200);
      expect((await call('GET', '/usage/llm', undefined, { key })).status).toBe(200);
      const denied = await call('POST', '/memory/documents', { content: 'x' }, { key });
      expectRefusal(denied, 403, 'permission_denied');
      expect(denied.body.detail).toContain('memory');
      expectRefusal(await call('GET', '/webhooks', undefined, { key }), 403, 'permission_denied');
      for (const app of ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'])
        expect((await call('POST', KEYS, { name: 'x', app_permissions: { [app]: ['read', 'write'] } })).status).toBe(
          201,
        );
      for (const app_permissions of [{ mail: ['read'] }, { memory: ['delete'] }])
        expect((await call('POST', KEYS, { name: 'x', app_permissions })).status).toBe(422);
    },
  );

  proves(
    ['D1.ip_not_allowed', 'auth.2'],
    'a key is refused from an address outside its ip_allowlist, and what is no range is no allow-list',
    async () => {
      const outside = await mint({ ip_allowlist: ['203.0.113.0/24'] });
      expectRefusal(await search(outside.api_key), 403, 'ip_not_allowed');
      const inside = await mint({ ip_allowlist: ['127.0.0.0/8', '::1/128'] });
      expect((await search(inside.api_key)).status).toBe(200);
      const answer = await call('POST', KEYS, { name: 'x', ip_allowlist: ['10.0.0.0/33'] });
      expectRefusal(answer, 422, 'validation_failed', 'ip_allowlist.0');
    },
  );

  proves(
    ['D2.no more than its own', 'D2.who mints'],
    'a key never mints more than it holds, and only a platform key with keys:write mints',
    async () => {
      const { memory_id } = await primary();
      const until = new Date(Date.now() + HOUR_MS).toISOString();
      const parent = await mint({
        scopes: ['keys:write', 'memory:search'],
        ip_allowlist: ['127.0.0.0/8'],
        expires_at: until,
      });
      const child = (body: object, key = parent.api_key) => call('POST', KEYS, { name: 'x', ...body }, { key });
      const within = { scopes: ['memory:search'], ip_allowlist: ['127.0.0.1/32'], expires_at: until };
      expect((await child(within)).status).toBe(201);
      const later = new Date(Date.now() + 2 * HOUR_MS).toISOString();
      for (const [more, missing] of [
        [{ scopes: ['memory:search', 'usage:read'] }, 'usage:read'],
        [{ ip_allowlist: ['0.0.0.0/0'] }, '0.0.0.0/0'],
      ] as const) {
        const denied = await child({ ...within, ...more });
        expectRefusal(denied, 403, 'permission_denied');
        expect(denied.body.detail).toContain(missing);
      }
      expectRefusal(await child({ ...within, expires_at: later }), 422, 'validation_failed', 'expires_at');
      const test = await mint({ type: 'test' });
      expectRefusal(await child({ type: 'live' }, test.api_key), 403, 'permission_denied');
      expect((await child({ type: 'test' }, test.api_key)).body).toMatchObject({ type: 'test', livemode: false });
      const ephemeral = await mint({ type: 'ephemeral' });
      const grandchild = await child({}, ephemeral.api_key);
      expect(Date.parse(grandchild.body.expires_at ?? '9999-01-01')).toBeLessThanOrEqual(
        Date.parse(ephemeral.expires_at),
      );
      const agent = await mint({ type: 'memory', memory_id });
      expect((await child({}, agent.api_key)).status).toBe(403);
      const reader = await mint({ scopes: ['keys:read'] });
      expectRefusal(await child({}, reader.api_key), 403, 'permission_denied');
    },
  );
});

describe('POST /api/v1/api-keys/{key_id}/rotate', () => {
  proves(
    ['POST /api-keys/{key_id}/rotate', 'D2.rotation', 'auth.3', 'order.rotation'],
    'answers the replacement with its plaintext and rotated_from; both keys work during the overlap, then only the replacement',
    async () => {
      const original = await mint({ scopes: ['memory:search'] });
      const rotated = await call('POST', `${KEYS}/${original.key_id}/rotate`, { overlap_seconds: 3 });
      expect(rotated.status).toBe(201);
      expectFields('ApiKey', rotated.body);
      expect(rotated.body.key_id).not.toBe(original.key_id);
      expect(rotated.body).toMatchObject({ scopes: ['memory:search'], rotated_from: { key_id: original.key_id } });
      const overlapMs = Date.parse(rotated.body.rotated_from.revokes_at) - Date.parse(rotated.body.created_at);
      expect(Math.abs(overlapMs - 3_000)).toBeLessThan(500);
      for (const key of [original.api_key, rotated.body.api_key]) expect((await search(key)).status).toBe(200);
      await eventually(
        () => search(original.api_key),
        ({ status }) => status === 401,
      );
      expectRefusal(await search(original.api_key), 401, 'credential_revoked');
      expect((await search(rotated.body.api_key)).status).toBe(200);
      expectRefusal(await call('POST', `${KEYS}/${original.key_id}/rotate`, {}), 409, 'conflict');
    },
  );

  proves(
    ['D2.rotation'],
    'the overlap is a day unless it is given, at most 604,800 seconds, and with 0 the original is revoked when the answer comes',
    async () => {
      const day = await mint();
      const rotated = (await call('POST', `${KEYS}/${day.key_id}/rotate`)).body;
      const overlapS = (Date.parse(rotated.rotated_from.revokes_at) - Date.parse(rotated.created_at)) / 1_000;
      expect(Math.round(overlapS)).toBe(86_400);
      for (const overlap_seconds of [-1, 604_801, 1.5])
        expectRefusal(
          await call('POST', `${KEYS}/${day.key_id}/rotate`, { overlap_seconds }),
          422,
          'validation_failed',
          'overlap_seconds',
        );
      const atOnce = await mint();
      await call('POST', `${KEYS}/${atOnce.key_id}/rotate`, { overlap_seconds: 0 });
      expectRefusal(await search(atOnce.api_key), 401, 'credential_revoked');
    },
  );
});

describe('DELETE /api/v1/api-keys/{key_id}', () => {
  proves(
    [
      'DELETE /api-keys/{key_id}',
      'order.revocation',
      'auth.4',
      'error.revoked',
      'D1.credential_revoked',
      'D2.revocation',
    ],
    'a revoked key is refused from the answer on, and the answer is the same again',
    async () => {
      const made = await mint();
      const host = (await primary()).subdomain;
      expect((await search(made.api_key)).status).toBe(200);
      const first = await call('DELETE', `${KEYS}/${made.key_id}`);
      expect(first.status).toBe(200);
      expect(first.body).toEqual({ key_id: made.key_id, revoked: true, revoked_at: first.body.revoked_at });
      const refused = await Promise.all(Array.from({ length: 20 }, () => search(made.api_key)));
      for (const answer of refused) expectRefusal(answer, 401, 'credential_revoked');
      const path = '/api/v1/memory/search';
      const there = await onMemoryHost(cairn, host, { path, key: made.api_key, body: { query: 'x' } });
      expect([there.status, there.body['code']]).toEqual([401, 'credential_revoked']);
      expect((await call('DELETE', `${KEYS}/${made.key_id}`)).body).toEqual(first.body);
      expectRefusal(await call('DELETE', `${KEYS}/key_222222222222222222222`), 404, 'not_found');
    },
  );

  proves(['D2.revocation'], 'an event stream that the key has open is closed with it', async () => {
    const made = await mint();
    const stream = await fetch(`${cairn.baseUrl}/api/v1/events/stream`, { headers: { 'x-api-key': made.api_key } });
    expect(stream.status).toBe(200);
    const ended = stream.text().then(
      () => 'ended',
      () => 'ended',
    );
    await call('DELETE', `${KEYS}/${made.key_id}`);
    expect(await Promise.race([ended, sleep(10_000, 'open')])).toBe('ended');
  });
});

describe('GET and PATCH /api/v1/api-keys (+)', () => {
  proves(['D2.reading'], 'a key is renamed, restricted and widened within what the caller holds', async () => {
    const made = await mint({ scopes: ['memory:search'] });
    const path = `${KEYS}/${made.key_id}`;
    expect((await call('PATCH', path, { name: 'Renamed' })).body.name).toBe('Renamed');
    const wider = await call('PATCH', path, { scopes: ['memory:search', 'usage:read'] });
    expect(wider.body.scopes.toSorted()).toEqual(['memory:search', 'usage:read']);
    expect((await call('GET', '/usage/llm', undefined, { key: made.api_key })).status).toBe(200);
    const small = await mint({ scopes: ['keys:write', 'memory:search'] });
    const byLesser = await call('PATCH', path, { scopes: ['usage:read', 'webhooks:read'] }, { key: small.api_key });
    expectRefusal(byLesser, 403, 'permission_denied');
    expect((await call('PATCH', path, { ip_allowlist: ['203.0.113.7'] })).status).toBe(200);
    expectRefusal(await search(made.api_key), 403, 'ip_not_allowed');
  });

  proves(['D2.usage'], 'usage_count and last_used_at are exact within five seconds', async () => {
    const made = await mint();
    const before = Date.now();
    await Promise.all(Array.from({ length: 12 }, () => search(made.api_key)));
    const answered = Date.now();
    const counted = () => call('GET', `${KEYS}/${made.key_id}`);
    const { body } = await eventually(counted, (answer) => answer.body.usage_count === 12);
    expect(Date.parse(body.last_used_at)).toBeGreaterThanOrEqual(before - 1_000);
    expect(Date.parse(body.last_used_at)).toBeLessThanOrEqual(answered + 1_000);
    await sleep(2_000);
    expect((await counted()).body.usage_count).toBe(12);
  });
});

function crc32(text: string): number {
  let crc = ~0;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return ~crc >>> 0;
}

function base62(value: number): string {
  return value === 0 ? '' : base62(Math.floor(value / 62)) + ALPHABET[value % 62]!;
}
