import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createLogger, type InternalTls, openInternalTls } from '@cairn/service-kit';
import { createTestCertificates, eventually, temporaryFolder } from '@cairn/testing';
import { createHpmForwarder } from '../src/forwarding/forward-with-hpm.ts';
import { createUndiciForwarder } from '../src/forwarding/forward-with-undici.ts';
import type { Forwarder } from '../src/forwarding/forwarder.ts';
import { createReplicaDirectory } from '../src/forwarding/replicas.ts';
import { takesConnections } from '../src/forwarding/upstream-connections.ts';
import { createReadiness } from '../src/readiness.ts';
import { callHttp } from './http-call.ts';
import { RawConnection } from './raw-connection.ts';
import { startUpstream, type Upstream } from './upstream.ts';

let folder: string;
let certificates: Awaited<ReturnType<typeof createTestCertificates>>;
let tls: InternalTls;
let forwarder: Forwarder;
let memory: Upstream;
/** Its certificate is that of webhooks. */
let impostor: Upstream;
/** Addresses of the host `memory.test`; all replicas have the same port. */
let addresses = ['127.0.0.1'];
let url: string;
let target: Upstream;
const failures: unknown[] = [];
const front = createServer();

beforeAll(async () => {
  folder = await temporaryFolder('cairn-gateway-tls-');
  certificates = await createTestCertificates(folder, ['gateway', 'memory', 'webhooks']);
  const { filesOf } = certificates;
  tls = (await openInternalTls(filesOf('gateway'), createLogger('gateway', 'silent')))!;
  const material = async (holder: 'memory' | 'webhooks') => {
    const { tlsCertFile, tlsKeyFile, tlsCaFile } = filesOf(holder);
    const [cert, key, ca] = await Promise.all([tlsCertFile, tlsKeyFile, tlsCaFile].map((file) => readFile(file)));
    return { cert: cert!, key: key!, ca: ca! };
  };
  memory = await startUpstream(await material('memory'));
  impostor = await startUpstream(await material('webhooks'));
  const onFailure = (error: unknown) => void failures.push(error);
  const directory = createReplicaDirectory(async () => addresses);
  forwarder = createUndiciForwarder(onFailure, createHpmForwarder(onFailure, directory, tls), directory, tls);
  const destination = () => ({
    name: 'memory' as const,
    url: target.url,
    bind: () => 'bound',
    isLate: () => undefined,
  });
  front.on('request', (request, response) => {
    request.headers['x-request-id'] = 'req-1';
    forwarder.http(request, response, destination());
  });
  front.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    request.headers['x-request-id'] = 'req-1';
    forwarder.upgrade(request, socket, head, destination());
  });
  await new Promise<void>((resolve) => {
    front.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
});
afterAll(async () => {
  forwarder.close();
  front.closeAllConnections();
  front.close();
  await tls.close();
  await memory.close();
  await impostor.close();
  await rm(folder, { recursive: true, force: true });
});

const UPLOAD = { method: 'POST', headers: { 'transfer-encoding': 'chunked' }, body: Buffer.alloc(300_000, 'x') };

describe('with certificates', () => {
  it('requests, uploads and upgrades reach the service', async () => {
    target = memory;
    memory.handle((request, response) => request.pipe(response));
    expect((await callHttp(url, '/a')).status).toBe(200);
    expect((await callHttp(url, '/b', UPLOAD)).bytes.equals(UPLOAD.body)).toBe(true);
    memory.upgrade((_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\nhello');
      socket.on('data', (chunk) => socket.write(chunk));
    });
    const raw = new RawConnection(url).send(
      'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n',
    );
    await raw.receives('hello');
    raw.send('and back');
    await raw.receives('and back');
    raw.reset();
  });

  it('nothing is sent to a service that holds another one’s certificate', async () => {
    target = impostor;
    expect((await callHttp(url, '/a')).status).toBe(503);
    expect((await callHttp(url, '/b', UPLOAD)).status).toBe(503);
    expect(impostor.seen).toEqual([]);
    expect(failures.map((error) => (error as { code?: string }).code)).toEqual([
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ]);
  });

  // Only Linux has more than one address for loopback.
  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('a replica that holds another service’s certificate is left for the next one', async () => {
    const { port } = new URL(memory.url);
    const { tlsCertFile, tlsKeyFile, tlsCaFile } = certificates.filesOf('webhooks');
    const [cert, key, ca] = await Promise.all([tlsCertFile, tlsKeyFile, tlsCaFile].map((file) => readFile(file)));
    let wronglySent = 0;
    const wrong = createTlsServer({ cert: cert!, key: key!, ca: ca!, requestCert: true }, (_request, response) => {
      wronglySent += 1;
      response.end();
    });
    let connections = 0;
    wrong.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => {
      wrong.listen(Number(port), '127.0.0.2', resolve);
    });
    // Uploads cannot be sent twice, so they ask before.
    expect(await takesConnections(`https://127.0.0.2:${port}`, 'memory', tls)).toBe(false);
    expect(await takesConnections(memory.url, 'memory', tls)).toBe(true);
    connections = 0;
    addresses = ['127.0.0.2', '127.0.0.1'];
    target = { ...memory, url: `https://memory.test:${port}` };
    memory.handle((request, response) => request.pipe(response));
    failures.length = 0;
    // The first lookup has to end before there are two.
    await eventually(async () => (await callHttp(url, '/a')).status === 200 && connections > 0);
    failures.length = 0;
    for (let n = 0; n < 6; n += 1) {
      expect((await callHttp(url, '/a')).status).toBe(200);
      expect((await callHttp(url, '/b', UPLOAD)).bytes.equals(UPLOAD.body)).toBe(true);
    }
    expect(failures).toEqual([]);
    expect(wronglySent).toBe(0);
    wrong.close();
  });

  it('readiness is asked with them', async () => {
    const upstreams = Object.fromEntries(
      ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'].map((name) => [name, memory.url]),
    );
    const ready = createReadiness(upstreams as never, tls);
    await expect(ready()).rejects.toThrow('Not ready: keys, research, tenancy, usage, webhooks.');
  });
});
