import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyWebhook, type WebhookDelivery } from '@cairn/sdk/webhooks';
import { eventually, type RunningCairn, startCairn } from '@cairn/testing';
import { api, ingest } from './api.ts';
import { type ConformanceCheckedCall, conformanceCheckedApi } from './conformance-checks.ts';

interface Received {
  body: string;
  headers: Record<string, string | string[] | undefined>;
  event: WebhookDelivery;
}

let cairn: RunningCairn;
let call: ConformanceCheckedCall;
let url: string;
let answer = 204;
const received: Received[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text: string) => (body += text));
  request.on('end', () => {
    received.push({ body, headers: request.headers, event: JSON.parse(body) as WebhookDelivery });
    response.writeHead(answer).end('said so');
  });
});

beforeAll(async () => {
  cairn = await startCairn({ env: { CAIRN_ALLOW_PRIVATE_NETWORK: 'true' } });
  receiver.listen(0, cairn.hostAddress);
  await once(receiver, 'listening');
  url = `http://${cairn.hostAddress}:${(receiver.address() as AddressInfo).port}/hook`;
  call = await conformanceCheckedApi(cairn);
}, 90_000);
afterAll(async () => {
  await cairn.remove();
  receiver.close();
});

const register = async (key = cairn.apiKey) =>
  (await call('POST', '/api/v1/webhooks', { url, events: ['memory.ingest.completed'] }, { key })).body;

describe('through the gateway', () => {
  it('a document that was ingested is told to who subscribed, signed, in the interface’s envelope', async () => {
    const { webhook_id: id, secret } = await register();
    const [docId] = await ingest(cairn.baseUrl, cairn.apiKey, [{ title: 'Boiler', content: 'The boiler is old.' }]);
    const got = await eventually(() => received.find(({ event }) => event.payload['doc_id'] === docId)!);
    expect(await verifyWebhook({ rawBody: got.body, headers: got.headers }, secret)).toMatchObject({
      event: 'memory.ingest.completed',
      livemode: true,
      scope: {
        tenant_id: cairn.tenantId,
        workspace_id: expect.stringMatching(/^ws_/),
        memory_id: expect.stringMatching(/^mem_/),
      },
      payload: { doc_id: docId, vault_id: expect.stringMatching(/^vlt_/), title: 'Boiler', chunks: 1 },
    });
    const list = await eventually(
      () => call('GET', `/api/v1/webhooks/${id}/deliveries`),
      ({ body }) => body.deliveries[0]?.state === 'delivered',
    );
    expect(list.body.deliveries).toMatchObject([
      { event_id: got.event.event_id, attempts: [{ status: 204, retry: 0 }] },
    ]);
  });

  it('a test key’s webhooks hear of the test environment alone', async () => {
    const { webhook_id: id } = await register(cairn.testApiKey);
    const [docId] = await ingest(cairn.baseUrl, cairn.testApiKey, [{ title: 'Trial', content: 'A trial.' }]);
    const got = await eventually(() => received.find(({ event }) => event.payload['doc_id'] === docId)!);
    expect(got.event.livemode).toBe(false);
    await ingest(cairn.baseUrl, cairn.apiKey, [{ title: 'Live', content: 'Not a trial.' }]);
    const list = await call('GET', `/api/v1/webhooks/${id}/deliveries`, undefined, { key: cairn.testApiKey });
    expect(list.body.deliveries).toHaveLength(1);
  });

  it('every operation answers as its schema says', async () => {
    const { webhook_id: id } = await register();
    const path = `/api/v1/webhooks/${id}`;
    answer = 500;
    const ping = await call('POST', `${path}/test`, {});
    expect(ping.body).toMatchObject({ state: 'test_failed', attempts: [{ status: 500, answer: 'said so' }] });
    answer = 204;
    await call('POST', `${path}/deliveries/${ping.body.delivery_id}/replay`, {});
    await eventually(
      () => call('GET', `${path}/deliveries/${ping.body.delivery_id}`),
      ({ body }) => body.state === 'delivered',
    );
    await call('PATCH', path, { description: 'changed', auto_replay: true });
    await call('POST', `${path}/rotate-secret`, { overlap_seconds: 60 });
    expect((await call('POST', `${path}/replay`, {})).body).toEqual({ replayed: 0 });
    expect((await call('GET', '/api/v1/webhooks')).body.webhooks.length).toBeGreaterThan(0);
    await call('GET', path);
    await call('DELETE', path);
    expect((await call('GET', path)).status).toBe(404);
  });

  it('what is delivered about a memory is erased with the memory', async () => {
    const { webhook_id: id } = await register();
    const memory = (await api(cairn.baseUrl, cairn.apiKey, 'POST', '/api/v1/memories', { display_name: 'Gone' })).body;
    await ingest(cairn.baseUrl, cairn.apiKey, [{ content: 'Soon gone.' }], { memory_id: memory.memory_id });
    const deliveries = async () => (await call('GET', `/api/v1/webhooks/${id}/deliveries`)).body.deliveries;
    await eventually(async () => (await deliveries()).length === 1);
    await api(cairn.baseUrl, cairn.apiKey, 'DELETE', `/api/v1/memories/${memory.memory_id}`);
    await eventually(async () => (await deliveries()).length === 0, Boolean, 60_000);
  });
});

it('kill -9 of everything with events under way loses none of them', async () => {
  const { webhook_id: id } = await register();
  const before = received.length;
  answer = 500;
  const docIds = await ingest(cairn.baseUrl, cairn.apiKey, [
    { content: 'The first of two.' },
    { content: 'The second of two.' },
  ]);
  await eventually(() => received.length > before);
  await cairn.kill9();
  answer = 204;
  const again = await startCairn({ dataDir: cairn.dataDir, env: { CAIRN_ALLOW_PRIVATE_NETWORK: 'true' } });
  cairn = again;
  await eventually(
    async () => {
      const { body } = await api(
        again.baseUrl,
        again.apiKey,
        'GET',
        `/api/v1/webhooks/${id}/deliveries?state=delivered`,
      );
      return body.deliveries.length;
    },
    (count) => count === 2,
    120_000,
  );
  const told = new Set(received.slice(before).map(({ event }) => event.payload['doc_id']));
  expect(docIds.every((docId) => told.has(docId))).toBe(true);
}, 240_000);
