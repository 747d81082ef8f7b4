import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@cairn/testing';
import { createHpmForwarder } from '../src/forwarding/forward-with-hpm.ts';
import { createUndiciForwarder } from '../src/forwarding/forward-with-undici.ts';
import type { Forwarder } from '../src/forwarding/forwarder.ts';
import { createReplicaDirectory } from '../src/forwarding/replicas.ts';
import { callHttp } from './http-call.ts';

/** Replicas have the same port and addresses of their own; only Linux has more than one for loopback. */
const onLinux = process.platform === 'linux' ? describe : describe.skip;

let addresses: string[];
let replicas: Map<string, { server: Server; requests: number }>;
let port: number;
let gateway: Server;
let forwarder: Forwarder;
let failures: unknown[];

beforeEach(async () => {
  addresses = ['127.0.0.1'];
  replicas = new Map();
  failures = [];
  port = 0;
  await startReplica('127.0.0.1');
  const directory = createReplicaDirectory(async () => addresses);
  const onFailure = (error: unknown) => failures.push(error);
  forwarder = createUndiciForwarder(onFailure, createHpmForwarder(onFailure, directory), directory);
  gateway = createServer((request, response) => {
    delete request.headers.connection;
    forwarder.http(request, response, {
      name: 'memory',
      url: `http://service.test:${port}`,
      bind: () => 'bound',
      isLate: () => undefined,
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  forwarder.close();
  for (const address of [...replicas.keys()]) await stopReplica(address);
  gateway.closeAllConnections();
  await new Promise((resolve) => gateway.close(resolve));
});

async function startReplica(address: string): Promise<void> {
  const replica = { server: createServer(), requests: 0 };
  replica.server.on('request', (request, response) => {
    replica.requests += 1;
    request.resume();
    request.once('end', () => response.end(address));
  });
  await new Promise<void>((resolve) => replica.server.listen(port, address, resolve));
  port = (replica.server.address() as AddressInfo).port;
  replicas.set(address, replica);
}

/** As a killed process: connections break, and new ones are refused. */
async function stopReplica(address: string): Promise<void> {
  const { server } = replicas.get(address)!;
  replicas.delete(address);
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

async function call(method = 'GET', body?: Buffer) {
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  const headers = body === undefined ? {} : { 'content-length': body.length };
  const { status, bytes } = await callHttp(url, '/', { method, headers, ...(body === undefined ? {} : { body }) });
  return { status, text: bytes.toString() };
}

async function answers(count: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let n = 0; n < count; n += 1) {
    const { text } = await call();
    counts[text] = (counts[text] ?? 0) + 1;
  }
  return counts;
}

onLinux('a service with several replicas', () => {
  it('has its requests spread over them, also over one that joins', async () => {
    expect(
      await eventually(
        () => answers(3),
        (seen) => seen['127.0.0.1'] === 3,
      ),
    ).toBeTruthy();
    await startReplica('127.0.0.2');
    addresses = ['127.0.0.1', '127.0.0.2'];
    await eventually(async () => (await call()).text === '127.0.0.2');
    expect(await answers(20)).toEqual({ '127.0.0.1': 10, '127.0.0.2': 10 });
  });

  it('loses no request that was not sent yet when one of them is killed, whatever its method', async () => {
    await startReplica('127.0.0.2');
    addresses = ['127.0.0.1', '127.0.0.2'];
    await eventually(async () => (await call()).text === '127.0.0.2');
    await stopReplica('127.0.0.2');
    for (let n = 0; n < 10; n += 1) {
      expect(await call()).toEqual({ status: 200, text: '127.0.0.1' });
      expect(await call('POST', Buffer.from('{}'))).toEqual({ status: 200, text: '127.0.0.1' });
    }
    expect(failures).toEqual([]);
  });

  it('calls a replica that came back', async () => {
    await startReplica('127.0.0.2');
    addresses = ['127.0.0.1', '127.0.0.2'];
    await eventually(async () => (await call()).text === '127.0.0.2');
    await stopReplica('127.0.0.2');
    await answers(4);
    await startReplica('127.0.0.2');
    await eventually(async () => (await answers(4))['127.0.0.2'] === 2);
  });

  it('leaves a replica whose address is gone, and finishes what it is at', async () => {
    await startReplica('127.0.0.2');
    addresses = ['127.0.0.1', '127.0.0.2'];
    await eventually(async () => (await call()).text === '127.0.0.2');
    addresses = ['127.0.0.1'];
    await eventually(async () => (await answers(6))['127.0.0.1'] === 6);
  });

  it('answers 503 when none of them can be reached', async () => {
    await answers(1);
    await stopReplica('127.0.0.1');
    addresses = ['127.0.0.1', '127.0.0.2'];
    await eventually(async () => (await call()).status === 503);
  });
});

describe('a replica that has left', () => {
  it('is not preferred when it comes back, because a response of it arrived late', async () => {
    let found = ['10.0.0.1', '10.0.0.2'];
    const directory = createReplicaDirectory(async () => found);
    try {
      const replicas = directory.of('http://service.test:80');
      const both = new Set(['http://10.0.0.1:80', 'http://10.0.0.2:80']);
      const taken = () => new Set(Array.from({ length: 4 }, () => replicas.next(undefined, false)));
      await eventually(() => taken().size === 2);
      found = ['10.0.0.1'];
      await eventually(() => taken().size === 1);
      replicas.reached('http://10.0.0.2:80');
      found = ['10.0.0.1', '10.0.0.2'];
      await eventually(() => replicas.hasOther(new Set(['http://10.0.0.1:80'])));
      expect(taken()).toEqual(both);
    } finally {
      directory.close();
    }
  }, 20_000);
});
