import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Denial } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { keyClient } from '../changing-keys.ts';
import { makeTenant, resolve, type RunningKeys, runKeys, type Tenant } from '../keys-harness.ts';
import { openWith, peopleOf } from '../people.ts';

let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  keys = await runKeys();
});
beforeEach(async () => {
  tenant = await makeTenant(keys);
});
afterEach(() => keys.setTime(null));
afterAll(() => keys.close());

const people = peopleOf(
  () => keys,
  () => tenant,
);
const client = (of: RunningKeys = keys) => keyClient(of, () => tenant);
const DENIED = { status: 403, body: { code: 'permission_denied' } };
const CONFLICT = { status: 409, body: { code: 'conflict' } };

const revokeAll = (keyId: string, caller: Identity) =>
  keys.call(caller, 'DELETE', `/api/v1/api-keys/${keyId}?descendants=true`);
const endSession = (sessionId: string, caller: Identity) =>
  keys.call(caller, 'DELETE', `/api/v1/console/sessions/${sessionId}`);

async function makeOAuthClient(caller: Identity, scopes: string[] = ['memory:search']): Promise<string> {
  const { body } = await keys.call(caller, 'POST', '/api/v1/oauth-clients', { name: 'x', scopes });
  return body['client_id'] as string;
}

const endOAuthClient = (clientId: string, caller: Identity) =>
  keys.call(caller, 'DELETE', `/api/v1/oauth-clients/${clientId}`);

async function isResolved(plaintexts: readonly string[]): Promise<boolean[]> {
  const found = await Promise.all(plaintexts.map((plaintext) => resolve(keys, plaintext)));
  return found.map((each) => typeof each === 'object');
}

describe('a developer', () => {
  it('ends neither the first key with its descendants, nor anybody else by it', async () => {
    const owner = await people.join('owner');
    const developer = await people.join('developer');
    const refused = await revokeAll(tenant.live.keyId, developer.caller);
    expect(refused).toMatchObject(DENIED);
    expect(refused.body['detail']).toContain('scope members:write');
    expect(await isResolved([tenant.liveKey, tenant.testKey, owner.secret, developer.secret])).toEqual([
      true,
      true,
      true,
      true,
    ]);
    // Nothing of it was closed either.
    expect((await client().mint({}, owner.caller)).keyId).toMatch(/^key_/);
  });

  it('ends no session, key, OAuth client or membership of an owner or an admin', async () => {
    const developer = await people.join('developer');
    for (const role of ['owner', 'admin'] as const) {
      const other = await people.join(role);
      const narrow = await client().mint({ scopes: ['memory:search'] }, other.caller);
      const oauthClient = await makeOAuthClient(other.caller);
      const nested = await client().mint({ scopes: ['memory:search'] }, (await client().mint({}, other.caller)).caller);
      for (const answer of [
        endSession(other.caller.credentialId, developer.caller),
        client().revoke(narrow.keyId, developer.caller),
        client().revoke(nested.keyId, developer.caller),
        revokeAll(narrow.keyId, developer.caller),
        client().rotate(narrow.keyId, { overlap_seconds: 0 }, developer.caller),
        client().change(narrow.keyId, { ip_allowlist: ['192.0.2.1/32'] }, developer.caller),
        endOAuthClient(oauthClient, developer.caller),
        people.remove(other.memberId, developer.caller),
      ])
        expect(await answer).toMatchObject(DENIED);
      expect(await isResolved([other.secret, narrow.plaintext, nested.plaintext])).toEqual([true, true, true]);
    }
  });

  it('does not gain more by a key that it mints for the purpose, or that it was given by a rotation', async () => {
    const owner = await people.join('owner');
    const developer = await people.join('developer');
    const target = await client().mint({ scopes: ['memory:search'] }, owner.caller);
    const own = await client().mint({ scopes: ['keys:read', 'keys:write'] }, developer.caller);
    const shared = await client().mint({ scopes: ['keys:read', 'keys:write'] });
    const { body } = await client().rotate(shared.keyId, {}, developer.caller);
    const replacement = { ...tenant.live, keyId: body['key_id'] as string };
    for (const caller of [own.caller, replacement]) {
      expect(await client().revoke(target.keyId, caller)).toMatchObject(DENIED);
      expect(await client().revoke(tenant.live.keyId, caller)).toMatchObject(DENIED);
      expect(await endSession(owner.caller.credentialId, caller)).toMatchObject(DENIED);
    }
  });

  it('ends its own session, keys with their descendants, OAuth clients, and those of other developers', async () => {
    const [one, two] = [await people.join('developer'), await people.join('developer')];
    for (const maker of [one, two]) {
      const key = await client().mint({}, maker.caller);
      const child = await client().mint({}, key.caller);
      expect(await revokeAll(key.keyId, one.caller)).toMatchObject({ status: 200 });
      expect(await resolve(keys, child.plaintext)).toBe(Denial.REVOKED);
      expect((await endOAuthClient(await makeOAuthClient(maker.caller), one.caller)).status).toBe(200);
    }
    expect((await endSession(two.caller.credentialId, one.caller)).status).toBe(200);
    expect((await endSession(one.caller.credentialId, one.caller)).status).toBe(200);
  });
});

