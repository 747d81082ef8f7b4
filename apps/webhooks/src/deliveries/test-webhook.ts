import { setTimeout as sleep } from 'node:timers/promises';
import { newId, type testWebhook, WEBHOOK_TEST_EVENT } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { testBody } from '../intake/envelope.ts';
import { findWebhook } from '../webhooks/webhook-store.ts';
import { showDelivery } from './present-delivery.ts';

export interface TestParts {
  database: Database;
  clock: Clock;
  hint: (webhookId: string) => void;
}

const POLL_MS = 25;
/** The request's own time-out and what queueing takes. */
const WAIT_MS = 12_000;

/** Sends a test event through the queue like any other, once, and answers when it is known how it was taken. */
export async function sendTest(
  parts: TestParts,
  call: Call<typeof testWebhook>,
): Promise<JsonAnswer<typeof testWebhook>> {
  const { tenantId } = call.identity;
  const { webhook_id: webhookId } = call.params;
  const { body, replayed } = await parts.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      { caller: call.identity, operation: 'testWebhook', key: call.idempotencyKey, request: call.params },
      async () => ({ status: 200, body: { delivery_id: await queueTest(tx, parts.clock, call) } }),
    ),
  );
  const { delivery_id: deliveryId } = body as { delivery_id: string };
  parts.hint(webhookId);
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const delivery = await parts.database.withTenant(tenantId, (tx) => showDelivery(tx, webhookId, deliveryId));
    const isOver = delivery.state === 'delivered' || delivery.state === 'test_failed';
    // It goes on in the background; the list shows how it ends.
    if (isOver || performance.now() > until) return { body: delivery, replayed };
    await sleep(POLL_MS, undefined, { signal: call.signal });
  }
}

async function queueTest(tx: Tx, clock: Clock, call: Call<typeof testWebhook>): Promise<string> {
  const { tenantId, livemode } = call.identity;
  const { webhook_id: webhookId } = call.params;
  const webhook = await findWebhook(tx, webhookId);
  if (webhook === null) throw notFound('The webhook');
  if (!webhook.active) throw new CairnError('conflict', 'The webhook is not active.');
  const [deliveryId, eventId, event, now] = [newId('delivery'), newId('event'), WEBHOOK_TEST_EVENT, clock.now()];
  const body = testBody({ eventId, event, tenantId, livemode, webhookId, at: now });
  await tx.execute(
    `INSERT INTO webhook_events (tenant_id, event_id, event, memory_id, body) VALUES ($1, $2, $3, '', $4)`,
    [tenantId, eventId, event, body],
  );
  await tx.execute(
    'INSERT INTO deliveries (tenant_id, delivery_id, webhook_id, event_id, event) VALUES ($1, $2, $3, $4, $5)',
    [tenantId, deliveryId, webhookId, eventId, event],
  );
  await tx.execute(
    `INSERT INTO delivery_queue (tenant_id, delivery_id, webhook_id, event_id, due_at, attempts, round, is_test)
     VALUES ($1, $2, $3, $4, $5, 0, 1, true)`,
    [tenantId, deliveryId, webhookId, eventId, now],
  );
  return deliveryId;
}
