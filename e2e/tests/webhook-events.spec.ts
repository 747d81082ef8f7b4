import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WEBHOOK_EVENTS } from '@cairn/contracts';
import { Cairn } from '@cairn/sdk';
import { verifyWebhook } from '@cairn/sdk/webhooks';
import { eventually, type RunningCairn, startCairn } from '@cairn/testing';
import { ingest } from './api.ts';
import { type ConformanceCheckedCall, conformanceCheckedApi } from './conformance-checks.ts';

interface Received {
  rawBody: Buffer;
  headers: Record<string, string | string[] | undefined>;
}

const SOON_MS = 90_000;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let cairn: RunningCairn;
let call: ConformanceCheckedCall;
const received: Received[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ rawBody: Buffer.concat(chunks), headers: request.headers });
    response.writeHead(204).end();
  });
});

beforeAll(async () => {
  cairn = await startCairn({ env: { CAIRN_ALLOW_PRIVATE_NETWORK: 'true' } });
  receiver.listen(0, cairn.hostAddress);
  await once(receiver, 'listening');
  call = await conformanceCheckedApi(cairn);
}, 90_000);
afterAll(async () => {
  await cairn.remove();
  receiver.close();
});

/** What came of an event about a memory; the specs look into payloads of every shape. */
const about = (memoryId: string, event: string) =>
  received
    .map(({ rawBody }) => JSON.parse(rawBody.toString('utf8')))
    .filter((delivery) => delivery.event === event && delivery.scope.memory_id === memoryId);

it('the event stream tells of documents, runs and credentials, from the services that make it true', async () => {
  const client = new Cairn({ apiKey: cairn.apiKey, baseUrl: cairn.baseUrl });
  const told: { event: string; payload: Record<string, unknown> }[] = [];
  const ended = new AbortController();
  const following = (async () => {
    for await (const event of client.events.follow({ last_event_id: 0 }, { signal: ended.signal })) told.push(event);
  })().catch(() => undefined);
  const { memory_id } = (await call('POST', '/api/v1/memories', { display_name: 'Told' })).body;
  const ids: string[] = [];
  for (const document of [{ content: 'A lantern costs 40 euros.', title: 'Whole' }, { content: 'Gone soon.' }]) {
    const { body } = await call('POST', '/api/v1/memory/documents', { ...document, memory_id });
    ids.push(body.documents[0].doc_id);
  }
  const key = (await call('POST', '/api/v1/api-keys', { name: 'Told', type: 'live' })).body;
  await call('DELETE', `/api/v1/api-keys/${key.key_id}`);
  await call('DELETE', `/api/v1/memory/documents/${ids[1]}?memory_id=${memory_id}`);
  const config = { sources: ['memory'] };
  const run = (await call('POST', '/api/v1/search/research/start', { query: 'Lantern price', memory_id, config })).body;
  const wanted = [
    ['memory.document.queued', { doc_ids: [ids[0]] }],
    ['memory.document.queued', { doc_ids: [ids[1]] }],
    ['memory.document.deleted', { doc_ids: [ids[1]] }],
    ['credential.created', { credential_id: key.key_id, kind: 'live' }],
    ['credential.revoked', { credential_id: key.key_id }],
    ['research.run.status_changed', { thread_id: run.thread_id, kind: 'research', status: 'queued' }],
    ['research.run.status_changed', { thread_id: run.thread_id, kind: 'research', status: 'running' }],
    ['research.run.status_changed', { thread_id: run.thread_id, kind: 'research', status: 'completed' }],
  ] as const;
  const holds = (payload: Record<string, unknown>, part: Record<string, unknown>) =>
    Object.entries(part).every(([name, value]) => JSON.stringify(payload[name]) === JSON.stringify(value));
  await eventually(
    () => wanted.filter(([event, part]) => !told.some((each) => each.event === event && holds(each.payload, part))),
    (missing) => missing.length === 0,
    SOON_MS,
  );
  ended.abort();
  await following;
});