describe('a key with keys:write alone', () => {
  const AUTOMATION = { scopes: ['keys:read', 'keys:write'] };

  it('revokes one leaked key and ends a session of it, whatever that key holds', async () => {
    const owner = await people.join('owner');
    const automation = await client().mint(AUTOMATION);
    for (const minter of [tenant.live, owner.caller]) {
      const leaked = await client().mint({}, minter);
      const session = await openWith(keys, { api_key: leaked.plaintext });
      expect((await endSession(session.body.session_id, automation.caller)).status).toBe(200);
      expect((await client().revoke(leaked.keyId, automation.caller)).status).toBe(200);
      expect(await isResolved([leaked.plaintext, session.secret])).toEqual([false, false]);
    }
  });

  it('makes void, with one leaked key, the invitation of an owner that the key made, and withdraws none by name', async () => {
    const automation = await client().mint(AUTOMATION);
    const administrating = await client().mint({ scopes: [...AUTOMATION.scopes, 'members:write'] });
    const leaked = await client().mint();
    const invited = await people.invite('accomplice@example.com', 'owner', leaked.caller);
    const at = `/api/v1/invitations/${invited.body['invitation_id'] as string}`;
    for (const caller of [automation.caller, administrating.caller])
      expect(await keys.call(caller, 'DELETE', at)).toMatchObject(DENIED);
    expect((await client().revoke(leaked.keyId, automation.caller)).status).toBe(200);
    const { invitations } = (await keys.call(tenant.live, 'GET', '/api/v1/invitations')).body as {
      invitations: { status: string }[];
    };
    expect(invitations).toMatchObject([{ status: 'revoked' }]);
    const secret = invited.body['invitation'];
    expect((await openWith(keys, { invitation: { secret, name: 'Accomplice' } })).status).toBe(401);
  });

  it('ends no set that holds more than it does, no ancestor, and nobody', async () => {
    const owner = await people.join('owner');
    const parent = await client().mint();
    const automation = await client().mint(AUTOMATION, parent.caller);
    const other = await client().mint();
    for (const answer of [
      revokeAll(other.keyId, automation.caller),
      revokeAll(tenant.live.keyId, automation.caller),
      client().revoke(parent.keyId, automation.caller),
      client().revoke(tenant.live.keyId, automation.caller),
      client().change(parent.keyId, { scopes: ['keys:read'] }, automation.caller),
      endSession(owner.caller.credentialId, automation.caller),
    ])
      expect(await answer).toMatchObject(DENIED);
    expect(await isResolved([parent.plaintext, other.plaintext, tenant.liveKey, owner.secret])).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect((await revokeAll(automation.keyId, automation.caller)).status).toBe(200);
  });

  it('that an ephemeral key has minted does not end that key, with which it would end itself', async () => {
    const ephemeral = await client().mint({ type: 'ephemeral' });
    const child = await client().mint(AUTOMATION, ephemeral.caller);
    expect(await client().revoke(ephemeral.keyId, child.caller)).toMatchObject(DENIED);
    expect((await client().revoke(ephemeral.keyId)).status).toBe(200);
    expect(await resolve(keys, child.plaintext)).toBe(Denial.REVOKED);
  });
});

