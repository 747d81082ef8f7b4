import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { eventually } from '@cairn/testing';
import { noise } from './forwarder-bench.ts';
import { bytesOf, headOf, openCall } from './http-call.ts';
import { RawConnection } from './raw-connection.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

const DOCUMENTS = '/api/v1/memory/documents';
const STREAM = '/api/v1/memory/search/stream';
const SEARCH_MAX_BYTES = 256 * 1_024;
let gateway: TestGateway;
let key = '';

beforeAll(async () => {
  gateway = await startTestGateway();
  key = gateway.keys.mint();
});
afterAll(() => gateway.close());
beforeEach(() => {
  gateway.services.memory.seen.length = 0;
  gateway.services.memory.handle((request, response) => {
    response.setHeader('content-type', request.headers['content-type'] ?? 'none');
    request.pipe(response);
  });
});

const open = (path: string, headers: Record<string, string | number> = {}) =>
  openCall(gateway.url, path, { method: 'POST', headers: { 'x-api-key': key, ...headers } });

describe('a body', () => {
  it.each([
    ['five megabytes', { 'content-type': 'application/json', 'content-length': 5_000_000 }, noise(5_000_000)],
    [
      'five megabytes in pieces',
      { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      noise(5_000_000),
    ],
    [
      'a form with a file',
      { 'content-type': 'multipart/form-data; boundary=x' },
      Buffer.concat([Buffer.from('--x\r\n\r\n'), noise(1_000_000), Buffer.from('\r\n--x--\r\n')]),
    ],
  ])('of %s passes byte for byte', async (_name, headers, body) => {
    const answer = await gateway.call(key, DOCUMENTS, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(headers['content-type']);
    expect(answer.bytes.equals(body)).toBe(true);
  });

  it('that arrives while keys are asked loses nothing, sent with a length or in pieces', async () => {
    for (const headers of [{ 'content-length': 300_000 }, { 'transfer-encoding': 'chunked' }]) {
      let release: (() => void) | undefined;
      gateway.keys.delay(() => new Promise<void>((resolve) => (release = resolve)));
      const call = openCall(gateway.url, DOCUMENTS, {
        method: 'POST',
        headers: { 'x-api-key': gateway.keys.mint(), ...headers },
      });
      const head = headOf(call);
      call.end(noise(300_000));
      await eventually(() => release !== undefined);
      // An answer to another caller proves that the gateway has read what was there to read.
      await gateway.call(key, DOCUMENTS, { method: 'POST' });
      release!();
      gateway.keys.delay(async () => undefined);
      expect((await bytesOf(await head)).equals(noise(300_000))).toBe(true);
    }
  });

  it('is not gathered: the service reads its beginning before its end is sent', async () => {
    let read = 0;
    gateway.services.memory.handle((request, response) => {
      request.on('data', (chunk: Buffer) => (read += chunk.length));
      request.on('end', () => response.end());
    });
    const call = open(DOCUMENTS, { 'content-length': 2_000_000 });
    const head = headOf(call);
    call.write(noise(1_000_000));
    await eventually(() => read === 1_000_000);
    call.end(noise(1_000_000));
    expect((await head).statusCode).toBe(200);
    expect(read).toBe(2_000_000);
  });

  it('exactly as large as the bound passes, in pieces', async () => {
    const answer = await gateway.call(key, '/api/v1/memory/search', {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
      body: noise(SEARCH_MAX_BYTES),
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.bytes).toHaveLength(SEARCH_MAX_BYTES);
  });

  it('in pieces that grows past the bound is cut with 413, and the service never has it whole', async () => {
    let whole = 0;
    let cut = 0;
    gateway.services.memory.handle((request) => {
      request.resume();
      request.on('end', () => whole++);
      request.on('error', () => cut++);
    });
    const call = open('/api/v1/memory/search', { 'transfer-encoding': 'chunked' });
    const head = headOf(call);
    call.end(noise(SEARCH_MAX_BYTES + 100_000));
    const answer = await head;
    expect(answer.statusCode).toBe(413);
    expect(answer.headers.connection).toBe('close');
    expect(JSON.parse((await bytesOf(answer)).toString())).toMatchObject({ code: 'payload_too_large', status: 413 });
    await eventually(() => cut === 1);
    expect(whole).toBe(0);
  });

  it('without an end is cut with 413, too', async () => {
    gateway.services.memory.handle((request) => void request.resume().on('error', () => undefined));
    const connection = new RawConnection(gateway.url).send(
      `POST /api/v1/memory/search HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const piece = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000), Buffer.from('\r\n')]);
    for (let sent = 0; sent < 40; sent++) connection.send(piece);
    expect((await connection.response()).status).toBe(413);
    connection.socket.destroy();
  });
});

describe('a client that waits for 100 Continue', () => {
  const head = (length: number, expectation = '100-continue', credential = key) =>
    `POST ${DOCUMENTS} HTTP/1.1\r\nHost: a\r\nx-api-key: ${credential}\r\nContent-Length: ${length}\r\nExpect: ${expectation}\r\n\r\n`;

  it('is told to go on when the request is let through, and the service does not see the expectation', async () => {
    for (const expectation of ['100-continue', '100-Continue']) {
      const connection = new RawConnection(gateway.url).send(head(3, expectation));
      expect((await connection.response()).status).toBe(100);
      connection.send('abc');
      await connection.receives('abc');
      expect(connection.received).toMatch(/^HTTP\/1\.1 200 /);
      connection.socket.destroy();
      expect(gateway.services.memory.seen.at(-1)!.headers).not.toHaveProperty('expect');
    }
  });

  it('gets 413 for a body that is too large, without having sent it', async () => {
    const connection = new RawConnection(gateway.url).send(head(100_000_000));
    const answer = await connection.response();
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } });
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'payload_too_large' });
    connection.socket.end();
    await connection.closes();
    expect(gateway.services.memory.seen).toHaveLength(0);
  });

  it('gets 401 without a valid key, before it has sent its body', async () => {
    const connection = new RawConnection(gateway.url).send(head(3, '100-continue', gateway.keys.unknown()));
    expect((await connection.response()).status).toBe(401);
    connection.socket.end();
    await connection.closes();
    expect(connection.received).toBe('');
  });
});

describe('a streamed response', () => {
  it('is not held back by the gateway: the first event is seen before the last is sent', async () => {
    let service: ServerResponse | undefined;
    gateway.services.memory.handle((request, response) => {
      request.resume();
      service = response;
      response
        .writeHead(200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store, no-transform',
        })
        .flushHeaders();
    });
    const call = open(STREAM);
    const head = headOf(call);
    call.end('{}');
    const stream = await head;
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    });
    let received = '';
    stream.on('data', (chunk: Buffer) => (received += chunk.toString()));
    for (const event of ['event: sources\ndata: 1\n\n', ': keep-alive\n\n', 'event: token\ndata: 2\n\n']) {
      const before = received;
      service!.write(event);
      await eventually(() => received === before + event);
    }
    service!.end('event: done\n\n');
    await eventually(() => stream.complete);
    expect(received).toMatch(/event: done\n\n$/);
  });

  it('that the client leaves ends the work of the service at once, before and after the first event', async () => {
    for (const first of [null, 'event: sources\n\n']) {
      let ended = false;
      gateway.services.memory.handle((request, response) => {
        request.resume();
        response.once('close', () => (ended = true));
        if (first !== null) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
      });
      const before = gateway.services.memory.seen.length;
      const call = open(STREAM);
      const head = headOf(call).then(
        (stream) => stream.on('error', () => undefined),
        () => null,
      );
      call.end('{}');
      await eventually(() => gateway.services.memory.seen.length > before);
      if (first !== null) await head;
      call.destroy();
      await eventually(() => ended, Boolean, 1_000);
    }
  });

  it('that the service breaks off ends the connection, and the gateway goes on', async () => {
    gateway.services.memory.handle((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: sources\n\n', () => request.socket.resetAndDestroy());
    });
    const call = open(STREAM);
    const head = headOf(call);
    call.end('{}');
    await expect(head.then(bytesOf)).rejects.toThrow();
    expect((await gateway.call(key, '/api/v1/memories')).status).toBe(200);
  });
});

describe('a service that is down', () => {
  it('is 503 with Retry-After for its operations only', async () => {
    const alone = await startTestGateway({ memoryHttp: 'http://127.0.0.1:1' });
    try {
      const mine = alone.keys.mint();
      const answer = await alone.call(mine, DOCUMENTS, { method: 'POST', body: '{}' });
      expect(answer.status).toBe(503);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(JSON.parse(answer.text)).toEqual({
        type: '/docs/errors#unavailable',
        title: 'Temporarily unavailable',
        status: 503,
        detail: expect.not.stringMatching(/ECONN|127\.0\.0\.1|memory/),
        code: 'unavailable',
        request_id: answer.headers['x-request-id'],
      });
      expect(answer.headers).toHaveProperty('ratelimit');
      expect((await alone.call(mine, '/api/v1/memories')).status).toBe(200);
    } finally {
      await alone.close();
    }
  });
});
