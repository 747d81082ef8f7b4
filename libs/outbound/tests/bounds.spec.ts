import { gzipSync, brotliCompressSync, zstdCompressSync, deflateSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { createOutbound, type OutboundRequest } from '../src/index.ts';
import { httpServer, type RunningServer, tcpServer } from './servers.ts';

const BOUNDS = { timeoutMs: 20_000, bodyMaxBytes: 10_000 };
const MIB = 1_048_576;

const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'spec-agent' });
const servers: RunningServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(() => outbound.close());

async function urlOf(listener: RequestListener): Promise<string> {
  const server = await httpServer(listener);
  servers.push(server);
  return `http://127.0.0.1:${server.port}/`;
}

async function ask(listener: RequestListener, request: Partial<OutboundRequest> = {}) {
  return outbound.request(await urlOf(listener), { ...BOUNDS, ...request });
}

describe('the body of an answer', () => {
  it('is taken whole up to its bound', async () => {
    const answer = await ask((_request, response) => response.end('x'.repeat(10_000)));
    expect(answer).toMatchObject({ status: 200, truncated: false });
    expect(answer.body).toHaveLength(10_000);
  });

  it('that is longer is refused for good, or cut short when that is wanted, and never read to its end', async () => {
    let written = 0;
    const endless: RequestListener = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
      };
      response.on('drain', more);
      more();
    };
    await expect(ask(endless)).rejects.toMatchObject({ code: 'body_too_large', retryable: false });
    const cut = await ask(endless, { bodyMaxBytes: 4_096, whenLonger: 'truncate' });
    expect(cut).toMatchObject({ status: 200, truncated: true });
    expect(cut.body).toHaveLength(4_096);
    expect(written).toBeLessThan(64 * MIB);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('is unpacked from %s, and a bomb in it costs no more than its bound', async (encoding, pack) => {
    const sending = (body: Buffer) =>
      ask((_request, response) => response.setHeader('content-encoding', encoding).end(body));
    expect((await sending(pack(Buffer.from('plain')))).body.toString()).toBe('plain');
    await expect(sending(pack(Buffer.alloc(8 * MIB)))).rejects.toMatchObject({ code: 'body_too_large' });
  });

  it('packed twice is bounded at each layer; packed more often or in an unknown way it is refused', async () => {
    const twice = gzipSync(gzipSync(Buffer.alloc(8 * MIB)));
    const layered = (encoding: string, body: Buffer) =>
      ask((_request, response) => response.setHeader('content-encoding', encoding).end(body));
    await expect(layered('gzip, gzip', twice)).rejects.toMatchObject({ code: 'body_too_large' });
    await expect(layered('gzip, gzip, gzip', twice)).rejects.toMatchObject({ code: 'encoding_refused' });
    await expect(layered('constructor', twice)).rejects.toMatchObject({ code: 'encoding_refused' });
    await expect(layered('gzip', Buffer.from('not gzip'))).rejects.toMatchObject({ code: 'answer_malformed' });
  });
});

describe('headers of an answer', () => {
  it('that are too many bytes are refused', async () => {
    const server = await tcpServer((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(40_000)}\r\n\r\n`),
    );
    servers.push(server);
    await expect(outbound.request(`http://127.0.0.1:${server.port}/`, BOUNDS)).rejects.toMatchObject({
      code: 'headers_too_large',
    });
  });

  it('that are not HTTP are a failure of the host', async () => {
    const server = await tcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    servers.push(server);
    await expect(outbound.request(`http://127.0.0.1:${server.port}/`, BOUNDS)).rejects.toMatchObject({
      code: 'answer_malformed',
      retryable: true,
    });
  });
});

