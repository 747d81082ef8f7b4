import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { eventually, listenOnLoopback } from '@cairn/testing';
import { within } from './within.ts';
import { benchFor, type CreateForwarder, noise } from './forwarder-bench.ts';
import { bytesOf, callHttp, headOf, openCall } from './http-call.ts';

const STREAMS = 200;

interface RawService {
  url: string;
  /** What a new connection gets, once its first bytes arrived. */
  onBytes(listener: (socket: Socket, connection: number, request: string) => void): void;
  connections(): number;
  close(): void;
}

/** A service that may say what no HTTP server would. */
async function startRawService(): Promise<RawService> {
  let listener: (socket: Socket, connection: number, request: string) => void = (socket) => socket.destroy();
  let count = 0;
  const server: Server = createServer((socket) => {
    const connection = ++count;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => listener(socket, connection, bytes.toString('latin1')));
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    onBytes(next) {
      listener = next;
      count = 0;
    },
    connections: () => count,
    close: () => server.close(),
  };
}

export function describeAborts(create: CreateForwarder): void {
  const bench = benchFor(create);
  let raw: RawService;
  beforeAll(async () => {
    raw = await startRawService();
  });
  afterAll(() => raw.close());

  /** A service that never answers; tells of requests it lost. */
  function silentService(begin: (response: ServerResponse) => void = () => undefined): {
    got: IncomingMessage[];
    lost: () => number;
  } {
    const got: IncomingMessage[] = [];
    let lost = 0;
    bench().service.handle((request, response) => {
      got.push(request);
      request.resume();
      request.on('error', () => undefined);
      response.once('close', () => lost++);
      begin(response);
    });
    return { got, lost: () => lost };
  }

  it('a client that goes away before the first byte ends the work of the service', async () => {
    const service = silentService();
    const call = openCall(bench().url, '/');
    call.end();
    await eventually(() => service.got.length === 1);
    call.destroy();
    await eventually(() => service.lost() === 1, Boolean, 1_000);
    expect(bench().failures).toEqual([]);
  });

  it('a client that goes away in the middle of a stream ends the work of the service', async () => {
    const service = silentService((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const call = openCall(bench().url, '/');
    call.end();
    (await headOf(call)).resume();
    call.destroy();
    await eventually(() => service.lost() === 1, Boolean, 1_000);
  });

  it('a client that goes away in the middle of its upload ends the work of the service', async () => {
    for (const headers of [{ 'content-length': 1_000_000 }, { 'transfer-encoding': 'chunked' }]) {
      const service = silentService();
      const call = openCall(bench().url, '/', { method: 'POST', headers });
      call.write(noise(100_000));
      await eventually(() => service.got.length === 1);
      call.destroy();
      await eventually(() => service.lost() === 1, Boolean, 1_000);
      expect(service.got[0]!.complete).toBe(false);
    }
  });

  it('two hundred clients that go away leave no connection', async () => {
    const service = silentService((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    const calls = await Promise.all(
      Array.from({ length: STREAMS }, async () => {
        const call = openCall(bench().url, '/');
        call.end();
        (await headOf(call)).on('error', () => undefined);
        return call;
      }),
    );
    expect(bench().service.open()).toBeGreaterThanOrEqual(STREAMS);
    for (const call of calls) call.destroy();
    await eventually(() => service.lost() === STREAMS, Boolean, 5_000);
    await eventually(() => bench().service.open() <= 1, Boolean, 5_000);
  });

  it('a request that is abandoned ends at the service, and the client’s response is left to whoever abandoned it', async () => {
    const service = silentService();
    bench().onForwarding((forwarding, _request, response) => {
      setImmediate(async () => {
        await eventually(() => service.got.length === 1);
        forwarding.abandon();
        response.writeHead(413).end('ours');
      });
    });
    expect(await callHttp(bench().url, '/')).toMatchObject({ status: 413, text: 'ours' });
    await eventually(() => service.lost() === 1, Boolean, 1_000);
    expect(bench().failures).toEqual([]);
  });

  it('a request that is abandoned at once is the same', async () => {
    const service = silentService();
    bench().onForwarding((forwarding, _request, response) => {
      forwarding.abandon();
      response.writeHead(413).end('ours');
    });
    expect(await callHttp(bench().url, '/', { method: 'POST', body: 'a' })).toMatchObject({
      status: 413,
      text: 'ours',
    });
    await eventually(() => service.got.length === service.lost(), Boolean, 1_000);
    expect(bench().failures).toEqual([]);
  });

  const PROBLEM = { code: 'unavailable', status: 503, request_id: 'req-1' };

  it('a service that is not there is 503 with Retry-After', async () => {
    bench().sendTo('http://127.0.0.1:1');
    for (const body of [undefined, Buffer.from('{}'), noise(3_000_000)]) {
      const answer = await callHttp(bench().url, '/', body === undefined ? {} : { method: 'POST', body });
      expect(answer.status).toBe(503);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(JSON.parse(answer.text)).toMatchObject(PROBLEM);
    }
    expect(bench().failures).toHaveLength(3);
  });

  it.each([
    ['hangs up without an answer', ''],
    ['is no HTTP server', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['says two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na'],
    [
      'wants to change the protocol unasked',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
  ])('a service that %s is 503', async (_name, said) => {
    bench().sendTo(raw.url);
    raw.onBytes((socket) => socket.end(said));
    const answer = await within('an answer', callHttp(bench().url, '/'));
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text)).toMatchObject(PROBLEM);
  });

  it.each([
    ['a reason phrase that cannot be written', 'HTTP/1.1 200 caf\u00e9 \u0001\r\nContent-Length: 1\r\n\r\na'],
    ['a status outside of HTTP', 'HTTP/1.1 099 Odd\r\nContent-Length: 1\r\n\r\na'],
    ['a status far outside of HTTP', 'HTTP/1.1 999 Odd\r\nContent-Length: 1\r\n\r\na'],
    ['header values in latin-1', 'HTTP/1.1 200 OK\r\nx-odd: caf\u00e9\r\nContent-Length: 1\r\n\r\na'],
  ])('a service that answers with %s does not end the process', async (_name, said) => {
    bench().sendTo(raw.url);
    raw.onBytes((socket) => socket.end(Buffer.from(said, 'latin1')));
    const answer = await within('an answer', callHttp(bench().url, '/'));
    expect([200, 502, 503]).toContain(answer.status);
  });

  it.each([
    ['of known length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ['in pieces', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['that turns into nonsense', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nnonsense\r\n'],
  ])(
    'a service that dies in the middle of an answer %s ends the connection: the client cannot take it for whole',
    async (_name, said) => {
      bench().sendTo(raw.url);
      raw.onBytes((socket) => {
        socket.write(said);
        setImmediate(() => socket.resetAndDestroy());
      });
      const call = openCall(bench().url, '/');
      call.end();
      await expect(within('the end of the connection', headOf(call).then(bytesOf))).rejects.toThrow();
      raw.onBytes((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na'));
      expect((await callHttp(bench().url, '/')).text).toBe('a');
    },
  );

  it('a head longer than any client would read is 503', async () => {
    bench().sendTo(raw.url);
    raw.onBytes((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(20_000)}\r\nContent-Length: 1\r\n\r\na`),
    );
    expect((await callHttp(bench().url, '/')).status).toBe(503);
  });

  it('what a service says unasked is nobody’s response', async () => {
    bench().sendTo(raw.url);
    raw.onBytes((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na');
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'), 20);
    });
    for (let round = 0; round < 3; round++) {
      expect(await callHttp(bench().url, '/')).toMatchObject({ status: 200, text: 'a' });
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(raw.connections()).toBe(3);
  });

  it('a client that reads slowly holds the service back, and gets every byte', async () => {
    const body = noise(20_000_000);
    let sent: ServerResponse | undefined;
    bench().service.handle((_request, response) => {
      sent = response;
      response.end(body);
    });
    const call = openCall(bench().url, '/');
    call.end();
    const answer = await headOf(call);
    await eventually(() => sent !== undefined);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent!.writableFinished).toBe(false);
    expect((await bytesOf(answer)).equals(body)).toBe(true);
  });

  /** Answers once a connection, then closes it under the next request. */
  function closesUnderTheSecond(requests: string[]): void {
    bench().sendTo(raw.url);
    const used = new Set<number>();
    raw.onBytes((socket, connection, request) => {
      requests.push(request);
      if (used.has(connection)) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na');
      used.add(connection);
    });
  }

  it('an idle connection that closes under a GET is not the client’s trouble', async () => {
    const requests: string[] = [];
    closesUnderTheSecond(requests);
    for (let round = 0; round < 6; round++)
      expect(await callHttp(bench().url, `/${round}`)).toMatchObject({ status: 200, text: 'a' });
    expect(raw.connections()).toBeGreaterThan(1);
    expect(bench().failures).toEqual([]);
  });

  it('an idle connection that closes under a POST is 503: the service may have begun, so nothing is sent twice', async () => {
    const requests: string[] = [];
    closesUnderTheSecond(requests);
    expect((await callHttp(bench().url, '/first', { method: 'POST', body: 'a' })).status).toBe(200);
    const second = await callHttp(bench().url, '/second', { method: 'POST', body: 'a' });
    expect(second.status).toBe(503);
    expect(requests.filter((request) => request.startsWith('POST /second'))).toHaveLength(1);
  });
}
