import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Denial, newId, rotateApiKey } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { keyClient } from './changing-keys.ts';
import {
  KNOWN_MEMORY,
  KNOWN_SPACE,
  makeTenant,
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

const list = async () =>
  (await keys.call(tenant.live, 'GET', '/api/v1/api-keys')).body['api_keys'] as { key_id: string }[];
const rotatedFrom = (body: Record<string, unknown>) => body['rotated_from'] as { key_id: string; revokes_at: string };
const hoursUntil = (text: unknown) => (Date.parse(text as string) - Date.now()) / 3_600_000;

describe('POST /api-keys/{key_id}/rotate', () => {
  it.each<[string, object]>([
    ['a live', { expires_at: '2999-01-01T00:00:00.000Z', ip_allowlist: ['10.0.0.0/8'] }],
    ['a test', { type: 'test', app_permissions: { memory: ['read'] } }],
    ['an ephemeral', { type: 'ephemeral' }],
    ['a memory', { type: 'memory', memory_id: KNOWN_MEMORY, space_id: KNOWN_SPACE, scopes: ['memory:search'] }],
  ])('replaces %s key by one that may do the same until the same time', async (_what, body) => {
    const original = await client.mint({ ...body, rate_limit: { requests_per_second: 3, burst: 4 } });
    const { rotated_from: _none, ...before } = (await client.read(original.keyId)).body;
    const answer = await client.rotate(original.keyId);
    expect(answer.status).toBe(201);
    expect(rotateApiKey.response.schema.safeParse(answer.body).success).toBe(true);
    const { api_key: plaintext, rotated_from: from, ...shown } = answer.body;
    const own = ['key_id', 'prefix', 'created_at'] as const;
    for (const name of own) expect(shown[name]).not.toBe(before[name]);
    expect(shown).toEqual({ ...before, ...Object.fromEntries(own.map((name) => [name, shown[name]])) });
    expect((plaintext as string).slice(0, 12)).toBe(shown['prefix']);
    expect(from).toMatchObject({ key_id: original.keyId });
    expect(hoursUntil(rotatedFrom(answer.body).revokes_at)).toBeCloseTo(24, 1);
    const [oldKey, newKey] = [await resolve(keys, original.plaintext), await resolve(keys, plaintext as string)];
    expect(newKey).toMatchObject({ keyId: shown['key_id'] });
    expect({ ...(newKey as object), keyId: '', credentialId: '' }).toEqual({
      ...(oldKey as object),
      keyId: '',
      credentialId: '',
      revokesAt: undefined,
    });
  });

  it('with an overlap of 0 leaves no time in which both are valid after its response', async () => {
    const original = await client.mint();
    const answer = await client.rotate(original.keyId, { overlap_seconds: 0 });
    expect(await resolve(keys, original.plaintext)).toBe(Denial.REVOKED);
    expect((await client.read(original.keyId)).body['revoked_at']).not.toBeNull();
    expect(await resolve(keys, answer.body['api_key'] as string)).toMatchObject({ keyId: answer.body['key_id'] });
  });

  it('revokes the original when the overlap ends, and not before', async () => {
    const original = await client.mint();
    await client.rotate(original.keyId, { overlap_seconds: 600 });
    expect(await resolve(keys, original.plaintext)).toMatchObject({ keyId: original.keyId });
    keys.setTime(new Date(Date.now() + 601_000));
    try {
      // At once, though nobody has come round to revoke it.
      expect(await resolve(keys, original.plaintext)).toBe(Denial.REVOKED);
      await eventually(async () => (await client.read(original.keyId)).body['revoked_at'] !== null);
    } finally {
      keys.setTime(null);
    }
    expect(await resolve(keys, original.plaintext)).toBe(Denial.REVOKED);
  });

  it('again returns another replacement, and never extends the original', async () => {
    const original = await client.mint();
    const first = await client.rotate(original.keyId, { overlap_seconds: 60 });
    const second = await client.rotate(original.keyId, { overlap_seconds: 600 });
    expect(rotatedFrom(second.body)).toEqual(rotatedFrom(first.body));
    expect(second.body['key_id']).not.toBe(first.body['key_id']);
    const third = await client.rotate(original.keyId, { overlap_seconds: 0 });
    expect(await resolve(keys, original.plaintext)).toBe(Denial.REVOKED);
    for (const { body } of [first, second, third])
      expect(await resolve(keys, body['api_key'] as string)).toMatchObject({ keyId: body['key_id'] });
  });

  it('of a replacement replaces that one', async () => {
    const original = await client.mint();
    const first = await client.rotate(original.keyId);
    const second = await client.rotate(first.body['key_id'] as string);
    expect(rotatedFrom(second.body).key_id).toBe(first.body['key_id']);
    expect((await client.read(second.body['key_id'] as string)).body['revokes_at']).toBeNull();
  });

  it('by ten at once returns ten replacements, or one with one Idempotency-Key', async () => {
    const original = await client.mint();
    const before = (await list()).length;
    const responses = await Promise.all(Array.from({ length: 10 }, () => client.rotate(original.keyId)));
    expect(new Set(responses.map(({ body }) => body['key_id'])).size).toBe(10);
    expect(await list()).toHaveLength(before + 10);
    expect(new Set(responses.map(({ body }) => rotatedFrom(body).revokes_at)).size).toBeLessThanOrEqual(10);

    const header = { 'idempotency-key': randomUUID() };
    const same = await Promise.all(
      Array.from({ length: 10 }, () => client.rotate(original.keyId, {}, tenant.live, header)),
    );
    expect(same.filter(({ body }) => body['api_key'] !== undefined)).toHaveLength(1);
    expect(await list()).toHaveLength(before + 11);
  });

  it('two keys that rotate each other both get their replacement', async () => {
    const [a, b] = [await client.mint(), await client.mint()];
    for (let round = 0; round < 10; round++) {
      const both = await Promise.all([client.rotate(a.keyId, {}, b.caller), client.rotate(b.keyId, {}, a.caller)]);
      expect(both.map(({ status }) => status)).toEqual([201, 201]);
    }
  });

  it('replays the resource without its plaintext; the key on another key is another request', async () => {
    const [original, other] = [await client.mint(), await client.mint()];
    const header = { 'idempotency-key': randomUUID() };
    const first = await client.rotate(original.keyId, {}, tenant.live, header);
    const second = await client.rotate(original.keyId, {}, tenant.live, header);
    const { api_key: _plaintext, ...rest } = first.body;
    expect(second).toMatchObject({ status: 201, body: rest });
    expect(second.body).not.toHaveProperty('api_key');
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await client.rotate(other.keyId, {}, tenant.live, header)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch' },
    });
  });

  it('is refused for a key that is revoked, expired, due, foreign or unknown', async () => {
    const revoked = await client.mint();
    await client.revoke(revoked.keyId);
    expect(await client.rotate(revoked.keyId)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const expired = await client.mint({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    const due = await client.mint();
    await client.rotate(due.keyId, { overlap_seconds: 1_800 });
    keys.setTime(new Date(Date.now() + 2 * 3_600_000));
    try {
      for (const { keyId } of [expired, due])
        expect(await client.rotate(keyId)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    } finally {
      keys.setTime(null);
    }
    const otherTenant = await makeTenant(keys);
    expect(await client.rotate(revoked.keyId, {}, otherTenant.live)).toMatchObject({ status: 404 });
    expect(await client.rotate(newId('key'))).toMatchObject({ status: 404 });
  });

  it.each([-1, 604_801, 1.5, '60', null])('refuses an overlap of %j', async (overlap) => {
    const answer = await client.rotate(tenant.live.keyId, { overlap_seconds: overlap });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'overlap_seconds' }] } });
  });
});