describe('time', () => {
  it('ends a request that is not answered, and one whose answer does not end', async () => {
    await expect(ask(() => undefined, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'timed_out_before_headers' });
    const stalls: RequestListener = (_request, response) => response.write('begun');
    await expect(ask(stalls, { timeoutMs: 1_500 })).rejects.toMatchObject({ code: 'timed_out_after_headers' });
  });

  it('ends an answer that drips', async () => {
    const drips: RequestListener = (_request, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    };
    await expect(ask(drips, { timeoutMs: 1_500 })).rejects.toMatchObject({ code: 'timed_out_after_headers' });
  });

  it('covers all redirects together', async () => {
    const slowCircle: RequestListener = (_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 100);
    };
    await expect(ask(slowCircle, { timeoutMs: 1_000, redirectsMax: 1_000 })).rejects.toMatchObject({
      code: 'timed_out_before_headers',
    });
  });

  it('ends at once when the caller gives up', async () => {
    await expect(ask(() => undefined, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ code: 'aborted' });
    await expect(ask(() => undefined, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('a host that', () => {
  it('nobody answers at is a failure that may pass', async () => {
    const server = await tcpServer(() => undefined);
    await server.close();
    await expect(outbound.request(`http://127.0.0.1:${server.port}/`, BOUNDS)).rejects.toMatchObject({
      code: 'connection_failed',
      retryable: true,
    });
  });

  it('hangs up in the middle is a failure, even after its status', async () => {
    const hangsUp: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('begun', () => response.socket!.resetAndDestroy());
    };
    await expect(ask(hangsUp)).rejects.toMatchObject({ code: 'connection_lost', retryable: true });
  });

  it('has a certificate that nobody vouches for is a failure of TLS', async () => {
    const server = createTlsServer({}, () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await expect(outbound.request(`https://127.0.0.1:${port}/`, BOUNDS)).rejects.toMatchObject({ code: 'tls_failed' });
    server.close();
  });

  it('has no name is a failure that may pass', async () => {
    const unresolved = createOutbound({
      allowPrivateNetwork: true,
      userAgent: 'spec',
    });
    await expect(unresolved.request('http://no-such-name.invalid/', BOUNDS)).rejects.toMatchObject({
      code: 'name_not_resolved',
      retryable: true,
    });
    await unresolved.close();
  });
});

describe('redirects', () => {
  it('are answers unless they are to be followed', async () => {
    const answer = await ask((_request, response) => response.writeHead(302, { location: '/other' }).end());
    expect(answer.status).toBe(302);
  });

  it('are followed up to their bound, and tell what answered in the end', async () => {
    const counting: RequestListener = (request, response) => {
      const at = Number(request.url!.slice(1));
      if (at < 3) response.writeHead(301, { location: `/${at + 1}` }).end();
      else response.end('there');
    };
    const answer = await ask(counting, { redirectsMax: 3 });
    expect(answer.body.toString()).toBe('there');
    expect(answer.url).toMatch(/\/3$/);
    await expect(ask(counting, { redirectsMax: 2 })).rejects.toMatchObject({ code: 'redirects_exceeded' });
  });

  it('repeat a body only where the status says so, and carry no credential to another origin', async () => {
    const seen: { method: string; body: string; authorization: string | undefined }[] = [];
    const target = await urlOf((request, response) => {
      request.setEncoding('utf8');
      let body = '';
      request.on('data', (text: string) => (body += text));
      request.on('end', () => {
        seen.push({ method: request.method!, body, authorization: request.headers.authorization });
        response.end();
      });
    });
    for (const status of [307, 303, 302]) {
      const redirecting = await urlOf((_request, response) => response.writeHead(status, { location: target }).end());
      await outbound.request(redirecting, {
        ...BOUNDS,
        method: 'POST',
        body: 'b',
        headers: { Authorization: 'Bearer x' },
        redirectsMax: 1,
      });
    }
    expect(seen).toEqual([
      { method: 'POST', body: 'b', authorization: undefined },
      { method: 'GET', body: '', authorization: undefined },
      { method: 'GET', body: '', authorization: undefined },
    ]);
  });
});
