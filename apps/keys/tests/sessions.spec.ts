import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Denial, KeyKind, newId } from '@cairn/contracts';
import { hasKeyForm, type Identity } from '@cairn/identity';
import { KNOWN_MEMORY, makeTenant, resolve, type RunningKeys, runKeys, type Tenant } from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
});
afterAll(() => keys.close());
afterEach(() => keys.setTime(null));

const PATH = '/api/v1/console/sessions';
const HOUR_MS = 3_600_000;

interface Opened {
  status: number;
  cookie: string;
  secret: string;
  body: Record<string, unknown> & { session_id: string };
}

async function open(proof: object): Promise<Opened> {
  const response = await keys.open(PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'a browser' },
    body: JSON.stringify(proof),
  });
  const cookie = response.headers.get('set-cookie') ?? '';
  const secret = /^__Host-cairn_session=([^;]*);/.exec(cookie)?.[1] ?? '';
  return { status: response.status, cookie, secret, body: (await response.json()) as Opened['body'] };
}

async function mintBelow(body: object): Promise<{ keyId: string; plaintext: string }> {
  const response = await keys.call(tenant.live, 'POST', '/api/v1/api-keys', { name: 'x', ...body });
  return { keyId: response.body['key_id'] as string, plaintext: response.body['api_key'] as string };
}

const ticketOf = async (caller: Identity) =>
  (await keys.call(caller, 'POST', '/api/v1/console/tickets')).body as { ticket: string; url: string };
const by = (sessionId: string): Identity => ({ ...tenant.live, credentialId: sessionId });

describe('a session of the console', () => {
  it('is a cookie out of reach of pages, and nothing in the answer or the log tells it', async () => {
    const { status, cookie, secret, body } = await open({ api_key: tenant.liveKey });
    expect(status).toBe(200);
    expect(cookie).toMatch(/; Path=\/; Expires=[^;]+ GMT; HttpOnly; Secure; SameSite=Strict$/);
    expect(secret).toMatch(/^cs_/);
    expect(hasKeyForm(secret)).toBe(true);
    expect(JSON.stringify(body)).not.toContain(secret);
    expect(keys.logged()).not.toContain(secret);
    expect(body).toMatchObject({ key_id: tenant.live.keyId, user_agent: 'a browser', current: true, ended_at: null });
  });

  it('of a test key has a cookie of its own, so that a browser can have one of each environment', async () => {
    const { cookie, body } = await open({ api_key: tenant.testKey });
    expect(cookie).toMatch(/^__Host-cairn_test_session=cs_[^;]+; Path=\//);
    expect(body).toMatchObject({ livemode: false });
    const out = await keys.call({ ...tenant.test, credentialId: body.session_id }, 'DELETE', `${PATH}/current`);
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-cairn_test_session=; Path=\/; Expires=Thu, 01 Jan 1970/);
  });

  it('may do what its key may, and is counted as it', async () => {
    const { keyId, plaintext } = await mintBelow({ scopes: ['memory:search'], ip_allowlist: ['10.0.0.0/8'] });
    const { secret, body } = await open({ api_key: plaintext });
    expect(await resolve(keys, secret)).toMatchObject({
      keyId,
      credentialId: body.session_id,
      tenantId: tenant.tenantId,
      kind: KeyKind.LIVE,
      scopes: ['memory:search'],
      ipAllowlist: ['10.0.0.0/8'],
    });
  });

  it('of a memory key reaches that memory alone', async () => {
    const { plaintext } = await mintBelow({ type: 'memory', memory_id: KNOWN_MEMORY, scopes: ['memory:search'] });
    const { secret } = await open({ api_key: plaintext });
    expect(await resolve(keys, secret)).toMatchObject({ kind: KeyKind.MEMORY, memoryId: KNOWN_MEMORY });
  });

  it('is another one each time', async () => {
    const [one, other] = [await open({ api_key: tenant.liveKey }), await open({ api_key: tenant.liveKey })];
    expect(one.secret).not.toBe(other.secret);
    expect(one.body.session_id).not.toBe(other.body.session_id);
  });

  it.each([
    ['revoked', async (keyId: string) => keys.call(tenant.live, 'DELETE', `/api/v1/api-keys/${keyId}`)],
    [
      'revoked with its descendants',
      async (keyId: string) => keys.call(tenant.live, 'DELETE', `/api/v1/api-keys/${keyId}?descendants=true`),
    ],
  ])('ends with its key when that is %s', async (_, revoke) => {
    const { keyId, plaintext } = await mintBelow({ scopes: ['memory:search'] });
    const { secret } = await open({ api_key: plaintext });
    await revoke(keyId);
    expect(await resolve(keys, secret)).toBe(Denial.REVOKED);
    expect((await open({ api_key: plaintext })).body).toMatchObject({ code: 'credential_revoked' });
  });

  it('ends at the latest when its key does, and after seven days', async () => {
    const soon = new Date(Date.now() + HOUR_MS).toISOString();
    const { plaintext } = await mintBelow({ scopes: ['memory:search'], expires_at: soon });
    expect((await open({ api_key: plaintext })).body).toMatchObject({ ends_at: soon, expires_at: soon });
    const { body } = await open({ api_key: tenant.liveKey });
    expect(Date.parse(body['ends_at'] as string) - Date.now()).toBeGreaterThan(167 * HOUR_MS);
  });

  it('ends when it is not used for eight hours, which each use moves', async () => {
    const { secret, body } = await open({ api_key: tenant.liveKey });
    keys.setTime(new Date(Date.now() + 7.9 * HOUR_MS));
    expect(await resolve(keys, secret)).toMatchObject({ credentialId: body.session_id });
    keys.setTime(new Date(Date.now() + 8.1 * HOUR_MS));
    expect(await resolve(keys, secret)).toBe(Denial.EXPIRED);
    keys.setTime(null);
    await aged(body.session_id, '4 hours');
    await resolve(keys, secret);
    keys.setTime(new Date(Date.now() + 7.9 * HOUR_MS));
    expect(await resolve(keys, secret)).toMatchObject({ credentialId: body.session_id });
  });

  it('that has ended of disuse is not brought back by a look-up', async () => {
    const { secret, body } = await open({ api_key: tenant.liveKey });
    await aged(body.session_id, '9 hours');
    expect(await resolve(keys, secret)).toBe(Denial.EXPIRED);
    expect(await resolve(keys, secret)).toBe(Denial.EXPIRED);
  });
});

