import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Denial, newId } from '@cairn/contracts';
import { callHttp, headOf, openCall } from './http-call.ts';
import { TENANT } from './fake-services.ts';
import { MEMORY_DOMAIN, startTestGateway, type TestGateway } from './gateway-harness.ts';

const MEMORIES = '/api/v1/memories';
const SESSIONS = '/api/v1/console/sessions';
let gateway: TestGateway;
let session: string;
let sessionId: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  gateway.memoryHosts.set('mine', { memoryId: newId('memory'), tenantId: TENANT });
});
afterAll(() => gateway.close());
beforeEach(() => {
  sessionId = newId('session');
  session = gateway.keys.mintSession({ keyId: newId('key'), credentialId: sessionId });
  for (const service of Object.values(gateway.services)) service.seen.length = 0;
});

const own = () => new URL(gateway.url).origin;
const cookie = (value = session) => ({ cookie: `theme=dark; cairn_session=${value}` });
const call = (headers: Record<string, string>, method = 'GET', path = MEMORIES) =>
  callHttp(gateway.url, path, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });

describe('a session in the cookie', () => {
  it('is admitted as its key, by its own id, and the cookie goes no further', async () => {
    expect(await call(cookie())).toMatchObject({ status: 200 });
    const [seen] = gateway.services.tenancy.seen;
    expect(seen!.headers).not.toHaveProperty('cookie');
    expect(JSON.stringify(seen!.headers)).not.toContain(session);
    expect(await gateway.callerOf('tenancy', seen!)).toMatchObject({ identity: { credentialId: sessionId } });
  });

  it('is admitted to change something from a page of the host that is asked', async () => {
    const json = { 'content-type': 'application/json' };
    expect(await call({ ...cookie(), ...json, origin: own(), 'sec-fetch-site': 'same-origin' }, 'POST')).toMatchObject({
      status: 200,
    });
    const localhost = `localhost:${new URL(gateway.url).port}`;
    const named = { ...cookie(), ...json, host: localhost, origin: `http://${localhost}` };
    expect(await call(named, 'POST')).toMatchObject({ status: 200 });
  });

  it('is that of the environment which the page names, else the live one, else the test one', async () => {
    const testId = newId('session');
    const test = gateway.keys.mintSession({ keyId: newId('key'), credentialId: testId });
    const both = `cairn_session=${session}; cairn_test_session=${test}`;
    const who = async (headers: Record<string, string>) => {
      gateway.services.tenancy.seen.length = 0;
      const { status } = await call(headers);
      if (status !== 200) return status;
      return gateway.callerOf('tenancy', gateway.services.tenancy.seen[0]!);
    };
    const asSession = (credentialId: string) => ({ identity: { credentialId } });
    expect(await who({ cookie: both })).toMatchObject(asSession(sessionId));
    expect(await who({ cookie: both, 'cairn-environment': 'live' })).toMatchObject(asSession(sessionId));
    expect(await who({ cookie: both, 'cairn-environment': 'test' })).toMatchObject(asSession(testId));
    expect(await who({ cookie: `cairn_test_session=${test}` })).toMatchObject(asSession(testId));
    // What the page means is not there: it must not become the other one.
    expect(await who({ cookie: `cairn_test_session=${test}`, 'cairn-environment': 'live' })).toBe(401);
    expect(await who({ ...cookie(), 'cairn-environment': 'test' })).toBe(401);
    expect(await who({ ...cookie(), 'cairn-environment': 'both' })).toBe(401);
    expect(await who({ cookie: `${both}; cairn_test_session=${test}`, 'cairn-environment': 'test' })).toBe(401);
  });

  it('counts for nothing beside a key in a header', async () => {
    const keyId = newId('key');
    const key = gateway.keys.mint({ keyId });
    expect(await call({ ...cookie(), 'x-api-key': key, origin: 'https://evil.test' })).toMatchObject({ status: 200 });
    const caller = await gateway.callerOf('tenancy', gateway.services.tenancy.seen[0]!);
    expect(caller).toMatchObject({ identity: { keyId, credentialId: keyId } });
  });

  it.each([
    ['changes something without naming its page', 'POST', {}, 403],
    ['changes something from a page of another host', 'POST', { origin: 'https://evil.test' }, 403],
    ['changes something from a page of no host', 'POST', { origin: 'null' }, 403],
    ['changes something from this host at another port', 'POST', { origin: 'http://127.0.0.1:1' }, 403],
    ['deletes something from a page of another host', 'DELETE', { origin: 'https://evil.test' }, 403],
    ['reads something for a page of another host', 'GET', { origin: 'https://evil.test' }, 403],
    ['was sent by a page of another site', 'GET', { 'sec-fetch-site': 'cross-site' }, 403],
    ['was sent by a page of a sister host', 'GET', { 'sec-fetch-site': 'same-site' }, 403],
  ])('is refused when the request %s', async (_, method, headers, status) => {
    const path = method === 'DELETE' ? `${MEMORIES}/${newId('memory')}` : MEMORIES;
    const answer = await call({ ...cookie(), ...(headers as Record<string, string>) }, method, path);
    expect(answer).toMatchObject({ status });
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'permission_denied' });
    expect(gateway.services.tenancy.seen).toHaveLength(0);
  });

  it.each([
    ['of a key', () => cookie(gateway.keys.mint())],
    ['that nobody opened', () => cookie(gateway.keys.unknownSession())],
    ['that has expired', () => cookie(gateway.keys.mintSession(Denial.EXPIRED))],
    ['twice, of which a sister host set one', () => ({ cookie: `cairn_session=${session}; cairn_session=${session}` })],
    ['of a name that only pages behind https can have', () => ({ cookie: `__Host-cairn_session=${session}` })],
    ['on the hostname of a memory', () => ({ ...cookie(), host: `mine.${MEMORY_DOMAIN}` })],
  ])('is no credential %s', async (_, headers) => {
    expect(await call(headers())).toMatchObject({ status: 401 });
    expect(gateway.services.tenancy.seen).toHaveLength(0);
  });

  it('is no credential in a header, where only its thief could have put it', async () => {
    expect(await call({ 'x-api-key': session })).toMatchObject({ status: 401 });
    expect(await call({ authorization: `Bearer ${session}` })).toMatchObject({ status: 401 });
  });

  it('opens no WebSocket: a page has a ticket for it', async () => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const path = '/api/v1/memory/documents';
    const opened = openCall(gateway.url, path, { headers: { ...upgrade, ...cookie() } });
    opened.end();
    expect((await headOf(opened)).statusCode).toBe(401);
  });
});

