import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { eventually, type SharedCairn } from '@cairn/testing';
import { ingest } from '../tests/api.ts';
import { type Call, callsOf, contract, expectFields, expectRefusal, newTenant, proves } from './contract.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

const COMPLETED = 'memory.ingest.completed';
const EVENTS = [
  COMPLETED,
  'memory.ingest.dlp_flagged',
  'memory.ingest.auto_routed',
  'memory.entity.created',
  'memory.entity.contradiction_detected',
  'memory.entity.contradiction_resolved',
  'memory.health.assessed',
];
const SOON_MS = 60_000;

let cairn: SharedCairn;
let call: Call;
let receiver: Receiver;

const hooks = (key: string) => callsOf({ baseUrl: cairn.baseUrl, apiKey: key });
const register = async (url: string, events = [COMPLETED], key = cairn.apiKey) =>
  (await call('POST', '/webhooks', { url, events }, { key })).body;
const deliveriesOf = async (webhookId: string, key = cairn.apiKey, query = '') =>
  (await call('GET', `/webhooks/${webhookId}/deliveries${query}`, undefined, { key })).body.deliveries;
const ingestDocument = (apiKey: string, content: string) => ingest(cairn.baseUrl, apiKey, [{ content, title: 'Told' }]);

beforeAll(async () => {
  ({ cairn, call } = await contract());
  receiver = await startReceiver();
}, 120_000);
afterAll(async () => {
  await cairn.remove();
  receiver.close();
});

describe('POST and GET /api/v1/webhooks', () => {
  proves(
    ['POST /webhooks', 'GET /webhooks', 'Webhook.*', 'Webhook.secret-once', 'D8.secret', 'D2.livemode'],
    'url and events are required; the secret is in the answer that registers and in no other',
    async () => {
      const answer = await call('POST', '/webhooks', { url: 'https://hooks.invalid/a', events: EVENTS });
      expect(answer.status).toBe(201);
      expectFields('Webhook', answer.body);
      expect(answer.body).toMatchObject({
        url: 'https://hooks.invalid/a',
        events: EVENTS,
        active: true,
        livemode: true,
      });
      expect(answer.body.webhook_id).toMatch(/^whk_/);
      expect(answer.body.secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
      const { secret: _secret, ...shown } = answer.body;
      const listed = await call('GET', '/webhooks');
      expect(Object.keys(listed.body)).toEqual(['webhooks']);
      expect(listed.body.webhooks).toContainEqual(shown);
      for (const webhook of listed.body.webhooks) expectFields('Webhook', webhook, ['secret']);
      const ofTest = await call(
        'POST',
        '/webhooks',
        { url: 'https://hooks.invalid/', events: EVENTS },
        { key: cairn.testApiKey },
      );
      expect(ofTest.body.livemode).toBe(false);
      expectRefusal(await call('POST', '/webhooks', { events: EVENTS }), 422, 'validation_failed', 'url');
    },
  );

  proves(
    ['D8.urls'],
    'an endpoint is https, plain http only on this machine; user information, no events and unknown ones are refused',
    async () => {
      for (const url of [
        'http://example.com/',
        'http://10.0.0.1/',
        'ftp://example.com/',
        'https://a:b@example.com/',
        'nonsense',
      ])
        expectRefusal(await call('POST', '/webhooks', { url, events: EVENTS }), 422, 'validation_failed', 'url');
      expect((await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: EVENTS })).status).toBe(201);
      const url = 'https://hooks.invalid/';
      expectRefusal(await call('POST', '/webhooks', { url, events: [] }), 422, 'validation_failed', 'events');
      expectRefusal(await call('POST', '/webhooks', { url }), 422, 'validation_failed', 'events');
      expectRefusal(
        await call('POST', '/webhooks', { url, events: ['memory.x'] }),
        422,
        'validation_failed',
        'events.0',
      );
      for (const address of ['https://169.254.169.254/', 'https://[fd00:ec2::254]/'])
        expectRefusal(
          await call('POST', '/webhooks', { url: address, events: EVENTS }),
          422,
          'validation_failed',
          'url',
        );
    },
  );

  proves(['D8.metadata hosts'], 'the name of a metadata service cannot be registered, in no spelling', async () => {
    for (const host of ['metadata.google.internal', 'METADATA.Google.Internal', 'metadata.google.internal.'])
      expectRefusal(
        await call('POST', '/webhooks', { url: `https://${host}/computeMetadata/v1/`, events: EVENTS }),
        422,
        'validation_failed',
        'url',
      );
  });

  proves(['D3.change and delete'], 'a webhook is read, changed and deleted', async () => {
    const { webhook_id } = await register('https://hooks.invalid/b');
    const path = `/webhooks/${webhook_id}`;
    expect((await call('PATCH', path, { active: false })).body).toMatchObject({ webhook_id, active: false });
    expect((await call('GET', path)).body.active).toBe(false);
    expect((await call('DELETE', path)).status).toBe(200);
    expectRefusal(await call('GET', path), 404, 'not_found');
  });
});