async function aged(sessionId: string, by: string): Promise<void> {
  await keys.database.worker.transaction((tx) =>
    tx.execute(
      `UPDATE console_sessions SET last_used_at = last_used_at - $2::interval,
              idle_expires_at = idle_expires_at - $2::interval WHERE session_id = $1`,
      [sessionId, by],
    ),
  );
}

describe('a ticket', () => {
  it('opens one session for the key that made it, of twenty that try at once', async () => {
    const { ticket, url } = await ticketOf(tenant.live);
    expect(url).toBe(`https://cairn.test/console#ticket=${ticket}`);
    const tries = await Promise.all(Array.from({ length: 20 }, () => open({ ticket })));
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(tries.find(({ status }) => status === 200)!.body).toMatchObject({ key_id: tenant.live.keyId });
    for (const { body } of tries.filter(({ status }) => status !== 200))
      expect(body).toMatchObject({ code: 'credential_invalid' });
  });

  it('is good for ten minutes, and for nothing when its key was revoked', async () => {
    const { ticket } = await ticketOf(tenant.live);
    keys.setTime(new Date(Date.now() + 10.1 * 60_000));
    expect((await open({ ticket })).status).toBe(401);
    keys.setTime(null);
    const { keyId } = await mintBelow({ scopes: ['memory:search'] });
    const below = await ticketOf({ ...tenant.live, keyId, credentialId: keyId });
    await keys.call(tenant.live, 'DELETE', `/api/v1/api-keys/${keyId}`);
    expect((await open({ ticket: below.ticket })).body).toMatchObject({ code: 'credential_revoked' });
  });

  it('is no key, and neither an OAuth token nor a session can make one', async () => {
    const { ticket } = await ticketOf(tenant.live);
    expect(hasKeyForm(ticket)).toBe(false);
    const oauth = await keys.call({ ...tenant.live, kind: 'oauth' }, 'POST', '/api/v1/console/tickets');
    expect(oauth).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    const { body } = await open({ api_key: tenant.liveKey });
    const session = await keys.call(by(body.session_id), 'POST', '/api/v1/console/tickets');
    expect(session).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
  });
});

