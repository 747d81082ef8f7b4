import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOutbound, type Outbound } from '@cairn/outbound';
import type { ClusterIndexRegister } from '../../src/opensearch/cluster-index-register.ts';
import { parseSearchAddress } from '../../src/opensearch/search-address.ts';
import { createSearchCluster, type SearchCluster } from '../../src/opensearch/search-cluster.ts';

const MISSING = { error: { type: 'index_not_found_exception' }, status: 404 };
const settingsOf = (uuid: string, name = 'words-1') => ({ [name]: { settings: { index: { uuid } } } });

interface Answer {
  status: number;
  body: object;
}

let server: Server;
let outbound: Outbound;
let cluster: SearchCluster;
/** The next answers to a look-up, oldest first; then those of an index that is there. */
let answers: Answer[];
let asked: string[];
let found: (string | null)[];
beforeAll(async () => {
  outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'spec' });
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const isLookUp = request.url!.endsWith('/_settings');
    const { status, body } = (isLookUp ? answers.shift() : undefined) ?? { status: 200, body: settingsOf('one') };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  answers = [];
  asked = [];
  found = [];
  cluster = open(async (uuid) => {
    found.push(uuid);
  });
});
afterEach(() => cluster.close());
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await outbound.close();
});

function open(note: ClusterIndexRegister['note']): SearchCluster {
  const { port } = server.address() as AddressInfo;
  const address = parseSearchAddress(`opensearch+http://127.0.0.1:${port}/words`)!;
  const known = async () => found.at(-1) ?? null;
  return createSearchCluster(address, outbound, { known, note, alone: (work) => work() });
}

describe('the index of a cluster', () => {
  it('is looked up once, and registered before it is used', async () => {
    expect(await cluster.prepare()).toBe('one');
    expect(await cluster.prepare()).toBe('one');
    expect(found).toEqual(['one']);
    // Once more while no other process looks or creates.
    expect(asked).toEqual(['GET /words/_settings', 'GET /words/_settings']);
  });

  it('is created behind an alias when there is none, which is registered before and after', async () => {
    answers = [
      { status: 404, body: MISSING },
      { status: 404, body: MISSING },
      { status: 200, body: settingsOf('new') },
    ];
    expect(await cluster.prepare()).toBe('new');
    expect(found).toEqual([null, 'new']);
    expect(asked[2]).toBe('PUT /words-1');
  });

  it.each([
    ['an answer that is busy', { status: 429, body: {} }],
    ['a refusal', { status: 403, body: { error: { type: 'security_exception' } } }],
    ['a 404 that is not of the cluster', { status: 404, body: {} }],
    ['an index of the name', { status: 200, body: settingsOf('one', 'words') }],
  ])('is not taken for lost by %s, and is looked up again at once', async (_name, answer) => {
    answers = [answer];
    await expect(cluster.prepare()).rejects.toMatchObject({ code: 'unavailable' });
    expect(found).toEqual([]);
    expect(await cluster.prepare()).toBe('one');
  });

  it('is looked up again when it could not be registered', async () => {
    let fails = true;
    const failing = open(async () => {
      if (fails) throw new Error('PostgreSQL is away');
    });
    await expect(failing.prepare()).rejects.toMatchObject({ code: 'unavailable' });
    fails = false;
    expect(await failing.prepare()).toBe('one');
    await failing.close();
  });
});