describe('a delivery', () => {
  const signed = (key: string, { rawBody }: Received) => createHmac('sha256', key).update(rawBody).digest('hex');

  proves(
    [
      'signature.header',
      'auth.8',
      'Envelope.*',
      'EnvelopeScope.*',
      'D8.standard webhooks',
      'D8.operations',
      'redelivery.event_id',
    ],
    'is the envelope, signed over its raw bytes; a replay has the same event_id and body',
    async () => {
      const { api_key: key, tenant_id } = await newTenant(cairn);
      const hook = await register(receiver.urlOf('signed'), [COMPLETED], key);
      await ingestDocument(key, 'Signed with care.');
      const [got] = await eventually(
        () => receiver.received('signed'),
        (all) => all.length === 1,
        SOON_MS,
      );
      expect(got!.headers['content-type']).toBe('application/json');
      expect(got!.headers['x-service-signature']).toBe(signed(hook.secret, got!));
      expectFields('Envelope', got!.body);
      expectFields('EnvelopeScope', got!.body.scope);
      expect(got!.body).toMatchObject({ event: COMPLETED, livemode: true, scope: { tenant_id } });
      expect(Object.keys(got!.body.scope).toSorted()).toEqual(['memory_id', 'tenant_id', 'workspace_id']);
      const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': standard } = got!.headers;
      expect(id).toBe(got!.body.event_id);
      expect(Math.abs(Number(time) - Date.now() / 1_000)).toBeLessThan(120);
      const decoded = Buffer.from(hook.secret.slice('whsec_'.length), 'base64');
      const mac = createHmac('sha256', decoded)
        .update(`${String(id)}.${String(time)}.`)
        .update(got!.rawBody);
      expect(standard).toBe(`v1,${mac.digest('base64')}`);
      const [delivery] = await eventually(
        () => deliveriesOf(hook.webhook_id, key, '?state=delivered'),
        (all) => all.length === 1,
      );
      expect(delivery).toMatchObject({ event_id: id, state: 'delivered', attempts: [{ retry: 0, status: 204 }] });
      const path = `/webhooks/${hook.webhook_id}/deliveries/${delivery.delivery_id}/replay`;
      expect((await call('POST', path, undefined, { key })).status).toBe(202);
      const all = await eventually(
        () => receiver.received('signed'),
        (each) => each.length === 2,
        SOON_MS,
      );
      expect(all[1]!.rawBody.equals(all[0]!.rawBody)).toBe(true);
    },
  );

  proves(
    ['D8.secret rotation', 'D8.operations'],
    'after a rotation the old secret signs until the overlap ends, and the new one beside it',
    async () => {
      const hook = await register(receiver.urlOf('rotated'));
      const path = `/webhooks/${hook.webhook_id}`;
      const ping = async () => {
        const before = receiver.received('rotated').length;
        expect((await call('POST', `${path}/test`)).body.attempts).toMatchObject([{ retry: 0, status: 204 }]);
        return receiver.received('rotated')[before]!;
      };
      const first = await ping();
      expect(first.headers['x-service-signature']).toBe(signed(hook.secret, first));
      expect(first.headers['x-service-signature-next']).toBeUndefined();
      const { secret: next } = (await call('POST', `${path}/rotate-secret`)).body;
      expect(next).toMatch(/^whsec_/);
      const during = await ping();
      expect(during.headers['x-service-signature']).toBe(signed(hook.secret, during));
      expect(during.headers['x-service-signature-next']).toBe(signed(next, during));
      const { secret: last } = (await call('POST', `${path}/rotate-secret`, { overlap_seconds: 0 })).body;
      const after = await ping();
      expect(after.headers['x-service-signature']).toBe(signed(last, after));
      expect(after.headers['x-service-signature-next']).toBeUndefined();
    },
  );
});

