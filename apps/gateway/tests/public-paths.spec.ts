import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { isGuarded, KeyKind, newId, OPERATIONS } from '@cairn/contracts';
import { IDENTITY_HEADER } from '@cairn/identity';
import { callHttp } from './http-call.ts';
import { RawConnection } from './raw-connection.ts';
import { TENANT } from './fake-services.ts';
import { MEMORY_DOMAIN, startTestGateway, type TestGateway } from './gateway-harness.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());
afterEach(() => {
  gateway.services.keys.seen.length = 0;
});

const OPEN = OPERATIONS.filter((operation) => !isGuarded(operation));
const BASIC = `Basic ${Buffer.from('client:secret').toString('base64')}`;
const FORM = 'application/x-www-form-urlencoded';
const ask = (path: string, headers: Record<string, string> = {}, url = gateway.url) =>
  callHttp(url, path, { method: OPEN.find((operation) => operation.path === path)?.method ?? 'GET', headers });
const seen = () => gateway.services.keys.seen.at(-1)!;

describe.each(OPEN.map(({ path }) => [path]))('%s', (path) => {
  it('needs no credential, and says of nobody that they asked', async () => {
    expect((await ask(path, { [IDENTITY_HEADER]: 'forged', 'x-tenant-id': TENANT })).status).toBe(200);
    expect(await gateway.callerOf('keys', seen())).toEqual({
      kind: 'service',
      service: { service: 'gateway', admitUntilMs: expect.any(Number) },
    });
    expect(seen().headers).not.toHaveProperty('x-tenant-id');
    expect(seen().headers['x-forwarded-for']).toBe('127.0.0.1');
  });

  it('forwards no key, valid or not, and looks none up', async () => {
    const key = gateway.keys.mint();
    const before = gateway.keys.asked();
    const carried: Record<string, string>[] = [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { 'x-api-key': 'nonsense' },
    ];
    for (const headers of carried) {
      expect((await ask(path, headers)).status).toBe(200);
      expect(seen().headers).not.toHaveProperty('x-api-key');
      expect(seen().headers).not.toHaveProperty('authorization');
      expect(JSON.stringify(seen().rawHeaders)).not.toContain(key);
    }
    expect(gateway.keys.asked()).toBe(before);
  });

  it('is not there on the hostname of a memory', async () => {
    gateway.memoryHosts.set('mine', { memoryId: newId('memory'), tenantId: TENANT });
    const answer = await ask(path, { host: `mine.${MEMORY_DOMAIN}` });
    expect(answer.status).toBe(404);
    expect(gateway.services.keys.seen).toHaveLength(0);
  });
});

describe('a path without a credential', () => {
  let limited: TestGateway;
  beforeAll(async () => {
    limited = await startTestGateway({ openRequestsPerSecond: 1, trustedProxies: 1 });
  });
  afterAll(() => limited.close());

  it.each(OPEN.map(({ path }, place) => [path, place] as const))(
    'is limited by the caller’s address, whoever it says it is: %s',
    async (path, place) => {
      const from = (address: string) => ask(path, { 'x-forwarded-for': address }, limited.url);
      /** More than the rate earns meanwhile, on however slow a machine; returns what was refused. */
      const flood = async (addresses: string[]) => {
        const answers = await Promise.all(addresses.map(async (sender) => ({ sender, answer: await from(sender) })));
        return answers.filter(({ answer }) => answer.status === 429);
      };
      const address = `198.51.100.${place}`;
      const mapped = `::ffff:${address}`;
      const first = await from(address);
      expect([first.status, first.headers['ratelimit-policy']]).toEqual([200, '"default";q=5;w=5']);
      const refused = await flood(Array.from({ length: 25 }, (_, n) => (n % 6 === 5 ? mapped : address)));
      // Counted by itself it would have a burst of its own.
      expect(refused.map(({ sender }) => sender)).toContain(mapped);
      expect(refused[0]!.answer.headers['retry-after']).toBe('1');
      expect((await from(`203.0.113.${place}`)).status).toBe(200);
      const network = Array.from({ length: 25 }, (_, n) => `2001:db8:${place}:1::${n}`);
      expect(await flood(network)).not.toHaveLength(0);
      expect((await from(`2001:db8:${place}:2::1`)).status).toBe(200);
      // Keys are not counted among them.
      const key = limited.keys.mint();
      expect((await limited.call(key, '/api/v1/memories', { headers: { 'x-forwarded-for': address } })).status).toBe(
        200,
      );
    },
  );
});

