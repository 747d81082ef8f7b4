import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Denial, KeyKind, newId } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { within } from './within.ts';
import { RawConnection } from './raw-connection.ts';
import { TENANT } from './fake-services.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';
import { echoWebSocket, HANDSHAKE_HEADERS, switchingProtocols } from './web-socket-echo.ts';

const PATH = '/api/v1/memory/documents';
let gateway: TestGateway;
let key = '';

beforeAll(async () => {
  gateway = await startTestGateway();
  key = gateway.keys.mint();
});
afterAll(() => gateway.close());
afterEach(async () => {
  await eventually(() => gateway.services.memory.open() === 0, Boolean, 5_000);
  gateway.services.memory.seen.length = 0;
  expect((await gateway.call(key, '/api/v1/memories')).status).toBe(200);
});

function handshake(headers: Record<string, string>, path = PATH, method = 'GET'): RawConnection {
  const lines = Object.entries({ host: 'a', ...HANDSHAKE_HEADERS, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return new RawConnection(gateway.url).send(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

describe('a WebSocket', () => {
  it('carries messages both ways between a standard client and a service', async () => {
    gateway.services.memory.upgrade(echoWebSocket);
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}${PATH}?a=b`, {
      headers: { 'x-api-key': key },
    } as never);
    const echoes: unknown[] = [];
    socket.addEventListener('message', ({ data }) => echoes.push(data));
    await within(
      'the opening',
      new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject })),
    );
    for (const text of ['hello', 'ä'.repeat(10_000)]) socket.send(text);
    await eventually(() => echoes.length === 2);
    expect(echoes).toEqual(['hello', 'ä'.repeat(10_000)]);
    const closed = new Promise<{ code: number }>((resolve) => socket.addEventListener('close', resolve as never));
    socket.close(1000);
    expect((await within('the closing', closed)).code).toBe(1000);
  });

  it('is let through by the same steps: the service sees the signed identity and nothing forged', async () => {
    gateway.services.memory.upgrade(echoWebSocket);
    const client = handshake({
      'x-api-key': key,
      'x-cairn-identity': 'forged',
      x_cairn_identity: 'forged',
      'x-tenant-id': 'forged',
      'x-forwarded-for': '6.6.6.6',
      connection: 'Upgrade, x-hop, x-cairn-identity',
      'x-hop': 'forged',
    });
    await client.receives('101 Switching Protocols');
    client.socket.destroy();
    const seen = gateway.services.memory.seen[0]!;
    const { headers, rawHeaders } = seen;
    expect(rawHeaders.join('\n')).not.toMatch(/forged|6\.6\.6\.6|ck_/);
    expect(headers).toMatchObject({ upgrade: 'websocket', connection: 'Upgrade', 'x-forwarded-for': '127.0.0.1' });
    expect(await gateway.callerOf('memory', seen)).toMatchObject({
      kind: 'tenant',
      identity: { tenantId: TENANT },
    });
  });

  it.each([
    ['without a credential', 401, 'credential_missing', () => handshake({})],
    ['with an unknown key', 401, 'credential_invalid', () => handshake({ 'x-api-key': gateway.keys.unknown() })],
    [
      'with a revoked key',
      401,
      'credential_revoked',
      () => handshake({ 'x-api-key': gateway.keys.mintDenied(Denial.REVOKED) }),
    ],
    [
      'with a key for another address',
      403,
      'ip_not_allowed',
      () => handshake({ 'x-api-key': gateway.keys.mint({ ipAllowlist: ['10.0.0.0/8'] }) }),
    ],
    [
      'with a key that lacks the scope',
      403,
      'permission_denied',
      () => handshake({ 'x-api-key': gateway.keys.mint({ scopes: [] }) }),
    ],
    [
      'with a memory key on what is not about a memory',
      403,
      'memory_not_permitted',
      () =>
        handshake(
          { 'x-api-key': gateway.keys.mint({ kind: KeyKind.MEMORY, memoryId: newId('memory') }) },
          '/api/v1/memories',
        ),
    ],
    ['on an unknown path', 404, 'not_found', () => handshake({ 'x-api-key': key }, '/api/v1/nothing')],
    ['on a page of the gateway', 404, 'not_found', () => handshake({ 'x-api-key': key }, '/healthz')],
    ['with another method', 400, 'malformed_request', () => handshake({ 'x-api-key': key }, PATH, 'POST')],
    ['with a body', 400, 'malformed_request', () => handshake({ 'x-api-key': key, 'content-length': '5' })],
    [
      'with a body in pieces',
      400,
      'malformed_request',
      () => handshake({ 'x-api-key': key, 'transfer-encoding': 'chunked' }),
    ],
    ['with a bad host', 400, 'malformed_request', () => handshake({ 'x-api-key': key, host: 'a/b' })],
    [
      'with an absolute target',
      400,
      'malformed_request',
      () => handshake({ 'x-api-key': key }, `http://evil.test${PATH}`),
    ],
  ])('%s is refused with %d %s, and the connection ends', async (_name, status, code, open) => {
    const client = open();
    const response = await client.response();
    expect(response).toMatchObject({
      status,
      headers: { connection: 'close', 'content-type': 'application/json; charset=utf-8' },
    });
    expect(JSON.parse(response.body)).toMatchObject({ status, code, request_id: response.headers['x-request-id'] });
    client.socket.end();
    await client.closes();
    expect(gateway.services.memory.seen).toHaveLength(0);
  });

  it('beyond the rate limit is refused with the time to wait', async () => {
    const limited = gateway.keys.mint({ rateLimit: { requestsPerSecond: 0.1, burst: 1 } as never });
    gateway.services.memory.upgrade(echoWebSocket);
    const first = handshake({ 'x-api-key': limited });
    await first.receives('101 Switching Protocols');
    first.socket.destroy();
    const response = await handshake({ 'x-api-key': limited }).response();
    expect(response).toMatchObject({ status: 429, headers: { 'retry-after': '10', ratelimit: '"default";r=0;t=10' } });
  });

  it('that a refused client does not close is cut', async () => {
    const client = handshake({});
    expect((await client.response()).status).toBe(401);
    await client.closes();
  });

  it('that either side resets ends the other, and the gateway goes on', async () => {
    for (const side of ['client', 'service'] as const) {
      let resetService: (() => void) | undefined;
      gateway.services.memory.upgrade((request, socket) => {
        socket.on('error', () => undefined);
        socket.once('end', () => socket.end());
        socket.resume();
        socket.write(switchingProtocols(request.headers['sec-websocket-key']));
        resetService = () => (socket as unknown as { resetAndDestroy(): void }).resetAndDestroy();
      });
      const client = handshake({ 'x-api-key': key });
      await client.receives('101 Switching Protocols');
      if (side === 'client') client.reset();
      else resetService!();
      await client.closes();
      await eventually(() => gateway.services.memory.open() === 0, Boolean, 5_000);
    }
  });

  it('whose client is gone before it is let through is not opened', async () => {
    let release: (() => void) | undefined;
    gateway.keys.delay(() => new Promise<void>((resolve) => (release = resolve)));
    const client = handshake({ 'x-api-key': gateway.keys.mint() });
    await eventually(() => release !== undefined);
    client.reset();
    await client.closes();
    gateway.keys.delay(async () => undefined);
    expect((await gateway.call(key, '/api/v1/memories')).status).toBe(200);
    release!();
    expect((await gateway.call(gateway.keys.mint(), '/api/v1/memories')).status).toBe(200);
    expect(gateway.services.memory.seen).toHaveLength(0);
  });
});
