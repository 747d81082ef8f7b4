import { describe, expect, it } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { eventually } from '@cairn/testing';

import { describeAborts } from './forwarder-aborts.conformance.ts';
import { describeUpgrades } from './forwarder-upgrades.conformance.ts';
import { bytesOf, callHttp, headOf, openCall } from './http-call.ts';
import { RawConnection } from './raw-connection.ts';

import { benchFor, type CreateForwarder, noise } from './forwarder-bench.ts';

/** What every implementation of the forwarding port has to hold. */
export function describeForwarder(name: string, create: CreateForwarder): void {
  describe(`${name}: a request`, () => describeRequests(create));
  describe(`${name}: a response`, () => describeResponses(create));
  describe(`${name}: a part that goes away`, () => describeAborts(create));
  describe(`${name}: an upgrade`, () => describeUpgrades(create));
}

function describeRequests(create: CreateForwarder): void {
  const bench = benchFor(create);

  /** The service says back what it got. */
  const echo = () =>
    bench().service.handle((request, response) => {
      response.setHeader('content-type', request.headers['content-type'] ?? 'none');
      request.pipe(response);
    });

  it('arrives with its method, target and final headers; the raw ones are not looked at', async () => {
    bench().service.handle((_request, response) => response.end());
    bench().before((request) => {
      delete request.headers['x-removed'];
      request.headers['x-added'] = 'by us';
    });
    await callHttp(bench().url, '/a/%2F?b=c%20d&b=e', {
      method: 'DELETE',
      headers: { 'x-removed': 'a', 'x-kept': 'b' },
    });
    const [seen] = bench().service.seen;
    expect(seen).toMatchObject({
      method: 'DELETE',
      url: '/a/%2F?b=c%20d&b=e',
      headers: { 'x-added': 'by us', 'x-kept': 'b' },
    });
    expect(seen!.headers).not.toHaveProperty('x-removed');
    expect(seen!.headers.host).toBe(new URL(bench().service.url).host);
  });

  it.each([
    ['nothing', {}, Buffer.alloc(0)],
    ['JSON', { 'content-type': 'application/json' }, Buffer.from('{"a":"ä"}')],
    ['five megabytes of known length', { 'content-type': 'application/octet-stream' }, noise(5_000_000)],
    [
      'five megabytes in pieces',
      { 'transfer-encoding': 'chunked', 'content-type': 'application/octet-stream' },
      noise(5_000_000),
    ],
    [
      'a form with a file',
      { 'content-type': 'multipart/form-data; boundary=x' },
      Buffer.concat([Buffer.from('--x\r\n\r\n'), noise(200_000), Buffer.from('\r\n--x--')]),
    ],
  ])('with a body of %s arrives byte for byte', async (_name, headers, body) => {
    echo();
    const length = 'transfer-encoding' in headers ? {} : { 'content-length': body.length };
    const answer = await callHttp(bench().url, '/', { method: 'POST', headers: { ...headers, ...length }, body });
    expect(answer.bytes.equals(body)).toBe(true);
    expect(bench().service.seen[0]!.headers['content-length']).toBe(
      'content-length' in length ? String(body.length) : undefined,
    );
  });

  it('that was paused and is watched before loses no byte', async () => {
    echo();
    let counted = 0;
    bench().before((request) => {
      request.pause();
      request.on('data', (chunk: Buffer) => (counted += chunk.length));
    });
    const body = noise(300_000);
    const answer = await callHttp(bench().url, '/', {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
      body,
    });
    expect(answer.bytes.equals(body)).toBe(true);
    expect(counted).toBe(body.length);
  });

  it('streams: the service reads the beginning before the client has sent the end', async () => {
    let read = '';
    bench().service.handle((request, response) => {
      request.on('data', (chunk: Buffer) => (read += chunk.toString()));
      request.on('end', () => response.end(read));
    });
    const call = openCall(bench().url, '/', { method: 'POST' });
    const head = headOf(call);
    call.write('first ');
    await eventually(() => read === 'first ');
    call.end('last');
    expect((await bytesOf(await head)).toString()).toBe('first last');
  });

  it('is carried by a connection that others used before', async () => {
    bench().service.handle((_request, response) => response.end('a'));
    await callHttp(bench().url, '/');
    await eventually(() => bench().service.open() > 0);
    const before = bench().service.open();
    for (let round = 0; round < 5; round++) await callHttp(bench().url, '/');
    expect(bench().service.open()).toBe(before);
  });
}