describe('the seven events', () => {
  proves(
    [
      'event memory.ingest.completed',
      'event memory.ingest.dlp_flagged',
      'event memory.ingest.auto_routed',
      'event memory.entity.created',
      'event memory.entity.contradiction_detected',
      'event memory.entity.contradiction_resolved',
      'event memory.health.assessed',
      'D8.payloads',
      'D4.dlp',
    ],
    'reach a receiver with the payloads that were decided, and none has a value that was masked',
    async () => {
      const { api_key: key } = await newTenant(cairn);
      const as = hooks(key);
      await register(receiver.urlOf('all'), EVENTS, key);
      const { memory_id } = (await as('POST', '/memories', { display_name: 'Shop', dlp_policy: 'pii' })).body;
      const finance = { name: 'Finance', description: 'Invoices, budgets, prices and taxes', memory_id };
      const space = (await as('POST', '/spaces', finance)).body;
      await as('POST', '/spaces', {
        name: 'Engineering',
        description: 'How our software is built and tested',
        memory_id,
      });
      const texts = [
        'The list price of the Bolt Reader B7 is €12.00. It is sold in boxes. Ask ada@example.org and bob@example.org.',
        'Notes. The list price of the Bolt Reader B7 is €14.50 this year.',
        'The invoice of March was paid by bank transfer; the auditors ask for the receipt and the tax statement.',
      ];
      const documents = texts.map((content, n) => ({ content, title: `Note ${n}` }));
      const docIds = await ingest(cairn.baseUrl, key, documents, { memory_id });
      const open = await eventually(
        async () =>
          (await as('GET', `/memory/contradictions?status=open&memory_id=${memory_id}`)).body.contradictions[0],
        (found) => found !== undefined,
        SOON_MS,
      );
      const winner = open.facts[0].fact_id;
      await as('POST', `/memory/contradictions/${open.contradiction_id}/resolve?memory_id=${memory_id}`, { winner });
      const payloadsOf = (event: string) =>
        receiver
          .received('all')
          .filter(({ body }) => body.event === event)
          .map(({ body }) => body.payload);
      await eventually(
        () => EVENTS.filter((event) => payloadsOf(event).length === 0),
        (none) => none.length === 0,
        SOON_MS,
      );
      await eventually(() => payloadsOf(COMPLETED).length >= 3 && payloadsOf(EVENTS[2]!).length >= 3, Boolean, SOON_MS);
      const ofDocument = (event: string, docId: string) => payloadsOf(event).find(({ doc_id }) => doc_id === docId);
      const vault_id = space.vault_id;
      expect(ofDocument(COMPLETED, docIds[2]!)).toEqual({ doc_id: docIds[2], vault_id, title: 'Note 2', chunks: 1 });
      expect(ofDocument('memory.ingest.dlp_flagged', docIds[0]!)).toEqual({
        doc_id: docIds[0],
        vault_id: expect.stringMatching(/^vlt_/),
        findings: [{ kind: 'email', count: 2 }],
      });
      expect(ofDocument('memory.ingest.auto_routed', docIds[2]!)).toEqual({
        doc_id: docIds[2],
        vault_id,
        space_id: space.space_id,
        confidence: expect.any(Number),
        needs_review: expect.any(Boolean),
      });
      const entity = { entity_id: open.entity.entity_id, name: 'Bolt Reader B7', type: 'product' };
      expect(payloadsOf('memory.entity.created')).toContainEqual(entity);
      const [detected] = payloadsOf('memory.entity.contradiction_detected');
      expect(detected).toEqual({
        contradiction_id: open.contradiction_id,
        entity_id: open.entity.entity_id,
        relation: open.relation,
        facts: expect.arrayContaining(
          open.facts.map(({ fact_id, value, doc_id }: Record<string, string>) => ({ fact_id, value, doc_id })),
        ),
      });
      expect(payloadsOf('memory.entity.contradiction_resolved')).toEqual([
        { contradiction_id: open.contradiction_id, winner, resolved_by: expect.stringMatching(/^key_/) },
      ]);
      const [assessed] = payloadsOf('memory.health.assessed');
      expect(Object.keys(assessed).toSorted()).toEqual(['parts', 'score']);
      for (const { rawBody } of receiver.received('all')) expect(rawBody.toString()).not.toContain('@example.org');
    },
    150_000,
  );
});