describe('an admin', () => {
  it('revokes a leaked key of an owner alone, and not with what the owner made of it', async () => {
    const [owner, admin] = [await people.join('owner'), await people.join('admin')];
    const leaked = await client().mint({}, owner.caller);
    await client().mint({}, leaked.caller);
    const refused = await revokeAll(leaked.keyId, admin.caller);
    expect(refused).toMatchObject(DENIED);
    expect(refused.body['detail']).toContain('scope owners:write');
    expect((await client().revoke(leaked.keyId, admin.caller)).status).toBe(200);
  });

  it('does not remove an owner by removing the admin who invited that owner, with descendants', async () => {
    const first = await people.join('owner');
    const invited = await people.join('owner', first.caller);
    await people.change(first.memberId, { role: 'admin' }, invited.caller);
    const admin = await people.join('admin');
    expect(await people.remove(first.memberId, admin.caller, '?descendants=true')).toMatchObject(DENIED);
    expect(await isResolved([first.secret, invited.secret])).toEqual([true, true]);
    expect((await people.remove(first.memberId, admin.caller)).status).toBe(200);
  });

  it('neither withdraws nor replaces the invitation of an owner', async () => {
    const admin = await people.join('admin');
    const invited = await people.invite('later@example.com', 'owner');
    const id = invited.body['invitation_id'] as string;
    expect(await keys.call(admin.caller, 'DELETE', `/api/v1/invitations/${id}`)).toMatchObject(DENIED);
    expect(await people.invite('later@example.com', 'viewer', admin.caller)).toMatchObject(DENIED);
    const secret = invited.body['invitation'];
    expect((await openWith(keys, { invitation: { secret, name: 'Later' } })).status).toBe(200);
  });

  it('invites whom an owner invited, and withdraws that, once the time of that invitation is over', async () => {
    const admin = await people.join('admin');
    const [first, second] = [
      await people.invite('late@example.com', 'owner'),
      await people.invite('too@example.com', 'owner'),
    ];
    keys.setTime(new Date(Date.parse(first.body['expires_at'] as string) + 60_000));
    expect(await people.invite('late@example.com', 'viewer', admin.caller)).toMatchObject({ status: 201 });
    const id = second.body['invitation_id'] as string;
    expect((await keys.call(admin.caller, 'DELETE', `/api/v1/invitations/${id}`)).status).toBe(200);
    const { invitations } = (await keys.call(tenant.live, 'GET', '/api/v1/invitations')).body as {
      invitations: { email: string; status: string }[];
    };
    expect(invitations.map(({ email, status }) => [email, status])).toEqual(
      expect.arrayContaining([
        ['late@example.com', 'expired'],
        ['late@example.com', 'open'],
      ]),
    );
  });
});

describe('a tenant that has an owner', () => {
  it('keeps one when a key or a member is ended with everything that came of it', async () => {
    const owner = await people.join('owner');
    await people.join('admin', owner.caller);
    for (const caller of [tenant.live, owner.caller]) {
      expect(await revokeAll(tenant.live.keyId, caller)).toMatchObject(CONFLICT);
      expect(await people.remove(owner.memberId, caller, '?descendants=true')).toMatchObject(CONFLICT);
    }
    expect(await isResolved([tenant.liveKey, owner.secret])).toEqual([true, true]);
  });

  it('keeps one when two sets that together hold all owners are ended at once', async () => {
    for (let round = 0; round < 5; round++) {
      tenant = await makeTenant(keys);
      const inviters = [await client().mint(), await client().mint()];
      const owners = [await people.join('owner', inviters[0]!.caller), await people.join('owner', inviters[1]!.caller)];
      const answers = await Promise.all([
        revokeAll(inviters[0]!.keyId, tenant.live),
        revokeAll(inviters[1]!.keyId, tenant.live),
        people.change(owners[0]!.memberId, { role: 'viewer' }),
        people.remove(owners[1]!.memberId),
      ]);
      for (const { status } of answers) expect([200, 409]).toContain(status);
      const { members } = (await keys.call(tenant.live, 'GET', '/api/v1/members')).body as {
        members: { role: string; removed_at: string | null }[];
      };
      expect(members.filter(({ role, removed_at }) => role === 'owner' && removed_at === null)).toHaveLength(1);
    }
  });
});
