import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeEvent, Denial, KeyKind, ROLE_SCOPES, ROLES } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { eraseRemovedMembers } from '../src/credentials/member-store.ts';
import { keyClient } from './changing-keys.ts';
import { makeTenant, resolve, type RunningKeys, runKeys, type Tenant } from './keys-harness.ts';
import { openWith, peopleOf, SESSIONS } from './people.ts';

let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
});
afterAll(() => keys.close());
afterEach(() => keys.setTime(null));

const people = peopleOf(
  () => keys,
  () => tenant,
);
const DAY_MS = 24 * 3_600_000;

describe('a member', () => {
  it.each(ROLES)('who is %s may do what the role says, in sessions alone', async (role) => {
    const { memberId, secret, email } = await people.join(role);
    expect(await resolve(keys, secret)).toMatchObject({
      keyId: memberId,
      kind: KeyKind.MEMBER,
      tenantId: tenant.tenantId,
      livemode: true,
      scopes: [...ROLE_SCOPES[role]],
    });
    const { body } = await keys.call(tenant.live, 'GET', `/api/v1/members/${memberId}`);
    expect(body).toMatchObject({ member_id: memberId, email, role, linked: false, removed_at: null });
    expect(body['last_signed_in_at']).not.toBeNull();
  });

  it('reads who it is, and is no key of the tenant', async () => {
    const { memberId, caller, email } = await people.join('developer');
    const { body } = await keys.call(caller, 'GET', '/api/v1/whoami');
    expect(body).toMatchObject({
      member: { member_id: memberId, email, role: 'developer' },
      credential: { kind: 'member', id: memberId, prefix: null },
    });
    const { read, change, rotate, revoke } = keyClient(keys, () => tenant);
    for (const answer of [read(memberId), change(memberId, { name: 'x' }), rotate(memberId), revoke(memberId)])
      expect(await answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const listed = (await keys.call(tenant.live, 'GET', '/api/v1/api-keys')).body['api_keys'] as { key_id: string }[];
    expect(listed.map(({ key_id }) => key_id)).toEqual([tenant.live.keyId, tenant.test.keyId]);
  });

  it('is on every gateway what its role has become, when the answer to the change arrives', async () => {
    const { memberId, secret } = await people.join('viewer');
    const changed = await people.change(memberId, { role: 'admin', name: 'Ada' });
    expect(changed).toMatchObject({ status: 200, body: { role: 'admin', name: 'Ada' } });
    expect(await resolve(keys, secret)).toMatchObject({ scopes: [...ROLE_SCOPES.admin] });
    await people.change(memberId, { role: 'viewer' });
    expect(await resolve(keys, secret)).toMatchObject({ scopes: [...ROLE_SCOPES.viewer] });
  });

  it('ends with all its sessions, its tickets and what it invited, and the keys that it made live on', async () => {
    const { memberId, secret, caller } = await people.join('owner');
    const { ticket } = (await keys.call(tenant.live, 'POST', `/api/v1/members/${memberId}/tickets`)).body;
    const { invitation } = (await people.invite('later@example.com', 'viewer', caller)).body;
    const { plaintext, keyId } = await keyClient(keys, () => tenant).mint({}, caller);
    const removed = await people.remove(memberId);
    expect(removed).toMatchObject({ status: 200, body: { member_id: memberId, removed: true } });
    expect(await resolve(keys, secret)).toBe(Denial.REVOKED);
    expect((await openWith(keys, { ticket })).body).toMatchObject({ code: 'credential_revoked' });
    const late = await openWith(keys, { invitation: { secret: invitation, name: 'Late' } });
    expect(late).toMatchObject({ status: 401, body: { code: 'credential_invalid' } });
    expect(await resolve(keys, plaintext)).toMatchObject({ keyId });
    expect((await people.remove(memberId)).body).toEqual(removed.body);
    expect(await people.change(memberId, { role: 'viewer' })).toMatchObject({ status: 409 });
  });

  it('is removed with everything that came of it, where that is asked for', async () => {
    const { memberId, caller } = await people.join('owner');
    const { keyId, plaintext } = await keyClient(keys, () => tenant).mint({}, caller);
    const invited = await people.join('viewer', caller);
    const removed = await people.remove(memberId, tenant.live, '?descendants=true');
    expect(removed.body['descendants']).toEqual({ members: [invited.memberId], api_keys: [keyId], oauth_clients: [] });
    for (const secret of [plaintext, invited.secret]) expect(await resolve(keys, secret)).toBe(Denial.REVOKED);
    const { body } = await keys.call(tenant.live, 'GET', `/api/v1/members/${invited.memberId}`);
    expect(body['removed_at']).not.toBeNull();
  });

  it('is finished off when the replica that was removing it has died', async () => {
    const { memberId, secret } = await people.join('viewer');
    await keys.database.worker.transaction((tx) =>
      tx.execute("UPDATE api_keys SET closing_since = now() - interval '2 minutes' WHERE key_id = $1", [memberId]),
    );
    await eventually(
      () => resolve(keys, secret),
      (resolved) => resolved === Denial.REVOKED,
      20_000,
    );
    expect((await keys.call(tenant.live, 'GET', `/api/v1/members/${memberId}`)).body['removed_at']).not.toBeNull();
  });

  it('is forgotten by name and address 400 days after the removal', async () => {
    const [gone, lately] = [await people.join('viewer'), await people.join('viewer')];
    for (const { memberId } of [gone, lately]) await people.remove(memberId);
    const read = async ({ memberId }: typeof gone) =>
      (await keys.call(tenant.live, 'GET', `/api/v1/members/${memberId}`)).body;
    await keys.database.worker.transaction(async (tx) => {
      await tx.execute("UPDATE members SET removed_at = now() - interval '401 days' WHERE member_id = $1", [
        gone.memberId,
      ]);
      await eraseRemovedMembers(tx);
    });
    expect(await read(gone)).toMatchObject({ member_id: gone.memberId, email: '', name: '' });
    expect(await read(lately)).toMatchObject({ email: lately.email });
  });

  it('is seen, changed and removed by its own tenant alone, and gone with it', async () => {
    const other = await makeTenant(keys);
    const { memberId, secret } = await people.join('viewer');
    expect((await keys.call(other.live, 'GET', '/api/v1/members')).body).toEqual({ members: [] });
    for (const answer of [
      keys.call(other.live, 'GET', `/api/v1/members/${memberId}`),
      people.change(memberId, { role: 'owner' }, other.live),
      people.remove(memberId, other.live),
      keys.call(other.live, 'POST', `/api/v1/members/${memberId}/tickets`),
    ])
      expect((await answer).status).toBe(404);
    expect(await resolve(keys, secret)).toMatchObject({ keyId: memberId });

    const own = peopleOf(
      () => keys,
      () => other,
    );
    const { secret: theirs } = await own.join('owner');
    await own.invite('somebody@example.com', 'viewer');
    await keys.tenancy.eraseKeys({ tenantId: other.tenantId });
    expect(await resolve(keys, theirs)).toBe(Denial.UNKNOWN);
    for (const table of ['members', 'member_invitations']) {
      const left = await keys.database.worker.transaction((tx) =>
        tx.query(`SELECT 1 FROM ${table} WHERE tenant_id = $1`, [other.tenantId]),
      );
      expect(left).toEqual([]);
    }
  });
});

describe('nobody', () => {
  it('grants, changes or removes more than they hold', async () => {
    const admin = await people.join('admin');
    const developer = await people.join('developer');
    const owner = await people.join('owner');
    const denied = { status: 403, body: { code: 'permission_denied' } };
    expect(await people.invite('x@example.com', 'owner', admin.caller)).toMatchObject(denied);
    expect(await people.invite('x@example.com', 'viewer', developer.caller)).toMatchObject(denied);
    expect(await people.change(admin.memberId, { role: 'owner' }, admin.caller)).toMatchObject(denied);
    expect(await people.change(owner.memberId, { role: 'viewer' }, admin.caller)).toMatchObject(denied);
    expect(await people.remove(owner.memberId, admin.caller)).toMatchObject(denied);
    expect(await keys.call(admin.caller, 'POST', `/api/v1/members/${owner.memberId}/tickets`)).toMatchObject(denied);
    expect((await people.invite('x@example.com', 'admin', admin.caller)).status).toBe(201);
    expect((await people.remove(developer.memberId, admin.caller)).status).toBe(200);
  });

  it.each([
    ['is bound to addresses', { ip_allowlist: ['10.0.0.0/8'] }],
    ['expires', { expires_at: new Date(Date.now() + DAY_MS).toISOString() }],
    ['is limited', { rate_limit: { requests_per_second: 1, burst: 1 } }],
    ['acts in the test environment', { type: 'test' }],
  ])('invites with a key that %s, which a member would not be', async (_, body) => {
    const { caller } = await keyClient(keys, () => tenant).mint(body);
    expect(await people.invite('x@example.com', 'viewer', caller)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    });
  });

  it('is left without an owner, though two remove or demote each other at once', async () => {
    const own = await makeTenant(keys);
    const team = peopleOf(
      () => keys,
      () => own,
    );
    const [one, two] = [await team.join('owner'), await team.join('owner')];
    const answers = await Promise.all([
      team.remove(two.memberId, one.caller),
      team.remove(one.memberId, two.caller),
      team.change(two.memberId, { role: 'viewer' }, one.caller),
      team.change(one.memberId, { role: 'viewer' }, two.caller),
    ]);
    for (const { status } of answers) expect([200, 401, 403, 409]).toContain(status);
    const { members } = (await keys.call(own.live, 'GET', '/api/v1/members')).body as {
      members: { member_id: string; role: string; removed_at: string | null }[];
    };
    const owners = members.filter(({ role, removed_at }) => role === 'owner' && removed_at === null);
    expect(owners).toHaveLength(1);
    const last = owners[0]!.member_id;
    const conflict = { status: 409, body: { code: 'conflict' } };
    expect(await team.remove(last)).toMatchObject(conflict);
    expect(await team.remove(last, own.live, '?descendants=true')).toMatchObject(conflict);
    expect(await team.change(last, { role: 'admin' })).toMatchObject(conflict);
  });
});

