import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOAuthClient, Denial, getApiKey, newId, revokeApiKey } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { eventually } from '@cairn/testing';
import pg from 'pg';
import { findKey } from '../src/credentials/key-store.ts';
import type { Invalidate } from '../src/invalidation/invalidate.ts';
import { closeKey, revokeLineage } from '../src/invalidation/revoke-lineage.ts';
import { keyClient, type MadeKey } from './changing-keys.ts';
import { standardClient } from './oauth-client.ts';
import { peopleOf } from './people.ts';
import { makeTenant, resolve, type RunningKeys, runKeys, type Tenant } from './keys-harness.ts';

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

interface MadeClient {
  clientId: string;
  secret: string;
}

async function makeClient(caller: Identity): Promise<MadeClient> {
  const body = { name: 'machine', scopes: ['memory:search'] };
  const answer = await keys.call(caller, 'POST', '/api/v1/oauth-clients', body);
  expect(createOAuthClient.response.schema.safeParse(answer.body).success).toBe(true);
  expect(answer.body['parent_key_id']).toBe(caller.keyId);
  return { clientId: answer.body['client_id'] as string, secret: answer.body['client_secret'] as string };
}

const tokenOf = async (made: MadeClient) => (await standardClient(keys).token(made)).access_token;

/** A caller that uses the replacement which `rotator` got for the key. */
async function rotated(key: MadeKey, rotator: Identity): Promise<MadeKey> {
  const { body } = await client.rotate(key.keyId, {}, rotator);
  const keyId = body['key_id'] as string;
  return { keyId, plaintext: body['api_key'] as string, caller: { ...key.caller, keyId, credentialId: keyId } };
}

const revokeAll = (keyId: string, caller = tenant.live) =>
  keys.call(caller, 'DELETE', `/api/v1/api-keys/${keyId}?descendants=true`);

async function asSuperuser<T>(sql: string, values: unknown[]): Promise<T[]> {
  const admin = new pg.Client({ connectionString: keys.database.superuserUrl });
  await admin.connect();
  try {
    return (await admin.query(sql, values)).rows as T[];
  } finally {
    await admin.end();
  }
}

/** As if the keys had been closed so long ago that another replica takes the revocation for interrupted. */
const ageClosing = (keyIds: string[]) =>
  asSuperuser(`UPDATE keys.api_keys SET closing_since = now() - interval '2 minutes' WHERE key_id = ANY($1)`, [keyIds]);

const killed: Invalidate = () => Promise.reject(new Error('killed before any gateway was told'));
const killedReplica = () => ({ invalidate: killed, workerDatabase: keys.database.worker, now: () => new Date() });

describe('where a key came from', () => {
  it('is shown with the key: its parent, the key it replaced, and the key that asked for it', async () => {
    const parent = await client.mint();
    const child = await client.mint({}, parent.caller);
    const replacement = await rotated(child, tenant.live);
    for (const [keyId, shown] of [
      [tenant.live.keyId, { parent_key_id: null, rotated_from: null }],
      [child.keyId, { parent_key_id: parent.keyId, rotated_from: null }],
      [
        replacement.keyId,
        { parent_key_id: parent.keyId, rotated_from: { key_id: child.keyId, rotated_by: tenant.live.keyId } },
      ],
    ] as const) {
      const { body } = await client.read(keyId);
      expect(body).toMatchObject(shown);
      expect(getApiKey.response.schema.safeParse(body).success).toBe(true);
    }
    const { body } = await keys.call(tenant.live, 'GET', `/api/v1/api-keys?parent_key_id=${parent.keyId}`);
    const listed = (body['api_keys'] as { key_id: string }[]).map(({ key_id }) => key_id);
    expect(listed).toEqual([child.keyId, replacement.keyId]);
  });
});