function describeResponses(create: CreateForwarder): void {
  const bench = benchFor(create);

  it('passes with status, headers and several cookies, without what is hop-by-hop or in our name', async () => {
    bench().service.handle((_request, response) => {
      response.writeHead(418, 'Short and stout', {
        'content-type': 'a/b',
        'set-cookie': ['a=1', 'b=2'],
        'x-hop': 'hop',
        connection: 'x-hop, keep-alive',
        'x-cairn-secret': 'ours',
        'x-request-id': 'other',
        server: 'us',
        'x-powered-by': 'us',
        upgrade: 'h2c',
      });
      response.end('body');
    });
    const answer = await callHttp(bench().url, '/');
    expect(answer).toMatchObject({
      status: 418,
      text: 'body',
      headers: { 'content-type': 'a/b', 'set-cookie': ['a=1', 'b=2'], 'x-request-id': 'req-1' },
    });
    for (const name of ['x-hop', 'x-cairn-secret', 'server', 'x-powered-by', 'upgrade'])
      expect(answer.headers).not.toHaveProperty(name);
  });

  it.each([204, 304])('of %d has no body', async (status) => {
    bench().service.handle((_request, response) => response.writeHead(status).end());
    expect(await callHttp(bench().url, '/')).toMatchObject({ status, text: '' });
  });

  it('to a HEAD has the head of a GET and no body', async () => {
    bench().service.handle((_request, response) => response.setHeader('content-length', '4').end('body'));
    expect(await callHttp(bench().url, '/', { method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': '4' },
    });
  });

  it('that is a redirect is passed on, not followed', async () => {
    bench().service.handle((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect(await callHttp(bench().url, '/')).toMatchObject({
      status: 302,
      headers: { location: 'http://127.0.0.1:1/' },
    });
  });

  it('that is a stream is not held back: its head comes before the first event, the first event before the last', async () => {
    let service: ServerResponse | undefined;
    bench().service.handle((_request, response) => {
      service = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    });
    const call = openCall(bench().url, '/');
    call.end();
    const stream = await headOf(call);
    let received = '';
    stream.on('data', (chunk: Buffer) => (received += chunk.toString()));
    service!.write('event: first\n\n');
    await eventually(() => received === 'event: first\n\n');
    service!.end('event: last\n\n');
    await eventually(() => received.endsWith('event: last\n\n'));
  });

  it('that comes before the body was read reaches the client, and the connection goes on', async () => {
    bench().service.handle((_request, response) => response.writeHead(422, { 'content-length': 9 }).end('too early'));
    const connection = new RawConnection(bench().url).send(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\n\r\n',
    );
    expect(await connection.response()).toMatchObject({ status: 422, body: 'too early' });
    connection.send(noise(400_000));
    connection.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await connection.response()).status).toBe(422);
    connection.socket.destroy();
  });

  it('closes the connection when the client asked for that', async () => {
    bench().service.handle((_request, response) => response.end('a'));
    const connection = new RawConnection(bench().url).send('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await connection.closes();
    expect(connection.received).toMatch(/connection: close/i);
  });

  it('to HTTP/1.0 is not chunked', async () => {
    bench().service.handle((_request, response) => {
      response.write('a');
      response.end('b');
    });
    const connection = new RawConnection(bench().url).send('GET / HTTP/1.0\r\nHost: a\r\n\r\n');
    await connection.closes();
    expect(connection.received).not.toMatch(/transfer-encoding/i);
    expect(connection.received).toMatch(/\r\n\r\nab$/);
  });
}
