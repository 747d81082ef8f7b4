import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { KeysService } from '@cairn/contracts';
import { type CertificateHolder, createTokenVerifier, type TokenVerifier } from '@cairn/identity';
import {
  createTestCertificates,
  createTestIdentities,
  eventually,
  type TestIdentities,
  temporaryFolder,
} from '@cairn/testing';
import {
  type InternalTls,
  listenGrpc,
  listenHttp,
  listenOperations,
  openInternalTls,
  readServiceKeys,
  rpc,
  rpcClient,
} from '../src/index.ts';
import { collectingLogger } from './sample-service.ts';

const HOLDERS = ['keys', 'gateway', 'memory'] as const;
const RELOAD_MS = 20;
const LOOPBACK = { host: '127.0.0.1', port: 0 };
const REQUEST = { sha256: Buffer.from([1, 2, 3]) };
const ANSWER = { result: { case: 'credential' as const, value: { keyId: 'key_1' } } };

let folder: string;
let certificates: Awaited<ReturnType<typeof createTestCertificates>>;
let identities: TestIdentities;
let verifier: TokenVerifier;
const logged: string[] = [];
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = await temporaryFolder('cairn-tls-');
  certificates = await createTestCertificates(folder, HOLDERS);
  identities = await createTestIdentities();
  const { keys } = JSON.parse(await readFile(identities.jwksFile, 'utf8')) as { keys: [] };
  verifier = await createTokenVerifier(keys);
});
afterAll(async () => {
  for (const each of opened.toReversed()) await each.close();
  await identities.remove();
  await rm(folder, { recursive: true, force: true });
});

async function tlsOf(holder: CertificateHolder, from = certificates): Promise<InternalTls> {
  const tls = await openInternalTls(from.filesOf(holder), collectingLogger(logged), RELOAD_MS);
  opened.push(tls!);
  return tls!;
}

/** A gRPC server of keys that holds the certificate of `holder`. */
async function serve(holder: CertificateHolder, from = certificates): Promise<string> {
  const service = rpc(KeysService, {
    resolve: async () => ANSWER,
    renewLease: async () => ({}),
    reportUsage: async () => ({}),
  });
  const server = await listenGrpc([service], LOOPBACK, verifier, collectingLogger(logged), await tlsOf(holder, from));
  opened.push(server);
  return server.address;
}

function clientOf(address: string, tls: InternalTls | null, part: 'gateway' | 'memory' = 'gateway') {
  const client = rpcClient(KeysService, address, identities.serviceTokens(part), tls);
  opened.push({ close: async () => client.close() });
  return client;
}

/** Status of a GET, or the code of the error. A new connection each time. */
function get(url: string, tls: InternalTls | null, peer: CertificateHolder = 'keys'): Promise<number | string> {
  return new Promise((resolve) => {
    const secured = tls === null ? { rejectUnauthorized: false } : tls.connectOptions(peer);
    const sent = request(url, { agent: false, ...secured }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!));
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });
}