describe('an invitation', () => {
  it('is shown once, kept as a digest, and makes one member of twenty who try at once', async () => {
    const invited = await people.invite(' Grace@Example.com ', 'reviewer');
    expect(invited).toMatchObject({
      status: 201,
      body: { email: 'grace@example.com', role: 'reviewer', status: 'open' },
    });
    const { invitation: secret, url, invitation_id: id } = invited.body as Record<string, string>;
    expect(url).toBe(`https://cairn.test/console#invitation=${secret}`);
    expect(keys.logged()).not.toContain(secret);
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => openWith(keys, { invitation: { secret, name: 'Grace' } })),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of tries.filter((each) => each.status !== 200))
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'credential_invalid' });
    const { invitations } = (await keys.call(tenant.live, 'GET', '/api/v1/invitations')).body as {
      invitations: Record<string, unknown>[];
    };
    const listed = invitations.find(({ invitation_id }) => invitation_id === id)!;
    expect(listed).toMatchObject({ status: 'accepted', member_id: expect.stringMatching(/^mbr_/) });
    expect(JSON.stringify(invitations)).not.toContain(secret);
    expect(await keys.call(tenant.live, 'DELETE', `/api/v1/invitations/${id}`)).toMatchObject({ status: 409 });
    expect(await people.invite('grace@example.com', 'viewer')).toMatchObject({ status: 409 });
  });

  it('is void when it was revoked, replaced or is seven days old', async () => {
    const invite = async (email: string) => (await people.invite(email, 'viewer')).body as Record<string, string>;
    const revoked = await invite('one@example.com');
    const first = await keys.call(tenant.live, 'DELETE', `/api/v1/invitations/${revoked['invitation_id']}`);
    expect(first).toMatchObject({ status: 200, body: { status: 'revoked' } });
    expect((await keys.call(tenant.live, 'DELETE', `/api/v1/invitations/${revoked['invitation_id']}`)).body).toEqual(
      first.body,
    );
    const replaced = await invite('two@example.com');
    const late = await invite('two@example.com');
    const accept = async ({ invitation }: Record<string, string>) =>
      (await openWith(keys, { invitation: { secret: invitation, name: 'x' } })).status;
    expect(await accept(revoked)).toBe(401);
    expect(await accept(replaced)).toBe(401);
    keys.setTime(new Date(Date.now() + 7 * DAY_MS + 60_000));
    expect(await accept(late)).toBe(401);
  });

  it('is void when its inviter may not invite any more', async () => {
    const { caller, keyId } = await keyClient(keys, () => tenant).mint();
    const { invitation: secret } = (await people.invite('three@example.com', 'developer', caller)).body;
    await keyClient(keys, () => tenant).change(keyId, { scopes: ['members:write'] });
    const refused = await openWith(keys, { invitation: { secret, name: 'x' } });
    expect(refused).toMatchObject({ status: 401, body: { code: 'credential_invalid' } });
  });

  it('that is repeated with its Idempotency-Key is the same one, without its secret', async () => {
    const again = { 'idempotency-key': 'once' };
    const body = { email: 'four@example.com', role: 'viewer' };
    const call = () => keys.call(tenant.live, 'POST', '/api/v1/invitations', body, again);
    const [first, second] = [await call(), await call()];
    expect(second.body['invitation_id']).toBe(first.body['invitation_id']);
    expect(second.body).not.toHaveProperty('invitation');
    expect(second.body).not.toHaveProperty('url');
  });
});