it('each event that webhooks can subscribe to reaches a receiver from the service that makes it true, with the payload that was decided', async () => {
  const url = `http://${cairn.hostAddress}:${(receiver.address() as AddressInfo).port}/hook`;
  const { secret } = (await call('POST', '/api/v1/webhooks', { url, events: [...WEBHOOK_EVENTS] })).body;
  const memory = (await call('POST', '/api/v1/memories', { display_name: 'Shop', dlp_policy: 'pii' })).body;
  const { memory_id, workspace_id } = memory;
  const space = (name: string, description: string) =>
    call('POST', '/api/v1/spaces', { name, description, memory_id }).then(({ body }) => body);
  const finance = await space('Finance', 'Invoices, budgets, prices and taxes');
  await space('Engineering', 'How our software is built, deployed and tested');

  const texts = [
    'The list price of the Bolt Reader B7 is €12.00. It is sold in boxes. Ask ada@example.org and bob@example.org.',
    'Notes. The list price of the Bolt Reader B7 is €14.50 this year.',
    'The invoice of March was paid by bank transfer; the auditors ask for the receipt and the tax statement.',
  ];
  const documents = texts.map((content, n) => ({ content, title: `Note ${n}` }));
  const docIds = await ingest(cairn.baseUrl, cairn.apiKey, documents, { memory_id, timeoutMs: SOON_MS });
  const open = await eventually(
    async () =>
      (await call('GET', `/api/v1/memory/contradictions?status=open&memory_id=${memory_id}`)).body.contradictions[0],
    (found) => found !== undefined,
    SOON_MS,
  );
  const winner = open.facts[0].fact_id;
  const path = `/api/v1/memory/contradictions/${open.contradiction_id}/resolve?memory_id=${memory_id}`;
  expect((await call('POST', path, { winner })).status).toBe(200);
  await eventually(
    () => WEBHOOK_EVENTS.filter((event) => about(memory_id, event).length === 0),
    (missing) => missing.length === 0,
    SOON_MS,
  );
  await eventually(() => about(memory_id, 'memory.ingest.completed').length === texts.length, Boolean, SOON_MS);
  await eventually(() => about(memory_id, 'memory.ingest.auto_routed').length === texts.length, Boolean, SOON_MS);

  for (const { rawBody, headers } of received) {
    const delivery = JSON.parse(rawBody.toString('utf8'));
    expect(headers['x-service-signature']).toBe(createHmac('sha256', secret).update(rawBody).digest('hex'));
    expect(headers['content-type']).toBe('application/json');
    expect(await verifyWebhook({ rawBody: rawBody.toString('utf8'), headers }, secret)).toEqual(delivery);
    expect(headers['webhook-id']).toBe(delivery.event_id);
    expect(delivery).toEqual({
      event_id: expect.stringMatching(/^evt_/),
      event: expect.any(String),
      occurred_at: expect.stringMatching(ISO),
      livemode: true,
      scope: { tenant_id: cairn.tenantId, workspace_id: expect.stringMatching(/^ws_/), memory_id: expect.any(String) },
      payload: expect.any(Object),
    });
    if (delivery.scope.memory_id === memory_id) expect(delivery.scope.workspace_id).toBe(workspace_id);
  }

  const shown = (await call('GET', `/api/v1/memory/documents/${docIds[2]}?memory_id=${memory_id}`)).body;
  const payloads = (event: string) => about(memory_id, event).map(({ payload }) => payload);
  const ofDocument = (event: string, docId: string) => payloads(event).find(({ doc_id }) => doc_id === docId);
  expect(ofDocument('memory.ingest.completed', docIds[2]!)).toEqual({
    doc_id: docIds[2],
    vault_id: finance.vault_id,
    title: 'Note 2',
    chunks: 1,
  });
  expect(payloads('memory.ingest.dlp_flagged')).toEqual([
    { doc_id: docIds[0], vault_id: expect.stringMatching(/^vlt_/), findings: [{ kind: 'email', count: 2 }] },
  ]);
  expect(ofDocument('memory.ingest.auto_routed', docIds[2]!)).toEqual({
    doc_id: docIds[2],
    vault_id: finance.vault_id,
    space_id: finance.space_id,
    confidence: shown.routing.confidence,
    needs_review: shown.routing.needs_review,
  });
  expect(payloads('memory.entity.created')).toContainEqual({
    entity_id: open.entity.entity_id,
    name: 'Bolt Reader B7',
    type: 'product',
  });
  const factsOf = (facts: { fact_id: string; value: string; doc_id: string }[]) =>
    facts
      .map(({ fact_id, value, doc_id }) => ({ fact_id, value, doc_id }))
      .sort((a, b) => (a.fact_id < b.fact_id ? -1 : 1));
  const [detected] = payloads('memory.entity.contradiction_detected');
  expect({ ...detected, facts: factsOf(detected.facts) }).toEqual({
    contradiction_id: open.contradiction_id,
    entity_id: open.entity.entity_id,
    relation: open.relation,
    facts: factsOf(open.facts),
  });
  expect(Object.keys(detected.facts[0]).sort()).toEqual(['doc_id', 'fact_id', 'value']);
  expect(payloads('memory.entity.contradiction_resolved')).toEqual([
    { contradiction_id: open.contradiction_id, winner, resolved_by: expect.stringMatching(/^key_/) },
  ]);
  const health = (await call('GET', `/api/v1/memory/health?memory_id=${memory_id}`)).body;
  for (const assessed of payloads('memory.health.assessed')) {
    expect(Object.keys(assessed).sort()).toEqual(['parts', 'score']);
    expect(Object.keys(assessed.parts).sort()).toEqual(Object.keys(health.parts).sort());
    expect(assessed.score).toBeGreaterThanOrEqual(0);
    expect(assessed.score).toBeLessThanOrEqual(100);
  }
}, 300_000);
