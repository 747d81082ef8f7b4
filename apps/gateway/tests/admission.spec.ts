import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isGuarded, KeyKind, newId, OPERATIONS, SCOPES } from '@cairn/contracts';
import { IDENTITY_HEADER, type VerifiedCaller } from '@cairn/identity';
import { eventually } from '@cairn/testing';
import { callHttp, headOf, openCall } from './http-call.ts';
import { RawConnection } from './raw-connection.ts';
import { TENANT } from './fake-services.ts';
import { MEMORY_DOMAIN, startTestGateway, type TestGateway } from './gateway-harness.ts';

const MEMORY = newId('memory');
const SEARCH = '/api/v1/memory/search';
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
  gateway.memoryHosts.set('mine', { memoryId: MEMORY, tenantId: TENANT });
});
afterAll(() => gateway.close());
beforeEach(() => {
  for (const service of Object.values(gateway.services)) service.seen.length = 0;
});

/** Who the service was told calls. */
async function receivedBy(service: keyof TestGateway['services']): Promise<VerifiedCaller | null> {
  return gateway.callerOf(service, gateway.services[service].seen[0]!);
}

describe('a request that is let through', () => {
  it('reaches the service of its operation with an identity that the gateway signed', async () => {
    const keyId = newId('key');
    const key = gateway.keys.mint({
      keyId,
      scopes: ['memories:read'],
      appPermissions: [{ app: 'tenancy', actions: ['read'] }] as never,
    });
    const before = Date.now();
    expect(await gateway.call(key, '/api/v1/memories?workspace_id=a')).toMatchObject({ status: 200, text: '{}' });
    expect(gateway.services.tenancy.seen).toHaveLength(1);
    expect(gateway.services.tenancy.seen[0]).toMatchObject({ method: 'GET', url: '/api/v1/memories?workspace_id=a' });
    const caller = await receivedBy('tenancy');
    expect(caller).toEqual({
      kind: 'tenant',
      identity: {
        tenantId: TENANT,
        livemode: true,
        keyId,
        credentialId: keyId,
        kind: 'live',
        scopes: ['memories:read'],
        appPermissions: { tenancy: ['read'] },
        memoryId: null,
        spaceId: null,
        hostMemoryId: null,
        admitUntilMs: expect.any(Number),
      },
    });
    const { admitUntilMs } = (caller as { identity: { admitUntilMs: number } }).identity;
    expect(admitUntilMs - before).toBeGreaterThan(1_000);
    expect(admitUntilMs - before).toBeLessThan(20_000);
  });

  it('carries no credential and none of the headers by which the caller claims something', async () => {
    const key = gateway.keys.mint();
    const forged = await gateway.keys.mint();
    await gateway.call(key, '/api/v1/memories', {
      headers: {
        authorization: `Bearer ${key}`,
        'x-cairn-identity': forged,
        x_cairn_identity: forged,
        'x-cairn_identity': forged,
        x_api_key: forged,
        'x-tenant-id': 'tnt_forged',
        'x-user-id': 'forged',
        x_user_id: 'forged',
        'x-forwarded-for': '6.6.6.6',
        x_forwarded_for: '6.6.6.6',
        'x-forwarded-host': 'evil.test',
        'x-forwarded-proto': 'https',
        forwarded: 'for=6.6.6.6',
        'x-real-ip': '6.6.6.6',
        'x-original-url': '/api/v1/api-keys',
        'x-http-method-override': 'DELETE',
        connection: 'x-hop, x-cairn-identity, x-request-id',
        'x-hop': 'hop',
        te: 'trailers',
        'x-harmless': 'kept',
      },
    });
    const { headers, rawHeaders } = gateway.services.tenancy.seen[0]!;
    expect(rawHeaders.join('\n')).not.toMatch(/forged|6\.6\.6\.6|evil|hop|ck_|trailers|DELETE|api-keys/);
    expect(headers).toMatchObject({
      'x-harmless': 'kept',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': new URL(gateway.url).host,
      'x-forwarded-proto': 'http',
      host: new URL(gateway.services.tenancy.url).host,
    });
    expect(headers['x-request-id']).toMatch(/./);
    expect(await receivedBy('tenancy')).toMatchObject({ kind: 'tenant', identity: { tenantId: TENANT } });
  });

  it('carries the identity once, however often the caller sent one', async () => {
    const head = `GET /api/v1/memories HTTP/1.1\r\nHost: a\r\nx-api-key: ${gateway.keys.mint()}\r\n`;
    const connection = new RawConnection(gateway.url).send(
      `${head}X-Cairn-Identity: a\r\nx-cairn-identity: b\r\nX-CAIRN-IDENTITY: c\r\n\r\n`,
    );
    expect((await connection.response()).status).toBe(200);
    connection.socket.end();
    const names = gateway.services.tenancy.seen[0]!.rawHeaders.filter((_, index) => index % 2 === 0);
    expect(names.filter((name) => name.toLowerCase() === IDENTITY_HEADER)).toHaveLength(1);
    expect(await receivedBy('tenancy')).toMatchObject({ kind: 'tenant' });
  });

  it.each(
    OPERATIONS.filter(isGuarded).map((operation) => ({ operation, name: `${operation.method} ${operation.path}` })),
  )('$name goes to its service', async ({ operation }) => {
    const path = operation.path.replace(/\{\w+\}/g, 'some_id');
    const key = gateway.keys.mint({ scopes: operation.scope === null ? [] : [operation.scope] });
    expect((await gateway.call(key, path, { method: operation.method })).status).toBe(200);
    expect(gateway.services[operation.service].seen).toEqual([
      expect.objectContaining({ method: operation.method, url: path }),
    ]);
    const others = gateway.keys.mint({ scopes: SCOPES.filter((scope) => scope !== operation.scope) });
    expect((await gateway.call(others, path, { method: operation.method })).status).toBe(
      operation.scope === null ? 200 : 403,
    );
  });

  it('may name its key in Authorization', async () => {
    const headers = { authorization: `Bearer ${gateway.keys.mint()}` };
    expect((await callHttp(gateway.url, '/api/v1/memories', { headers })).status).toBe(200);
  });

  it('is resolved once by keys, also when many come together', async () => {
    const key = gateway.keys.mint();
    const before = gateway.keys.asked();
    const responses = await Promise.all(Array.from({ length: 20 }, () => gateway.call(key, '/api/v1/memories')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await gateway.call(key, '/api/v1/memories');
    expect(gateway.keys.asked() - before).toBe(1);
  });

  it('that is a HEAD is asked as one', async () => {
    expect(await gateway.call(gateway.keys.mint(), '/api/v1/memories', { method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
    });
    expect(gateway.services.tenancy.seen[0]!.method).toBe('HEAD');
  });

  it('offers HTTP/2 in vain and is served all the same', async () => {
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    };
    expect((await gateway.call(gateway.keys.mint(), '/api/v1/memories', { headers })).status).toBe(200);
    expect(gateway.services.tenancy.seen[0]!.rawHeaders.join()).not.toMatch(/h2c|http2/i);
  });
});

describe("on a memory's own hostname", () => {
  const host = `mine.${MEMORY_DOMAIN}`;

  it('the service is told which memory was called', async () => {
    for (const [kind, memoryId] of [
      [KeyKind.LIVE, ''],
      [KeyKind.MEMORY, MEMORY],
    ] as const) {
      gateway.services.memory.seen.length = 0;
      const key = gateway.keys.mint({ kind, memoryId });
      expect((await gateway.call(key, SEARCH, { method: 'POST', headers: { host }, body: '{}' })).status).toBe(200);
      expect(await receivedBy('memory')).toMatchObject({ identity: { hostMemoryId: MEMORY } });
      expect(gateway.services.memory.seen[0]!.headers['x-forwarded-host']).toBe(host);
    }
  });

  it('the same key elsewhere is not taken to call that memory', async () => {
    const key = gateway.keys.mint();
    await gateway.call(key, SEARCH, { method: 'POST', headers: { host } });
    gateway.services.memory.seen.length = 0;
    await gateway.call(key, SEARCH, { method: 'POST' });
    expect(await receivedBy('memory')).toMatchObject({ identity: { hostMemoryId: null } });
  });

  it('only /api/v1/memory/* and /healthz are served', async () => {
    const key = gateway.keys.mint();
    for (const name of [host, host.toUpperCase(), `${host}.`, `${host}:8080`]) {
      const statusOf = async (path: string) => (await gateway.call(key, path, { headers: { host: name } })).status;
      expect(await statusOf('/healthz')).toBe(200);
      expect(await statusOf('/api/v1/memory/documents')).toBe(200);
      for (const path of [
        '/readyz',
        '/openapi.json',
        '/docs',
        '/docs/try',
        '/llms.txt',
        '/api/v1/memories',
        '/api/v1/api-keys',
        '/',
      ]) {
        expect({ path, status: await statusOf(path) }).toEqual({ path, status: 404 });
      }
    }
  });
});

describe('the id of a request', () => {
  it("is the caller's own, in the response, in the error and at the service", async () => {
    const headers = { 'x-request-id': 'mine-1!' };
    const answer = await gateway.call(gateway.keys.mint(), '/api/v1/memories', { headers });
    expect(answer.headers['x-request-id']).toBe('mine-1!');
    expect(gateway.services.tenancy.seen[0]!.headers['x-request-id']).toBe('mine-1!');
    const refused = await callHttp(gateway.url, '/api/v1/memories', { headers });
    expect(refused.headers['x-request-id']).toBe('mine-1!');
    expect(JSON.parse(refused.text)).toMatchObject({ request_id: 'mine-1!' });
    expect((await callHttp(gateway.url, '/healthz', { headers })).headers['x-request-id']).toBe('mine-1!');
  });

  it('is a new one when the caller sent none or a bad one, and a service cannot change it', async () => {
    gateway.services.tenancy.handle((_request, response) => response.setHeader('x-request-id', 'other').end('{}'));
    for (const id of [undefined, 'x'.repeat(129), 'a b']) {
      const headers = id === undefined ? {} : { 'x-request-id': id };
      const answer = await gateway.call(gateway.keys.mint(), '/api/v1/memories', { headers });
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(gateway.services.tenancy.seen.at(-1)!.headers['x-request-id']).toBe(answer.headers['x-request-id']);
    }
  });
});

describe('behind trusted proxies', () => {
  it("the caller's address is what the outermost of them wrote", async () => {
    const proxied = await startTestGateway({ trustedProxies: 2 });
    try {
      const key = proxied.keys.mint({ ipAllowlist: ['203.0.113.0/24'] });
      const statusFor = async (forwardedFor: string) =>
        (await proxied.call(key, '/api/v1/memories', { headers: { 'x-forwarded-for': forwardedFor } })).status;
      expect(await statusFor('6.6.6.6, 203.0.113.7, 10.0.0.2')).toBe(200);
      expect(proxied.services.tenancy.seen[0]!.headers['x-forwarded-for']).toBe('203.0.113.7');
      expect(await statusFor('203.0.113.7, 6.6.6.6, 10.0.0.2')).toBe(403);
    } finally {
      await proxied.close();
    }
  });
});

describe('a client that is gone before it is let through', () => {
  it('is not asked about any further', async () => {
    let release: (() => void) | undefined;
    gateway.keys.delay(() => new Promise<void>((resolve) => (release = resolve)));
    const before = gateway.keys.asked();
    const call = openCall(gateway.url, '/api/v1/memories', { headers: { 'x-api-key': gateway.keys.mint() } });
    const head = headOf(call).catch((error: unknown) => error);
    call.end();
    await eventually(() => gateway.keys.asked() > before);
    call.destroy();
    await head;
    gateway.keys.delay(async () => undefined);
    // The next answer on the wire comes after whatever the first request still does.
    expect((await callHttp(gateway.url, '/healthz')).status).toBe(200);
    release!();
    expect((await gateway.call(gateway.keys.mint(), '/api/v1/memories')).status).toBe(200);
    expect(gateway.services.tenancy.seen).toHaveLength(1);
  });
});
