import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { eventually } from '@cairn/testing';
import { connectionsWithinDescriptors } from '../src/limits/connection-limiter.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

const PATH = '/api/v1/memories';
let gateway: TestGateway;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await gateway.close();
});

/** Opens connections one after the other; what is sent on them is no whole request. */
async function hold(localAddress: string, count: number, sent = ''): Promise<Socket[]> {
  const { hostname, port } = new URL(gateway.url);
  const held: Socket[] = [];
  for (let n = 0; n < count; n += 1) {
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    if (sent !== '') socket.write(sent);
    socket.resume();
    held.push(socket);
  }
  return held;
}

const open = (held: readonly Socket[]) => held.filter((socket) => !socket.closed);

/** A request from an address, of the gateway itself unless said otherwise; null when its connection is closed instead. */
function ask(localAddress: string, path = '/healthz'): Promise<number | null> {
  const key = gateway.keys.mint();
  return new Promise((resolve) => {
    const call = request(gateway.url + path, { localAddress, agent: false, headers: { 'x-api-key': key } });
    call.on('response', (response) => resolve(response.resume().statusCode!));
    call.on('error', () => resolve(null));
    call.end();
  });
}

describe('idle connections of one address', () => {
  it.each([
    ['on which nothing was sent', ''],
    ['on which half a head was sent', 'GET /api/v1/memories HTTP/1.1\r\nHost: a\r\n'],
  ])('%s are never more than its bound, the oldest go first, and other addresses are served', async (_what, sent) => {
    gateway = await startTestGateway({ connectionsMax: 30, connectionsPerAddressMax: 10 });
    const held = await hold('127.0.0.2', 25, sent);
    await eventually(() => open(held).length === 10, Boolean, 5_000);
    expect(open(held)).toEqual(held.slice(15));
    expect(await ask('127.0.0.3')).toBe(200);
    expect(await ask('127.0.0.2')).toBe(200);
    expect(open(held)).toEqual(held.slice(16));
  });

  it('have no bound of their own behind proxies of the operator', async () => {
    gateway = await startTestGateway({ connectionsMax: 30, connectionsPerAddressMax: 10, trustedProxies: 1 });
    const held = await hold('127.0.0.2', 25);
    expect(await ask('127.0.0.3')).toBe(200);
    expect(open(held)).toHaveLength(25);
  });
});

describe('idle connections of many addresses', () => {
  it('keep nobody out when there are as many as there may be: the oldest of all goes', async () => {
    gateway = await startTestGateway({ connectionsMax: 20, connectionsPerAddressMax: 10 });
    const held: Socket[] = [];
    for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) held.push(...(await hold(address, 8)));
    await eventually(() => open(held).length === 20, Boolean, 5_000);
    expect(await ask('127.0.0.5')).toBe(200);
    expect(open(held)).toEqual(held.slice(5));
  });
});

describe('connections at work', () => {
  it('are not closed for others; where all are at work a new one is closed at once', async () => {
    gateway = await startTestGateway({ connectionsMax: 3, connectionsPerAddressMax: 2 });
    const release = Promise.withResolvers<void>();
    gateway.services.tenancy.handle((_request, response) => void release.promise.then(() => response.end('{}')));
    const working = ['127.0.0.2', '127.0.0.2', '127.0.0.3'].map((address) => ask(address, PATH));
    await eventually(() => gateway.services.tenancy.seen.length === 3);
    expect(await ask('127.0.0.2')).toBeNull();
    expect(await ask('127.0.0.4')).toBeNull();
    release.resolve();
    expect(await Promise.all(working)).toEqual([200, 200, 200]);
    expect(await ask('127.0.0.4')).toBe(200);
  });
});

describe('the bound on connections', () => {
  it('leaves a descriptor for each connection’s service, and some for the rest', () => {
    expect(connectionsWithinDescriptors(20_000, 20_000)).toBe(9_000);
    expect(connectionsWithinDescriptors(20_000, 1_048_576)).toBe(20_000);
    expect(connectionsWithinDescriptors(20_000, Infinity)).toBe(20_000);
  });
});