describe('signing in', () => {
  const json = { 'content-type': 'application/json' };

  it.each([
    ['a program', {}, 200],
    ['a page of this host', { 'sec-fetch-site': 'same-origin', origin: 'own' }, 200],
    ['a page of another host', { origin: 'https://evil.test' }, 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('is for %s', async (_, headers, status) => {
    const sent: Record<string, string> = { ...json, ...headers };
    if (sent['origin'] === 'own') sent['origin'] = own();
    const answer = await call(sent, 'POST', SESSIONS);
    expect(answer.status).toBe(status);
    expect(gateway.services.keys.seen).toHaveLength(status === 200 ? 1 : 0);
  });

  it('carries neither a key nor an earlier cookie on', async () => {
    await call({ ...json, ...cookie(), 'x-api-key': gateway.keys.mint(), origin: own() }, 'POST', SESSIONS);
    const [seen] = gateway.services.keys.seen;
    expect(seen!.headers).not.toHaveProperty('cookie');
    expect(seen!.headers).not.toHaveProperty('x-api-key');
  });
});

describe('a gateway behind https', () => {
  it('takes the cookie that no sister host can set, and no other', async () => {
    const secured = await startTestGateway({ baseUrl: 'https://cairn.test' });
    try {
      const value = secured.keys.mintSession({ credentialId: newId('session') });
      const at = (headers: Record<string, string>, method = 'GET') =>
        callHttp(secured.url, MEMORIES, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) });
      expect(await at({ cookie: `__Host-cairn_session=${value}` })).toMatchObject({ status: 200 });
      expect(await at({ cookie: `cairn_session=${value}` })).toMatchObject({ status: 401 });
      // A proxy may ask by another name than browsers do.
      const page = { cookie: `__Host-cairn_session=${value}`, origin: 'https://cairn.test' };
      expect(await at({ ...page, 'content-type': 'application/json' }, 'POST')).toMatchObject({ status: 200 });
      const plain = { ...page, origin: 'http://cairn.test', 'content-type': 'application/json' };
      expect(await at(plain, 'POST')).toMatchObject({ status: 403 });
    } finally {
      await secured.close();
    }
  });
});