describe('DELETE /api-keys/{key_id}?descendants=true', () => {
  it('revokes everything that the holder of a leaked key made of it, and nothing else', async () => {
    const leaked = await client.mint();
    const bystander = await client.mint();
    const child = await client.mint({}, leaked.caller);
    const grandchild = await client.mint({}, child.caller);
    const test = await client.mint({ type: 'test' }, leaked.caller);
    const replacement = await rotated(leaked, leaked.caller);
    const belowReplacement = await client.mint({}, replacement.caller);
    const taken = await rotated(bystander, grandchild.caller);
    const made = [await makeClient(leaked.caller), await makeClient(test.caller), await makeClient(taken.caller)];
    const tokens = await Promise.all(made.map(tokenOf));
    const sibling = await makeClient(bystander.caller);

    const answer = await revokeAll(leaked.keyId);
    expect(answer.status).toBe(200);
    expect(revokeApiKey.response.schema.safeParse(answer.body).success).toBe(true);
    const below = [child, grandchild, test, replacement, belowReplacement, taken];
    expect(answer.body).toMatchObject({ key_id: leaked.keyId, revoked: true });
    expect(answer.body['descendants']).toEqual({
      members: [],
      api_keys: below.map(({ keyId }) => keyId).toSorted(),
      oauth_clients: made.map(({ clientId }) => clientId).toSorted(),
    });
    for (const plaintext of [leaked, ...below].map((key) => key.plaintext).concat(tokens))
      expect(await resolve(keys, plaintext)).toBe(Denial.REVOKED);
    for (const lost of made) await expect(tokenOf(lost)).rejects.toMatchObject({ status: 401 });

    expect(await resolve(keys, bystander.plaintext)).toMatchObject({ keyId: bystander.keyId });
    expect(await resolve(keys, await tokenOf(sibling))).toMatchObject({ keyId: sibling.clientId });
    expect(await resolve(keys, tenant.liveKey)).toMatchObject({ keyId: tenant.live.keyId });
    expect(await revokeAll(leaked.keyId)).toMatchObject({ status: 200, body: answer.body });
  });

  it('leaves nothing behind of keys that mint, rotate and make clients while they are revoked', async () => {
    for (let round = 0; round < 5; round++) {
      const leaked = await client.mint();
      const made: MadeKey[] = [];
      /** Always goes on from the newest key it got hold of. */
      const flee = async (first: MadeKey) => {
        for (let held = first, steps = 0; steps < 40; steps++) {
          const next = await (steps % 2 === 0 ? client.mint({}, held.caller) : rotated(held, held.caller)).catch(
            () => null,
          );
          if (next?.plaintext === undefined) return;
          made.push(next);
          held = next;
        }
      };
      const fleeing = [flee(leaked), flee(leaked), flee(leaked)];
      await eventually(() => made.length > 2);
      const answer = await revokeAll(leaked.keyId);
      expect(answer.status).toBe(200);
      await Promise.all(fleeing);
      for (const key of made) expect(await resolve(keys, key.plaintext)).toBe(Denial.REVOKED);
    }
  });

  it('is refused without keys:write, for foreign and unknown keys, and for a live key by a test key', async () => {
    const otherTenant = await makeTenant(keys);
    expect(await revokeAll(tenant.live.keyId, otherTenant.live)).toMatchObject({ status: 404 });
    expect(await revokeAll(tenant.live.keyId, tenant.test)).toMatchObject({ status: 404 });
    expect(await revokeAll(newId('key'))).toMatchObject({ status: 404 });
    const reader = { ...tenant.live, scopes: ['keys:read'] as const };
    expect(await revokeAll(tenant.live.keyId, reader)).toMatchObject({ status: 403 });
    const odd = await keys.call(tenant.live, 'DELETE', `/api/v1/api-keys/${tenant.live.keyId}?descendants=yes`);
    expect(odd).toMatchObject({ status: 422, body: { errors: [{ path: 'descendants' }] } });
    expect(await resolve(keys, tenant.liveKey)).toMatchObject({ keyId: tenant.live.keyId });
  });

  it('that was cut off after it had begun is finished by another replica; until then nothing new is made', async () => {
    const leaked = await client.mint();
    const child = await client.mint({ type: 'test' }, leaked.caller);
    const made = await makeClient(child.caller);
    const token = await tokenOf(made);
    const key = await keys.database.worker.transaction((tx) => findKey(tx, leaked.keyId));
    await expect(revokeLineage(killedReplica(), tenant.live, key!, async () => undefined)).rejects.toThrow('killed');
    for (const held of [leaked, child]) {
      expect(await resolve(keys, held.plaintext)).toMatchObject({ keyId: held.keyId });
      const minting = await keys.call(held.caller, 'POST', '/api/v1/api-keys', { name: 'x', type: 'test' });
      expect(minting).toMatchObject({ status: 401, body: { code: 'credential_revoked' } });
      expect(await client.rotate(held.keyId)).toMatchObject({ status: 409 });
    }
    await ageClosing([leaked.keyId, child.keyId]);
    await eventually(async () => (await resolve(keys, token)) === Denial.REVOKED);
    for (const { plaintext } of [leaked, child]) expect(await resolve(keys, plaintext)).toBe(Denial.REVOKED);
  });
});

describe('the removal of a member that was cut off after it had begun', () => {
  const people = peopleOf(
    () => keys,
    () => tenant,
  );
  const permit = async () => undefined;

  async function joinWithClient() {
    const { memberId, secret, caller } = await people.join('developer');
    const token = await tokenOf(await makeClient(caller));
    const key = (await keys.database.worker.transaction((tx) => findKey(tx, memberId)))!;
    await closeKey(killedReplica(), tenant.live, key, permit);
    return { memberId, secret, token, key };
  }

  it('is finished without the OAuth clients of the member', async () => {
    const { memberId, secret, token } = await joinWithClient();
    await ageClosing([memberId]);
    await eventually(async () => (await resolve(keys, secret)) === Denial.REVOKED);
    expect(await resolve(keys, token)).toMatchObject({ tenantId: tenant.tenantId });
  });

  it('is finished with them once it was repeated with descendants', async () => {
    const { memberId, secret, token, key } = await joinWithClient();
    await expect(revokeLineage(killedReplica(), tenant.live, key, permit)).rejects.toThrow('killed');
    await ageClosing([memberId]);
    await eventually(async () => (await resolve(keys, token)) === Denial.REVOKED);
    expect(await resolve(keys, secret)).toBe(Denial.REVOKED);
  });
});
