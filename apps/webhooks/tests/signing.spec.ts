import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@cairn/sdk/webhooks';
import { eventually } from '@cairn/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { createFakeClock } from './fake-clock.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import { ingested, MEMORY, newTenant, type RunningWebhooks, runWebhooks, WORKSPACE } from './webhooks-harness.ts';

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
let webhooks: RunningWebhooks;
let receiver: Receiver;
beforeAll(async () => {
  webhooks = await runWebhooks({ ports: { clock } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await webhooks.close();
  await receiver.close();
});

const hmac = (secret: string, body: string) => createHmac('sha256', secret).update(body, 'utf8').digest('hex');

async function nextDelivery(tenant: ReturnType<typeof newTenant>): Promise<Received> {
  const eventId = await webhooks.emit(tenant, 'ingestCompleted', ingested());
  return eventually(
    () => receiver.received.find(({ event }) => event.event_id === eventId)!,
    (found) => found !== undefined,
  );
}

/** What the kept library of Standard Webhooks says; it reads the system's time. */
function standardAccepts(secret: string, { headers, body }: Received): boolean {
  try {
    new StandardWebhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('a delivery', () => {
  it('is the interface’s envelope, signed over its raw bytes with the secret as it was shown, and by Standard Webhooks', async () => {
    const tenant = newTenant();
    const { secret, webhook_id: id } = await webhooks.register(tenant, receiver.url);
    const document = { ...ingested(), title: 'Grüße — 工 "quoted"' };
    const eventId = await webhooks.emit(tenant, 'ingestCompleted', document);
    const got = await eventually(() => receiver.received.find(({ event }) => event.event_id === eventId)!);
    expect(got.headers['content-type']).toBe('application/json');
    expect(JSON.parse(got.body)).toEqual({
      event_id: eventId,
      event: 'memory.ingest.completed',
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      livemode: true,
      scope: { tenant_id: tenant.tenantId, workspace_id: WORKSPACE, memory_id: MEMORY },
      payload: { doc_id: document.docId, vault_id: document.vaultId, title: document.title, chunks: 1 },
    });
    expect(got.headers['x-service-signature']).toBe(hmac(secret, got.body));
    expect(got.headers).not.toHaveProperty('x-service-signature-next');
    expect(got.headers['webhook-id']).toBe(eventId);
    expect(standardAccepts(secret, got)).toBe(true);
    expect(await verifyWebhook({ rawBody: got.body, headers: got.headers }, secret)).toEqual(JSON.parse(got.body));
    expect(standardAccepts(secret, { ...got, body: `${got.body} ` })).toBe(false);
    await webhooks.call(tenant, 'DELETE', `/api/v1/webhooks/${id}`);
  });

  it.each([
    [
      'dlpFlagged',
      'memory.ingest.dlp_flagged',
      { docId: 'd', vaultId: 'v', findings: [{ kind: 'email', count: 2 }] },
      { doc_id: 'd', vault_id: 'v', findings: [{ kind: 'email', count: 2 }] },
    ],
    [
      'autoRouted',
      'memory.ingest.auto_routed',
      { docId: 'd', vaultId: 'v', spaceId: '', confidence: 0.5, needsReview: true },
      { doc_id: 'd', vault_id: 'v', space_id: null, confidence: 0.5, needs_review: true },
    ],
    [
      'autoRouted',
      'memory.ingest.auto_routed',
      { docId: 'd', vaultId: 'v', spaceId: 'spc_1', confidence: 1, needsReview: false },
      { doc_id: 'd', vault_id: 'v', space_id: 'spc_1', confidence: 1, needs_review: false },
    ],
    [
      'entityCreated',
      'memory.entity.created',
      { entityId: 'e', name: 'n', type: 't' },
      { entity_id: 'e', name: 'n', type: 't' },
    ],
    [
      'contradictionDetected',
      'memory.entity.contradiction_detected',
      { contradictionId: 'c', entityId: 'e', relation: 'r', facts: [{ factId: 'f', value: '1', docId: 'd' }] },
      { contradiction_id: 'c', entity_id: 'e', relation: 'r', facts: [{ fact_id: 'f', value: '1', doc_id: 'd' }] },
    ],
    [
      'contradictionResolved',
      'memory.entity.contradiction_resolved',
      { contradictionId: 'c', winner: 'both', resolvedBy: 'key_1' },
      { contradiction_id: 'c', winner: 'both', resolved_by: 'key_1' },
    ],
    [
      'healthAssessed',
      'memory.health.assessed',
      { score: 87.5, parts: { freshness: 1 } },
      { score: 87.5, parts: { freshness: 1 } },
    ],
  ] as const)('of %s has its decided payload', async (kind, event, payload, expected) => {
    const tenant = newTenant();
    await webhooks.register(tenant, receiver.url, { events: [event] });
    const eventId = await webhooks.emit(tenant, kind, payload);
    const got = await eventually(() => receiver.received.find((one) => one.event.event_id === eventId)!);
    expect(got.event).toMatchObject({ event, payload: expected });
  });

  it('goes to those who subscribed to its event and are switched on, and to no other tenant', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const made = await Promise.all([
      webhooks.register(tenant, receiver.url, { events: ['memory.entity.created'] }),
      webhooks.register(tenant, receiver.url, { events: ['memory.ingest.completed', 'memory.entity.created'] }),
      webhooks.register(tenant, receiver.url, { active: false }),
      webhooks.register(other, receiver.url),
    ]);
    await nextDelivery(tenant);
    const counts = [
      ...(await Promise.all(made.slice(0, 3).map((one) => webhooks.deliveries(tenant, one.webhook_id)))),
      await webhooks.deliveries(other, made[3]!.webhook_id),
    ].map((list) => list.length);
    expect(counts).toEqual([0, 1, 0, 0]);
  });
});

describe('a rotation', () => {
  it('lets both secrets sign until the overlap ends, and the new one alone from then on', async () => {
    const tenant = newTenant();
    const { secret: old, webhook_id: id } = await webhooks.register(tenant, receiver.url);
    const path = `/api/v1/webhooks/${id}/rotate-secret`;
    const rotated = await webhooks.call(tenant, 'POST', path, { overlap_seconds: 3_600 });
    const fresh = rotated.body.secret;
    expect(fresh).not.toBe(old);
    expect(Date.parse(rotated.body.secret_rotates_at)).toBe(clock.now().getTime() + HOUR_MS);

    const during = await nextDelivery(tenant);
    expect(during.headers['x-service-signature']).toBe(hmac(old, during.body));
    expect(during.headers['x-service-signature-next']).toBe(hmac(fresh, during.body));
    expect([old, fresh].map((secret) => standardAccepts(secret, during))).toEqual([true, true]);

    expect(await webhooks.call(tenant, 'POST', path, {})).toMatchObject({ status: 409, body: { code: 'conflict' } });
    clock.advance(HOUR_MS);
    const after = await nextDelivery(tenant);
    expect(after.headers['x-service-signature']).toBe(hmac(fresh, after.body));
    expect(after.headers).not.toHaveProperty('x-service-signature-next');
    await eventually(async () => {
      const [row] = await webhooks.ask<{ next: string | null }>(
        'SELECT next_secret_sealed AS next FROM webhooks WHERE webhook_id = $1',
        [id],
      );
      return row!.next === null;
    });
  });

  it('at once ends every secret before it, also that of a rotation under way', async () => {
    const tenant = newTenant();
    const { secret: old, webhook_id: id } = await webhooks.register(tenant, receiver.url);
    const path = `/api/v1/webhooks/${id}/rotate-secret`;
    const leaked = (await webhooks.call(tenant, 'POST', path, {})).body.secret;
    const last = await webhooks.call(tenant, 'POST', path, { overlap_seconds: 0 });
    expect(last.body.secret_rotates_at).toBeNull();
    const got = await nextDelivery(tenant);
    expect(got.headers['x-service-signature']).toBe(hmac(last.body.secret, got.body));
    expect(got.headers['x-service-signature']).not.toBe(hmac(old, got.body));
    expect(standardAccepts(leaked, got)).toBe(false);
    expect(got.headers).not.toHaveProperty('x-service-signature-next');
  });
});
