import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Denial, newId, revokeApiKey } from '@cairn/contracts';
import { connectEventBus, consumeEvents } from '@cairn/events';
import { eventually } from '@cairn/testing';
import pino from 'pino';
import { keyClient } from './changing-keys.ts';
import { makeTenant, resolve, type RunningKeys, runKeys, type Tenant } from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
let client: ReturnType<typeof keyClient>;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
  client = keyClient(keys, () => tenant);
});
afterAll(() => keys.close());

describe('DELETE /api-keys/{key_id}', () => {
  it('ends a key for good, and returns the same however often it is repeated', async () => {
    const key = await client.mint();
    const first = await client.revoke(key.keyId);
    expect(first.status).toBe(200);
    expect(revokeApiKey.response.schema.safeParse(first.body).success).toBe(true);
    expect(first.body).toMatchObject({ key_id: key.keyId, revoked: true });
    expect(await resolve(keys, key.plaintext)).toBe(Denial.REVOKED);
    const again = await Promise.all([client.revoke(key.keyId), client.revoke(key.keyId)]);
    for (const answer of again) expect(answer).toMatchObject({ status: 200, body: first.body });
    expect((await client.read(key.keyId)).body['revoked_at']).toBe(first.body['revoked_at']);
  });

  it('lets a key revoke itself', async () => {
    const key = await client.mint();
    expect(await client.revoke(key.keyId, key.caller)).toMatchObject({ status: 200 });
    expect(await resolve(keys, key.plaintext)).toBe(Denial.REVOKED);
  });

  it('reaches the keys of the tenant and of its test tenant, and nobody else’s', async () => {
    const test = await client.mint({ type: 'test' });
    const otherTenant = await makeTenant(keys);
    expect(await client.revoke(test.keyId, otherTenant.live)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await client.revoke(tenant.live.keyId, tenant.test)).toMatchObject({ status: 404 });
    expect(await client.revoke(newId('key'))).toMatchObject({ status: 404 });
    expect(await resolve(keys, test.plaintext)).toMatchObject({ tenantId: tenant.testTenantId });
    expect(await client.revoke(test.keyId)).toMatchObject({ status: 200 });
    expect(await resolve(keys, test.plaintext)).toBe(Denial.REVOKED);
  });

  it('needs keys:write and nothing else', async () => {
    const key = await client.mint();
    const reader = { ...tenant.live, scopes: ['keys:read'] as const };
    expect(await client.revoke(key.keyId, reader)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    const invalidate = await client.mint({ scopes: ['keys:write'] });
    expect(await client.revoke(key.keyId, { ...invalidate.caller, scopes: ['keys:write'] })).toMatchObject({
      status: 200,
    });
  });

  it('leaves the children of a key alone, unless it is ephemeral: then all below end with it', async () => {
    const parent = await client.mint();
    const child = await client.mint({}, parent.caller);
    await client.revoke(parent.keyId);
    expect(await resolve(keys, child.plaintext)).toMatchObject({ keyId: child.keyId });

    const ephemeral = await client.mint({ type: 'ephemeral' });
    const below = await client.mint({}, ephemeral.caller);
    const deeper = await client.mint({ type: 'ephemeral' }, below.caller);
    const deepest = await client.mint({ type: 'test' }, deeper.caller);
    await client.revoke(ephemeral.keyId);
    for (const { plaintext } of [ephemeral, below, deeper, deepest])
      expect(await resolve(keys, plaintext)).toBe(Denial.REVOKED);
  });

  it('leaves no child behind of a key that mints while it is revoked', async () => {
    for (let round = 0; round < 10; round++) {
      const ephemeral = await client.mint({ type: 'ephemeral' });
      const minting = Array.from({ length: 6 }, () => client.mint({}, ephemeral.caller).catch(() => null));
      const revoked = await client.revoke(ephemeral.keyId);
      expect(revoked.status).toBe(200);
      for (const child of await Promise.all(minting))
        if (child !== null) expect(await resolve(keys, child.plaintext)).toBe(Denial.REVOKED);
    }
  });

  it('is an event in the retained stream, once for each key', async () => {
    const said: string[] = [];
    const bus = await connectEventBus({ natsUrl: keys.nats.url, name: 'spec' });
    const consumer = await consumeEvents({
      bus,
      database: keys.database.worker,
      durable: 'spec-revoked',
      subject: 'cairn.event.keys.key.revoked.>',
      logger: pino({ level: 'silent' }),
      async handle(_tx, event) {
        if (event.payload.case === 'keyRevoked') said.push(event.payload.value.keyId);
      },
    });
    const [key, last] = [await client.mint(), await client.mint()];
    await client.revoke(key.keyId);
    await client.revoke(key.keyId);
    await client.revoke(last.keyId);
    await eventually(() => said.includes(last.keyId));
    expect(said.filter((id) => id === key.keyId)).toHaveLength(1);
    await consumer.close();
    await bus.close();
  });
});
