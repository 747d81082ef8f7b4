import { expect, it } from '@jest/globals';
import type { Duplex } from 'node:stream';
import { eventually } from '@cairn/testing';
import { benchFor, type CreateForwarder, noise } from './forwarder-bench.ts';
import { RawConnection } from './raw-connection.ts';
import { HANDSHAKE_HEADERS, switchingProtocols } from './web-socket-echo.ts';

const HANDSHAKE = `GET /socket?a=b HTTP/1.1\r\nHost: a\r\n${Object.entries(HANDSHAKE_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')}\r\n`;

export function describeUpgrades(create: CreateForwarder): void {
  const bench = benchFor(create);

  /** The service agrees, with this handed the connection. */
  function agree(use: (socket: Duplex) => void, more = ''): void {
    bench().service.upgrade((request, socket, head) => {
      socket.on('error', () => undefined);
      // Node leaves the half of an upgraded connection open that the other side did not close.
      socket.once('end', () => socket.end());
      socket.write(switchingProtocols(request.headers['sec-websocket-key'], more));
      if (head.length > 0) socket.unshift(head);
      use(socket);
    });
  }
  const echo = () => agree((socket) => socket.pipe(socket));
  const open = (more = '') => new RawConnection(bench().url).send(HANDSHAKE + more);
  const gone = () => eventually(() => bench().service.open() === 0, Boolean, 2_000);

  it('carries bytes both ways, those too that come with the head', async () => {
    agree((socket) => {
      socket.write('hello ');
      socket.pipe(socket);
    }, 'x-cairn-secret: ours\r\nserver: us\r\n');
    const client = open('early ');
    await client.receives('hello early ');
    expect(client.received).toMatch(/^HTTP\/1\.1 101 /);
    expect(client.received).toMatch(/sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/i);
    expect(client.received).toMatch(/x-request-id: req-1/i);
    expect(client.received).not.toMatch(/x-cairn-|server:/i);
    expect(bench().service.seen[0]).toMatchObject({
      url: '/socket?a=b',
      headers: { upgrade: 'websocket', 'sec-websocket-version': '13' },
    });
    client.send(noise(500_000));
    await eventually(
      () => client.received.length > 500_000 && client.received.endsWith(noise(500_000).toString('latin1')),
    );
    client.socket.destroy();
    await gone();
  });

  it('that the client resets ends the service’s connection', async () => {
    echo();
    const client = open('a');
    await client.receives('\r\n\r\na');
    client.reset();
    await gone();
  });

  it('that the client ends ends the service’s connection', async () => {
    echo();
    const client = open('a');
    await client.receives('\r\n\r\na');
    client.socket.end();
    await client.closes();
    await gone();
  });

  it('that the service resets ends the client’s connection', async () => {
    agree((socket) => {
      socket.write('last words');
      socket.once('data', () => (socket as unknown as { resetAndDestroy(): void }).resetAndDestroy());
    });
    const client = open();
    await client.receives('last words');
    client.send('a');
    await client.closes();
    await gone();
  });

  it('that the service ends brings its last words before it ends', async () => {
    agree((socket) => socket.end(noise(300_000)));
    const client = open();
    await client.closes();
    expect(client.received.endsWith(noise(300_000).toString('latin1'))).toBe(true);
    await gone();
  });

  it('that the service refuses gets its response, without headers of ours', async () => {
    bench().service.upgrade((_request, socket) => {
      socket.end(
        'HTTP/1.1 403 N\u00f6\r\nContent-Type: a/b\r\nContent-Length: 2\r\nx-cairn-secret: ours\r\nServer: us\r\n\r\nno',
      );
    });
    const client = open();
    const answer = await client.response();
    expect(answer).toMatchObject({
      status: 403,
      body: 'no',
      headers: { 'content-type': 'a/b', 'x-request-id': 'req-1', connection: 'close' },
    });
    expect(answer.headers).not.toHaveProperty('x-cairn-secret');
    expect(answer.headers).not.toHaveProperty('server');
    await client.closes();
    await gone();
  });

  it('to a service that is not there is 503', async () => {
    bench().sendTo('http://127.0.0.1:1');
    const client = open();
    const answer = await client.response();
    expect(answer).toMatchObject({ status: 503, headers: { 'x-request-id': 'req-1' } });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'unavailable' });
    client.socket.end();
    await client.closes();
  });

  it('to a service that hangs up is 503', async () => {
    bench().service.upgrade((_request, socket) => socket.destroy());
    expect((await open().response()).status).toBe(503);
  });

  it('whose client is gone before the service agrees leaves nothing', async () => {
    for (const leave of [
      (client: RawConnection) => client.reset(),
      (client: RawConnection) => client.socket.destroy(),
    ]) {
      let agreeLate: (() => void) | undefined;
      bench().service.upgrade((request, socket) => {
        socket.on('error', () => undefined);
        socket.once('end', () => socket.end());
        socket.resume();
        agreeLate = () => socket.write(switchingProtocols(request.headers['sec-websocket-key']));
      });
      const client = open();
      await eventually(() => agreeLate !== undefined);
      leave(client);
      await client.closes();
      agreeLate!();
      await gone();
    }
  });

  it('fifty of them, reset by either side, leave no connection', async () => {
    const sockets: Duplex[] = [];
    agree((socket) => sockets.push(socket.resume()));
    const clients = Array.from({ length: 50 }, () => open());
    await Promise.all(clients.map((client) => client.receives('\r\n\r\n')));
    clients.forEach((client, index) => {
      if (index % 2 === 0) client.reset();
      else (sockets[index] as unknown as { resetAndDestroy(): void }).resetAndDestroy();
    });
    await Promise.all(clients.map((client) => client.closes()));
    await gone();
  });
}