describe('gRPC with certificates', () => {
  it('works between holders, whose tokens are their own', async () => {
    const client = clientOf(await serve('keys'), await tlsOf('gateway'));
    expect(await client.resolve(REQUEST)).toMatchObject(ANSWER);
  });

  it('refuses who has none, or one of an authority that nobody knows', async () => {
    const address = await serve('keys');
    const plain = clientOf(address, null);
    await expect(plain.resolve(REQUEST, { timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'unavailable' });
    const others = await createTestCertificates(await temporaryFolder('cairn-tls-others-'), HOLDERS);
    const stranger = clientOf(address, await tlsOf('gateway', others));
    await expect(stranger.resolve(REQUEST, { timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('calls nobody who holds another service’s certificate', async () => {
    const client = clientOf(await serve('memory'), await tlsOf('gateway'));
    await expect(client.resolve(REQUEST, { timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('calls those of several replicas that hold the service’s certificate, whatever their addresses', async () => {
    const addresses = [await serve('memory'), await serve('keys'), await serve('keys')];
    const client = clientOf(addresses.join(','), await tlsOf('gateway'));
    for (let n = 0; n < 6; n += 1) expect(await client.resolve(REQUEST)).toMatchObject(ANSWER);
  });

  it('takes a service’s token from nobody else: a stolen one is of no use', async () => {
    const client = clientOf(await serve('keys'), await tlsOf('memory'), 'gateway');
    await expect(client.resolve(REQUEST)).rejects.toMatchObject({ code: 'identity_invalid' });
  });
});

describe('HTTP with certificates', () => {
  it('serves the gateway, and neither another service nor who has no certificate', async () => {
    const tls = await tlsOf('keys');
    const admits = ['gateway'] as const;
    const http = await listenHttp(
      (_request, response) => response.end('ok'),
      LOOPBACK,
      {},
      { secured: { tls, admits } },
    );
    opened.push(http);
    expect(http.url).toMatch(/^https:/);
    expect(await get(http.url, await tlsOf('gateway'))).toBe(200);
    expect(await get(http.url, await tlsOf('memory'))).toBe('ECONNRESET');
    expect(await get(http.url, null)).toMatch(/ECONNRESET|CERTIFICATE_REQUIRED/);
    expect(await get(http.url, await tlsOf('gateway'), 'memory')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('answers probes without a certificate at an address of their own, which has nothing else', async () => {
    const keys = await readServiceKeys({ ...identities, signingKeyFile: identities.signingKeyFile('keys') }, 'keys');
    const app = { operations: [], requests: keys.requests, logger: collectingLogger(logged), ready: async () => {} };
    const healthListen = { host: '127.0.0.1', port: await freePort() };
    const http = await listenOperations(app, { httpListen: LOOPBACK, healthListen, tls: await tlsOf('keys') });
    opened.push(http);
    const health = `http://127.0.0.1:${healthListen.port}`;
    expect((await fetch(`${health}/readyz`)).status).toBe(200);
    expect((await fetch(`${health}/healthz`)).status).toBe(200);
    expect((await fetch(`${health}/api/v1/keys`)).status).toBe(404);
    expect(await get(`${http.url}/readyz`, await tlsOf('gateway'))).toBe(200);
    await http.close();
    opened.pop();
    await expect(fetch(`${health}/healthz`)).rejects.toThrow();
  });
});

/** Waits until as many readers of each holder's files have said that they use the new ones. */
async function readBy(
  certificates: Awaited<ReturnType<typeof createTestCertificates>>,
  readers: readonly (readonly ['keys' | 'gateway', number])[],
): Promise<void> {
  for (const [holder, count] of readers) {
    const { fingerprint256 } = new X509Certificate(await readFile(certificates.filesOf(holder).tlsCertFile));
    await eventually(() => logged.filter((line) => line.includes(fingerprint256)).length >= count);
  }
}

describe('the files of a certificate', () => {
  it('are read again when they change, and traffic meanwhile loses nothing', async () => {
    const own = await createTestCertificates(await temporaryFolder('cairn-tls-rotated-'), HOLDERS);
    const tls = await tlsOf('keys', own);
    const gateway = await tlsOf('gateway', own);
    const address = await serve('keys', own);
    const http = await listenHttp(
      (_request, response) => response.end(),
      LOOPBACK,
      {},
      {
        secured: { tls, admits: ['gateway'] },
      },
    );
    opened.push(http);
    const answers: (number | string)[] = [];
    let stopped = false;
    const traffic = (async () => {
      while (!stopped) {
        answers.push(await get(http.url, gateway));
        // A channel of its own, so that each call makes a new connection.
        const client = rpcClient(KeysService, address, identities.serviceTokens('gateway'), gateway);
        answers.push(await client.resolve(REQUEST).then(() => 'resolved', String));
        client.close();
      }
    })();
    for (let rotation = 0; rotation < 2; rotation += 1) {
      await own.rotate();
      // By the two servers and the client.
      await readBy(own, [
        ['keys', 2],
        ['gateway', 1],
      ]);
    }
    stopped = true;
    await traffic;
    expect(answers.length).toBeGreaterThan(10);
    expect(new Set(answers)).toEqual(new Set([200, 'resolved']));
  });

  it('end the connections of a certificate whose authority was taken out, and no call of a good one fails', async () => {
    const own = await createTestCertificates(await temporaryFolder('cairn-tls-locked-out-'), HOLDERS);
    // A copy that is not renewed, as a thief's.
    const stolen = await createTestCertificates(await temporaryFolder('cairn-tls-stolen-'), HOLDERS);
    for (const name of ['tlsCertFile', 'tlsKeyFile', 'tlsCaFile'] as const)
      await copyFile(own.filesOf('gateway')[name], stolen.filesOf('gateway')[name]);
    const address = await serve('keys', own);
    const thief = clientOf(address, await tlsOf('gateway', stolen));
    const gateway = clientOf(address, await tlsOf('gateway', own));
    const held = await listenHttp(
      (_request, response) => response.end(),
      LOOPBACK,
      {},
      {
        secured: { tls: await tlsOf('keys', own), admits: ['gateway'] },
      },
    );
    opened.push(held);
    const secured = (await tlsOf('gateway', stolen)).connectOptions('keys');
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(held.url).port), ...secured });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    let closed = false;
    socket.once('error', () => undefined).once('close', () => (closed = true));
    // Read, as an answer that nobody reads (408, when this takes long) would keep the end from being seen.
    socket.resume();
    expect(await thief.resolve(REQUEST)).toMatchObject(ANSWER);

    let ended = false;
    const failures: unknown[] = [];
    const traffic = (async () => {
      while (!ended) {
        await gateway.resolve(REQUEST).catch((error: unknown) => failures.push(error));
        // Calls that fail at once must not keep the process from reading its files.
        await sleep(1);
      }
    })();
    // Twice, as the previous authority is trusted until the next rotation.
    for (let rotation = 0; rotation < 2; rotation += 1) {
      await own.rotate();
      await readBy(own, [
        ['keys', 2],
        ['gateway', 1],
      ]);
    }
    await eventually(() =>
      thief.resolve(REQUEST, { timeoutMs: 500 }).then(
        () => false,
        () => true,
      ),
    );
    await eventually(() => closed);
    ended = true;
    await traffic;
    expect(failures).toEqual([]);
  }, 60_000);

  it('are kept as they were read when the changed ones do not fit together', async () => {
    const own = await createTestCertificates(await temporaryFolder('cairn-tls-half-'), HOLDERS);
    const tls = await tlsOf('keys', own);
    const http = await listenHttp(
      (_request, response) => response.end(),
      LOOPBACK,
      {},
      {
        secured: { tls, admits: ['gateway'] },
      },
    );
    opened.push(http);
    const gateway = await tlsOf('gateway', own);
    logged.length = 0;
    await rm(own.filesOf('keys').tlsKeyFile);
    await eventually(() => logged.some((line) => line.includes('cannot be used')));
    expect(await get(http.url, gateway)).toBe(200);
  });

  it('are all set or none', async () => {
    const logger = collectingLogger(logged);
    const none = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };
    expect(await openInternalTls(none, logger)).toBeNull();
    const some = { ...certificates.filesOf('keys'), tlsCaFile: undefined };
    await expect(openInternalTls(some, logger)).rejects.toThrow('must be set together');
    const mixed = { ...certificates.filesOf('keys'), tlsKeyFile: certificates.filesOf('memory').tlsKeyFile };
    await expect(openInternalTls(mixed, logger)).rejects.toThrow(/key/i);
  });
});

async function freePort(): Promise<number> {
  const probe = await listenHttp(() => undefined, LOOPBACK);
  await probe.close();
  return Number(new URL(probe.url).port);
}
