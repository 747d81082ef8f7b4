import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@cairn/testing';
import { callHttp } from './http-call.ts';
import { type RawResponse, RawConnection } from './raw-connection.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

const PATH = '/api/v1/memory/search';
let gateway: TestGateway;
let key = '';

beforeAll(async () => {
  gateway = await startTestGateway({}, { headersTimeoutMs: 400, requestTimeoutMs: 900, checkEveryMs: 50 });
  key = gateway.keys.mint();
});
afterAll(() => gateway.close());
afterEach(async () => {
  expect((await gateway.call(key, '/api/v1/memories')).status).toBe(200);
});

const raw = () => new RawConnection(gateway.url);

function expectProblem(answer: RawResponse, status: number, code: string): void {
  expect(JSON.parse(answer.body)).toEqual({
    type: `/docs/errors#${code}`,
    title: expect.stringMatching(/./),
    status,
    detail: expect.stringMatching(/./),
    code,
    request_id: answer.headers['x-request-id'],
  });
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
}

describe('bytes that are no request', () => {
  const OK_KEY = 'x-api-key: KEY\r\n';
  it.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', `GET ${PATH} HTTP/3.0\r\nHost: a\r\n\r\n`],
    ['an unknown method', `FETCH ${PATH} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a space in the target', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n'],
    [
      'a length and pieces at once',
      `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${OK_KEY}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${OK_KEY}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`],
    [
      'the same length twice',
      `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${OK_KEY}Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd`,
    ],
    ['an invalid length', `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${OK_KEY}Content-Length: +4\r\n\r\nabcd`],
    ['a space before the colon', `GET ${PATH} HTTP/1.1\r\nHost: a\r\nx-api-key : KEY\r\n\r\n`],
    ['a folded header', `GET ${PATH} HTTP/1.1\r\nHost: a\r\nx-a: b\r\n c\r\n\r\n`],
    ['a control character in a header', `GET ${PATH} HTTP/1.1\r\nHost: a\r\nx-a: b\u0001c\r\n\r\n`],
    ['a bare carriage return', `GET ${PATH} HTTP/1.1\r\nHost: a\r\nx-a: b\rc\r\n\r\n`],
    [
      'another coding than chunked',
      `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${OK_KEY}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a coding that never ends', `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${OK_KEY}Transfer-Encoding: gzip\r\n\r\nabc`],
    [
      'chunked after something else',
      `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${OK_KEY}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
    ],
    ['pieces on HTTP/1.0', `POST ${PATH} HTTP/1.0\r\nHost: a\r\n${OK_KEY}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a target in absolute form', `POST http://evil.test${PATH} HTTP/1.1\r\nHost: a\r\n${OK_KEY}\r\n`],
    ['an absolute target for a page', 'GET http://evil.test/healthz HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a target that names another host', `POST //evil.test${PATH} HTTP/1.1\r\nHost: a\r\n${OK_KEY}\r\n`],
    ['a target with dot segments', `GET /api/v1/memories/../api-keys HTTP/1.1\r\nHost: a\r\n${OK_KEY}\r\n`],
    ['a fragment', `GET /api/v1/memories#/../api-keys HTTP/1.1\r\nHost: a\r\n${OK_KEY}\r\n`],
    ['no host', `POST ${PATH} HTTP/1.1\r\n${OK_KEY}\r\n`],
    ['no host for a page', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['two hosts', `POST ${PATH} HTTP/1.1\r\nHost: a\r\nHost: b\r\n${OK_KEY}\r\n`],
    ['an empty host', `POST ${PATH} HTTP/1.1\r\nHost:\r\n${OK_KEY}\r\n`],
    ['a host with a path', `POST ${PATH} HTTP/1.1\r\nHost: a/b\r\n${OK_KEY}\r\n`],
    ['a host with a user', `POST ${PATH} HTTP/1.1\r\nHost: me@a\r\n${OK_KEY}\r\n`],
    ['another expectation than 100-continue', `POST ${PATH} HTTP/1.1\r\nHost: a\r\n${OK_KEY}Expect: wonders\r\n\r\n`],
    ['more headers than anyone needs', `GET ${PATH} HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(300)}\r\n`],
  ])('are 400, in the shape of every error: %s', async (_name, bytes) => {
    const before = Object.values(gateway.services).flatMap(({ seen }) => seen).length;
    const connection = raw().send(Buffer.from(bytes.replace('KEY', key), 'latin1'));
    expectProblem(await connection.response(), 400, 'malformed_request');
    // Whatever follows on such a connection is not looked at, or is a request of its own.
    connection.socket.end();
    await connection.closes();
    expect(connection.received).not.toMatch(/HTTP\/1\.1 2/);
    expect(Object.values(gateway.services).flatMap(({ seen }) => seen)).toHaveLength(before);
  });

  it('header fields beyond 32 KiB are 431', async () => {
    const connection = raw().send(`GET ${PATH} HTTP/1.1\r\nHost: a\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`);
    expectProblem(await connection.response(), 431, 'malformed_request');
    connection.socket.end();
    await connection.closes();
  });

  it('a tunnel is refused', async () => {
    const connection = raw().send('CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n');
    expectProblem(await connection.response(), 405, 'method_not_allowed');
    connection.socket.end();
    await connection.closes();
  });

  it('more of the same after the refusal gets one response', async () => {
    const connection = raw().send('nonsense\r\n\r\n');
    expectProblem(await connection.response(), 400, 'malformed_request');
    for (let round = 0; round < 5; round++) connection.send('more nonsense\r\n\r\n');
    await connection.closes();
    expect(connection.received).toBe('');
  });

  it('a body that breaks the rules in its middle is 400, and the service’s part ends', async () => {
    let broken = false;
    gateway.services.memory.handle((request) => {
      request.resume();
      request.on('error', () => (broken = true));
    });
    const connection = raw().send(
      `POST ${PATH} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    );
    const before = gateway.services.memory.seen.length;
    await eventually(() => gateway.services.memory.seen.length > before);
    connection.send('nonsense\r\n');
    expectProblem(await connection.response(), 400, 'malformed_request');
    await eventually(() => broken, Boolean, 5_000);
    await connection.closes();
  });

  it('nonsense behind a request is not mixed into its response', async () => {
    let finish: (() => void) | undefined;
    gateway.services.memory.handle((request, response) => {
      request.resume();
      finish = () => response.end('whole');
    });
    const connection = raw().send(
      `POST ${PATH} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nContent-Length: 2\r\n\r\n{}nonsense\r\n\r\n`,
    );
    await connection.closes();
    expect(connection.received).toBe('');
    finish?.();
  });
});

describe('callers that take their time', () => {
  it('a header that arrives byte by byte is cut with 408', async () => {
    const connection = raw().send('GET /healthz HTTP/1.1\r\nHost: a\r\nx-a: ');
    const drip = setInterval(() => connection.send('a'), 50);
    try {
      expectProblem(await connection.response(), 408, 'request_timeout');
      await connection.closes();
    } finally {
      clearInterval(drip);
    }
  });

  it('a connection that says nothing is cut', async () => {
    await raw().closes();
  });

  it('a body that arrives byte by byte is cut with 408, and the service’s part ends', async () => {
    let broken = false;
    gateway.services.memory.handle((request) => {
      request.resume();
      request.on('error', () => (broken = true));
    });
    const connection = raw().send(
      `POST ${PATH} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nContent-Length: 1000\r\n\r\n`,
    );
    const drip = setInterval(() => connection.send('a'), 50);
    try {
      expectProblem(await connection.response(), 408, 'request_timeout');
      await connection.closes();
    } finally {
      clearInterval(drip);
    }
    await eventually(() => broken, Boolean, 5_000);
  });

  it('a stream that takes longer than any of these bounds is not cut', async () => {
    gateway.services.memory.handle((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let sent = 0;
      const timer = setInterval(() => {
        response.write(`data: ${++sent}\n\n`);
        if (sent < 15) return;
        clearInterval(timer);
        response.end();
      }, 100);
    });
    const answer = await gateway.call(key, `${PATH}/stream`, { method: 'POST', body: '{}' });
    expect(answer.text.split('\n\n')).toHaveLength(16);
  });
});

describe('a connection after an error', () => {
  it('goes on when the whole request had arrived', async () => {
    const connection = raw();
    for (let round = 0; round < 3; round++) {
      connection.send(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}`);
      expectProblem(await connection.response(), 401, 'credential_missing');
    }
    connection.send(`GET /api/v1/memories HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nConnection: close\r\n\r\n`);
    await connection.closes();
    expect(connection.received).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('closes before the end of the body, after the caller could read the response', async () => {
    const connection = raw().send(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n`);
    connection.send(Buffer.alloc(30_000));
    const answer = await connection.response();
    expectProblem(answer, 401, 'credential_missing');
    expect(answer.headers['connection']).toBe('close');
    connection.send(Buffer.alloc(60_000));
    await connection.closes();
    expect(connection.received).toBe('');
  });

  it('does not take the rest of a refused body for a request', async () => {
    const smuggled = `GET /api/v1/memories HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n\r\n`;
    const before = gateway.services.tenancy.seen.length;
    const connection = raw().send(`POST ${PATH} HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n`);
    expect((await connection.response()).status).toBe(401);
    connection.send(smuggled);
    await connection.closes();
    expect(connection.received).toBe('');
    expect(gateway.services.tenancy.seen).toHaveLength(before);
  });

  it('pipelined requests are answered in their order', async () => {
    gateway.services.memory.handle((request, response) => {
      request.resume();
      setImmediate(() => response.setHeader('content-length', 1).end('a'));
    });
    const connection = raw().send(
      `POST ${PATH} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nContent-Length: 0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /nothing HTTP/1.1\r\nHost: a\r\n\r\n`,
    );
    expect(
      [await connection.response(), await connection.response(), await connection.response()].map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200, 404]);
    connection.socket.destroy();
  });
});

describe('two hundred bad beginnings', () => {
  it('leave the gateway at work', async () => {
    const connections = Array.from({ length: 200 }, (_, index) =>
      raw().send(['GET', 'x'.repeat(50), '\r\n\r\n', 'GET / HTTP/1.1\r\nHost'][index % 4]!),
    );
    for (const [index, connection] of connections.entries()) {
      if (index % 2 === 0) connection.reset();
      else connection.socket.destroy();
    }
    await Promise.all(connections.map((connection) => connection.closes()));
    expect((await callHttp(gateway.url, '/healthz')).status).toBe(200);
  });
});