describe('what opens no session', () => {
  it.each([
    ['nothing', {}, 422],
    ['both', { api_key: 'ck_live_x', ticket: 'cst_x' }, 422],
    ['a key that does not exist', { api_key: `ck_live_${'0'.repeat(49)}` }, 401],
    ['a ticket that does not exist', { ticket: `cst_${'0'.repeat(49)}` }, 401],
  ])('is %s', async (_, proof, status) => {
    const opened = await open(proof);
    expect(opened).toMatchObject({ status, cookie: '' });
  });

  it('is a session, which cannot lengthen its own life', async () => {
    const { secret } = await open({ api_key: tenant.liveKey });
    expect(await open({ api_key: secret })).toMatchObject({ status: 401, cookie: '' });
  });
});

describe('the sessions of a tenant', () => {
  it('are listed in pages, and ended one by one', async () => {
    const own = await makeTenant(keys);
    for (let count = 0; count < 3; count += 1) await open({ api_key: own.liveKey });
    const first = await keys.call(own.live, 'GET', `${PATH}?limit=2`);
    const rest = await keys.call(own.live, 'GET', `${PATH}?cursor=${String(first.body['next_cursor'])}`);
    const sessions = [first, rest].flatMap(({ body }) => body['sessions'] as { session_id: string }[]);
    expect(sessions).toHaveLength(3);
    const [{ session_id: id }] = sessions as [{ session_id: string }];
    const ended = await keys.call(own.live, 'DELETE', `${PATH}/${id}`);
    expect(ended).toMatchObject({ status: 200, body: { session_id: id, ended: true } });
    expect((await keys.call(own.live, 'DELETE', `${PATH}/${id}`)).body).toEqual(ended.body);
    const listed = (await keys.call(own.live, 'GET', PATH)).body['sessions'] as { ended_at: string | null }[];
    expect(listed.map(({ ended_at }) => ended_at === null)).toEqual([false, true, true]);
  });

  it('are neither seen nor ended by another tenant', async () => {
    const { body, secret } = await open({ api_key: tenant.liveKey });
    const stranger = (await makeTenant(keys)).live;
    expect((await keys.call(stranger, 'GET', PATH)).body).toEqual({ sessions: [] });
    expect((await keys.call(stranger, 'DELETE', `${PATH}/${body.session_id}`)).status).toBe(404);
    expect(await resolve(keys, secret)).toMatchObject({ credentialId: body.session_id });
  });

  it('end by signing out, which takes the cookie away and leaves the key', async () => {
    const { body, secret } = await open({ api_key: tenant.liveKey });
    const out = await keys.call(by(body.session_id), 'DELETE', `${PATH}/current`);
    expect(out).toMatchObject({ status: 200, body: { session_id: body.session_id } });
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-cairn_session=; Path=\/; Expires=Thu, 01 Jan 1970/);
    expect(await resolve(keys, secret)).toBe(Denial.REVOKED);
    expect(await resolve(keys, tenant.liveKey)).toMatchObject({ keyId: tenant.live.keyId });
    expect((await keys.call(tenant.live, 'DELETE', `${PATH}/current`)).status).toBe(404);
  });

  it('are gone with their key', async () => {
    const own = await makeTenant(keys);
    const { secret } = await open({ api_key: own.liveKey });
    await keys.tenancy.eraseKeys({ tenantId: own.tenantId });
    expect(await resolve(keys, secret)).toBe(Denial.UNKNOWN);
    const left = await keys.database.worker.transaction((tx) =>
      tx.query('SELECT session_id FROM console_sessions WHERE tenant_id = $1', [own.tenantId]),
    );
    expect(left).toEqual([]);
  });

  it('have ids of no credential that exists', async () => {
    expect((await keys.call(tenant.live, 'DELETE', `${PATH}/${newId('session')}`)).status).toBe(404);
  });
});
