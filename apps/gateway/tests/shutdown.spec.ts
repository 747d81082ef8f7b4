import { describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { within } from './within.ts';
import { bytesOf, headOf, openCall } from './http-call.ts';
import { RawConnection } from './raw-connection.ts';
import { startTestGateway } from './gateway-harness.ts';
import { echoWebSocket, HANDSHAKE_HEADERS } from './web-socket-echo.ts';

const PATH = '/api/v1/memory/documents';
const DRAIN_MS = 20_000;

describe('a gateway that is stopped', () => {
  it('takes no new connection, lets a request in flight end, and does not wait for connections that are only kept', async () => {
    const gateway = await startTestGateway({}, { drainTimeoutMs: DRAIN_MS });
    const key = gateway.keys.mint();
    const idle = new RawConnection(gateway.url).send(`GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect((await idle.response()).status).toBe(200);
    let finish: (() => void) | undefined;
    gateway.services.memory.handle((_request, response) => {
      finish = () => response.setHeader('content-length', 5).end('whole');
    });
    const busy = new RawConnection(gateway.url).send(`GET ${PATH} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n\r\n`);
    await eventually(() => finish !== undefined);
    const startedMs = Date.now();
    const closing = gateway.close();
    await idle.closes();
    const late = new RawConnection(gateway.url);
    await late.closes();
    finish!();
    expect(await busy.response()).toMatchObject({ status: 200, body: 'whole' });
    await within('the end', closing);
    expect(Date.now() - startedMs).toBeLessThan(DRAIN_MS / 2);
  });

  it('ends WebSockets at once and cuts streams that do not end by themselves, within its bound', async () => {
    const gateway = await startTestGateway({}, { drainTimeoutMs: 500 });
    const key = gateway.keys.mint();
    gateway.services.memory.upgrade(echoWebSocket);
    gateway.services.memory.handle((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const stream = openCall(gateway.url, PATH, { headers: { 'x-api-key': key } });
    stream.end();
    const events = bytesOf(await headOf(stream));
    const lines = Object.entries({ ...HANDSHAKE_HEADERS, 'x-api-key': key }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const socket = new RawConnection(gateway.url).send(`GET ${PATH} HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`);
    await socket.receives('101 Switching Protocols');
    const startedMs = Date.now();
    const outcome = events.then(
      () => 'whole',
      () => 'cut off',
    );
    await within('the end', gateway.close());
    expect(await outcome).toBe('cut off');
    await socket.closes();
    expect(Date.now() - startedMs).toBeLessThan(4_500);
  });
});