describe('an OAuth client', () => {
  it('has its own authentication and form brought to keys', async () => {
    const body = 'grant_type=client_credentials&scope=a+b';
    let received = '';
    gateway.services.keys.handle((request, response) => {
      request.on('data', (chunk: Buffer) => (received += chunk.toString()));
      request.on('end', () => response.end('{}'));
    });
    const headers = { authorization: BASIC, 'content-type': FORM };
    expect((await callHttp(gateway.url, '/oauth/token', { method: 'POST', headers, body })).status).toBe(200);
    expect(seen().headers['authorization']).toBe(BASIC);
    expect(seen().headers['content-type']).toBe(FORM);
    expect(received).toBe(body);
  });

  it('may authenticate once', async () => {
    const head = `POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n`;
    const connection = new RawConnection(gateway.url).send(
      `${head}Authorization: ${BASIC}\r\nAuthorization: ${BASIC}\r\n\r\n`,
    );
    const answer = await connection.response();
    expect(answer.status).toBe(400);
    connection.socket.end();
    expect(gateway.services.keys.seen).toHaveLength(0);
  });

  it.each([
    [
      'a body that is too large',
      { headers: { 'content-length': '20000', 'content-type': FORM } },
      413,
      'invalid_request',
    ],
  ])('is told of %s in the shape of RFC 6749', async (_what, options, status, error) => {
    const answer = await callHttp(gateway.url, '/oauth/token', {
      method: 'POST',
      body: 'x'.repeat(20_000),
      ...options,
    });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      status,
      { error, error_description: expect.stringMatching(/./) },
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is told that keys is down in that shape, too', async () => {
    const own = await startTestGateway();
    try {
      await own.services.keys.close();
      const answer = await ask('/oauth/token', {}, own.url);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        503,
        { error: 'temporarily_unavailable', error_description: expect.stringMatching(/./) },
      ]);
    } finally {
      await own.close();
    }
  });
});

describe('an OAuth token', () => {
  it('is a credential like any key, in either header, and its use counts for the client', async () => {
    const keyId = newId('oauthClient');
    const token = gateway.keys.mint({
      keyId,
      credentialId: newId('oauthToken'),
      kind: KeyKind.OAUTH,
      scopes: ['memories:read'],
    });
    const ways: Record<string, string>[] = [{ 'x-api-key': token }, { authorization: `Bearer ${token}` }];
    for (const headers of ways) {
      const answer = await callHttp(gateway.url, '/api/v1/memories', { headers });
      expect(answer.status).toBe(200);
      const caller = await gateway.callerOf('tenancy', gateway.services.tenancy.seen.at(-1)!);
      expect(caller).toMatchObject({ kind: 'tenant', identity: { kind: 'oauth', keyId, scopes: ['memories:read'] } });
    }
    expect((await gateway.call(token, '/api/v1/workspaces')).status).toBe(403);
  });
});

describe('a path that demands a credential', () => {
  it.each(OPERATIONS.filter(isGuarded).map(({ method, path }) => ({ method, path: path.replace(/\{\w+\}/g, 'x') })))(
    '$method $path has none of this: Basic is no credential there',
    async ({ method, path }) => {
      const none = await callHttp(gateway.url, path, { method });
      expect([none.status, JSON.parse(none.text).code]).toEqual([401, 'credential_missing']);
      const basic = await callHttp(gateway.url, path, { method, headers: { authorization: BASIC } });
      expect([basic.status, JSON.parse(basic.text).code]).toEqual([401, 'credential_invalid']);
    },
  );
});