describe('a key that rotates another', () => {
  it.each<[string, object, string]>([
    ['scopes', { scopes: ['keys:write', 'keys:read'] }, 'scope memory:search'],
    ['app permissions', { app_permissions: { keys: ['write'] } }, 'unrestricted app permissions'],
    ['addresses', { ip_allowlist: ['10.0.0.0/8'] }, 'use from any address'],
    ['lifetime', { expires_at: '2999-01-01T00:00:00.000Z' }, 'a lifetime beyond'],
    ['rate', { rate_limit: { requests_per_second: 1, burst: 1 } }, 'rate_limit.burst'],
  ])('must hold all of its %s', async (_what, limits, named) => {
    const mighty = await client.mint();
    const limited = await client.mint(limits);
    const answer = await client.rotate(mighty.keyId, {}, limited.caller);
    expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    expect(answer.body['detail']).toContain(named);
    // Itself it may replace.
    expect(await client.rotate(limited.keyId, {}, limited.caller)).toMatchObject({ status: 201 });
  });

  it('and is ephemeral gets hold of nothing that would outlive it', async () => {
    const ephemeral = await client.mint({ type: 'ephemeral' });
    const soon = await client.mint({ expires_at: new Date(Date.now() + 60_000).toISOString() });
    expect(await client.rotate(soon.keyId, {}, ephemeral.caller)).toMatchObject({ status: 403 });
    const child = await client.mint({}, ephemeral.caller);
    const replaced = await client.rotate(child.keyId, {}, ephemeral.caller);
    expect(replaced.status).toBe(201);
    await client.revoke(ephemeral.keyId);
    expect(await resolve(keys, replaced.body['api_key'] as string)).toBe(Denial.REVOKED);
  });

  it('is no test key for a live one, and no memory key or OAuth token at all', async () => {
    expect(await client.rotate(tenant.live.keyId, {}, tenant.test)).toMatchObject({ status: 404 });
    const oauth = { ...tenant.live, kind: 'oauth' as const };
    expect(await client.rotate(tenant.live.keyId, {}, oauth)).toMatchObject({ status: 403 });
    const memory = { ...tenant.live, kind: 'memory' as const, memoryId: KNOWN_MEMORY };
    expect(await client.rotate(tenant.live.keyId, {}, memory)).toMatchObject({
      status: 403,
      body: { code: 'memory_not_permitted' },
    });
  });
});
