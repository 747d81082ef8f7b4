import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createOutbound, type Outbound, type OutboundOptions } from '../src/index.ts';
import { type ForwardProxy, forwardProxy } from './servers.ts';

/** Of this folder alone: made by hand for name.example, and trusted by nobody but this spec. */
const pem = (name: string) => readFileSync(join(import.meta.dirname, 'certificates', name), 'utf8');
const CERTIFICATE = pem('certificate.pem');
const PUBLIC = '93.184.216.34';
const BOUNDS = { timeoutMs: 20_000, bodyMaxBytes: 10_000 };

const seen: { host: string | undefined; servername: unknown }[] = [];
const server = createServer({ key: pem('key.pem'), cert: CERTIFICATE }, (request, response) => {
  seen.push({ host: request.headers.host, servername: (request.socket as { servername?: unknown }).servername });
  response.end('over TLS');
});
let port: number;
let proxy: ForwardProxy;
const open: Outbound[] = [];
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  proxy = await forwardProxy(() => port);
});
afterEach(() => Promise.all(open.splice(0).map((outbound) => outbound.close())));
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await proxy.close();
});

function outbound(options: Partial<OutboundOptions>): Outbound {
  const made = createOutbound({ allowPrivateNetwork: true, userAgent: 'spec', ...options });
  open.push(made);
  return made;
}

describe.each([
  ['directly', () => ({ resolve: async () => ['127.0.0.1'] })],
  ['through a proxy', () => ({ resolve: async () => [PUBLIC], proxyUrl: `http://127.0.0.1:${proxy.port}` })],
])('a connection over TLS, %s', (_how, how) => {
  it('goes to the judged address and is verified for the name', async () => {
    const trusting = outbound({ ...how(), extraCertificates: [CERTIFICATE] });
    const answer = await trusting.request(`https://name.example:${port}/`, BOUNDS);
    expect(answer.body.toString()).toBe('over TLS');
    expect(seen.at(-1)).toEqual({ host: `name.example:${port}`, servername: 'name.example' });
    expect(await (await trusting.fetch(`https://name.example:${port}/`)).text()).toBe('over TLS');
    expect(seen.at(-1)).toEqual({ host: `name.example:${port}`, servername: 'name.example' });
  });

  it('is not made when the certificate is for another name, or nobody vouches for it', async () => {
    const count = seen.length;
    const trusting = outbound({ ...how(), extraCertificates: [CERTIFICATE] });
    await expect(trusting.request(`https://other.example:${port}/`, BOUNDS)).rejects.toMatchObject({
      code: 'tls_failed',
    });
    await expect(outbound(how()).request(`https://name.example:${port}/`, BOUNDS)).rejects.toMatchObject({
      code: 'tls_failed',
      retryable: true,
    });
    expect(seen).toHaveLength(count);
  });
});

it('an https proxy must be trusted too', async () => {
  const strict = outbound({ resolve: async () => [PUBLIC], proxyUrl: `https://127.0.0.1:${port}` });
  await expect(strict.request('https://name.example/', BOUNDS)).rejects.toMatchObject({ code: 'proxy_failed' });
});

it('an https proxy is verified against the certificate authorities that were added', async () => {
  const targets: (string | undefined)[] = [];
  const tlsProxy = createServer({ key: pem('localhost-key.pem'), cert: pem('localhost.pem') });
  tlsProxy.on('connect', (request, socket) => {
    targets.push(request.url);
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
  });
  tlsProxy.listen(0, '127.0.0.1');
  await once(tlsProxy, 'listening');
  const proxyUrl = `https://localhost:${(tlsProxy.address() as AddressInfo).port}`;
  const trusting = outbound({
    resolve: async () => [PUBLIC],
    proxyUrl,
    extraCertificates: [CERTIFICATE, pem('localhost.pem')],
  });
  const answer = await trusting.request('https://name.example/', BOUNDS);
  expect([answer.body.toString(), targets]).toEqual(['over TLS', [`${PUBLIC}:443`]]);
  const strict = outbound({ resolve: async () => [PUBLIC], proxyUrl, extraCertificates: [CERTIFICATE] });
  await expect(strict.request('https://name.example/', BOUNDS)).rejects.toMatchObject({ code: 'proxy_failed' });
  await trusting.close();
  tlsProxy.close();
});