describe('every sign-in', () => {
  it('is in the audit log, with who it is and which session', async () => {
    const { memberId } = await people.join('viewer');
    const { ticket } = (await keys.call(tenant.live, 'POST', `/api/v1/members/${memberId}/tickets`)).body;
    const opened = [await openWith(keys, { ticket }), await openWith(keys, { api_key: tenant.liveKey })];
    const recorded = await keys.database.worker.transaction((tx) =>
      // Whether or not the relay was here already.
      tx.query<{ payload: Buffer }>(
        "SELECT payload FROM outbox WHERE subject LIKE 'cairn.event.%' UNION ALL SELECT payload FROM published_events WHERE subject LIKE 'cairn.event.%'",
      ),
    );
    const audits = recorded.map(({ payload }) => decodeEvent(payload).payload.value);
    for (const { body } of opened)
      expect(audits).toContainEqual(
        expect.objectContaining({
          operation: 'openSession',
          actorId: body.key_id,
          credentialId: body.session_id,
          actorKind: body.key_id === memberId ? 'member' : 'live',
        }),
      );
  });

  it('of a key opens at most two hundred sessions, of many that try at once', async () => {
    const { plaintext, keyId } = await keyClient(keys, () => tenant).mint();
    await keys.database.worker.transaction((tx) =>
      tx.execute(
        `INSERT INTO console_sessions (tenant_id, session_id, key_id, sha256, address, user_agent, idle_seconds,
                                       idle_expires_at, expires_at)
         SELECT $1, 'sess_' || $2 || n, $2, sha256(($2 || n)::bytea), '', '', 60, now() + interval '1 day',
                now() + interval '1 day' FROM generate_series(1, 195) n`,
        [tenant.tenantId, keyId],
      ),
    );
    const tries = await Promise.all(Array.from({ length: 12 }, () => openWith(keys, { api_key: plaintext })));
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 409)).toHaveLength(7);
    expect((await keys.call(tenant.live, 'GET', SESSIONS)).status).toBe(200);
  });
});
