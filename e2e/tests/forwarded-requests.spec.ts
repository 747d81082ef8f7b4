import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnLoopback, type SharedCairn, sharedCairn } from '@cairn/testing';
import { api } from './api.ts';
import { type Replica, startReplica } from './more-replicas.ts';

const IDENTITY_LIFE_MS = 5_000;
const SEEN_PATH = '/api/v1/usage/llm?dimension=tenant';
/** What a request of no more than this right could do elsewhere, if its identity were taken there. */
const ELSEWHERE = [
  ['keys', 'POST', '/api/v1/api-keys', { name: 'stolen' }],
  ['keys', 'GET', '/api/v1/api-keys', undefined],
  ['tenancy', 'GET', '/api/v1/provider-keys', undefined],
  ['memory', 'GET', '/api/v1/memory/documents', undefined],
  ['research', 'GET', '/api/v1/search/lists', undefined],
  ['webhooks', 'GET', '/api/v1/webhooks', undefined],
  ['usage', 'GET', '/api/v1/usage/llm?dimension=model', undefined],
  ['usage', 'GET', '/api/v1/usage/credits', undefined],
  ['usage', 'HEAD', SEEN_PATH, undefined],
] as const;

let cairn: SharedCairn;
let onTheWay: Server;
let gateway: Replica;
/** Where each service really is. */
const addresses: Record<string, string> = {};
let seen: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  cairn = await sharedCairn();
  for (const [name, url] of Object.entries(await cairn.environmentOf('gateway'))) {
    const service = /^CAIRN_(\w+)_HTTP$/.exec(name)?.[1];
    if (service !== undefined) addresses[service.toLowerCase()] = url;
  }
  // Somebody between a gateway and the usage service, who sees requests and lets none through.
  onTheWay = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await listenOnLoopback(onTheWay, cairn.hostAddress);
  const { port } = onTheWay.address() as AddressInfo;
  gateway = await startReplica(cairn, 'gateway', { CAIRN_USAGE_HTTP: `http://${cairn.hostAddress}:${port}` });
}, 120_000);
afterAll(async () => {
  await gateway?.stop();
  onTheWay?.close();
  await cairn?.remove();
});

/** Headers of a request to usage, as they go over the network, that usage itself never got. */
async function seeOne(key = cairn.apiKey): Promise<Record<string, string>> {
  seen = [];
  expect((await api(gateway.http, key, 'GET', SEEN_PATH)).status).toBe(200);
  const entries = Object.entries(seen[0]!).filter(([name]) => name.startsWith('x-cairn-'));
  return Object.fromEntries(entries) as Record<string, string>;
}

async function send(service: string, method: string, target: string, headers: object, body?: object): Promise<number> {
  const response = await fetch(addresses[service] + target, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

it.each(ELSEWHERE)('what is seen on the way to usage is worth nothing at %s for %s %s', async (...request) => {
  const [service, method, target, body] = request;
  const identity = await seeOne();
  expect(await send(service, method, target, identity, body)).toBe(401);
  // It was a good one.
  expect(await send('usage', 'GET', SEEN_PATH, identity)).toBe(200);
});

it('what is seen on the way is taken once, within seconds, and not after its key was revoked and they passed', async () => {
  const created = await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/api-keys', { name: 'leaked' });
  const key = created.body['api_key'] as string;
  const [once, late] = [await seeOne(key), await seeOne(key)];
  const seenAt = Date.now();
  expect(await send('usage', 'GET', SEEN_PATH, once)).toBe(200);
  expect(await send('usage', 'GET', SEEN_PATH, once)).toBe(401);
  const revoked = await api(cairn.baseUrl, cairn.apiKey, 'DELETE', `/api/v1/api-keys/${created.body['key_id']}`);
  expect(revoked.status).toBe(200);
  await sleep(seenAt + IDENTITY_LIFE_MS + 50 - Date.now());
  expect(await send('usage', 'GET', SEEN_PATH, late)).toBe(503);
});
