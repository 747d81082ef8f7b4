import { setTimeout as sleep } from 'node:timers/promises';
import type * as operations from '@cairn/contracts';
import { newId, WEBHOOK_TEST_EVENT } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { testBody } from '../intake/envelope.ts';
import { exampleBody } from '../intake/example-body.ts';
import { requireWebhook } from '../webhooks/require-webhook.ts';
import { readDelivery } from './present-delivery.ts';

interface TestDeps {
  database: Database;
  clock: Clock;
  hint: (webhookId: string) => void;
}

const POLL_FIRST_MS = 25;
/** An endpoint that has not answered by then may take seconds, and many tests may wait at once. */
const POLL_MAX_MS = 400;
/** The delivery's own time-out and the time until it starts. */
const WAIT_MS = 9_000;

/** Sends a test event once, past whatever waits for the endpoint or its host, and returns when the outcome is known. */
export async function testWebhook(
  deps: TestDeps,
  context: RequestContext<typeof operations.testWebhook>,
): Promise<JsonResponse<typeof operations.testWebhook>> {
  const { tenantId } = context.identity;
  const { webhook_id: webhookId } = context.params;
  const { body, replayed } = await deps.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: context.identity,
        operation: 'testWebhook',
        key: context.idempotencyKey,
        request: { ...context.params, ...context.body },
      },
      async () => ({ status: 200, body: { delivery_id: await queueTest(tx, deps.clock, context) } }),
    ),
  );
  const { delivery_id: deliveryId } = body as { delivery_id: string };
  deps.hint(webhookId);
  const deadline = performance.now() + WAIT_MS;
  for (let pollMs = POLL_FIRST_MS; ; pollMs = Math.min(POLL_MAX_MS, pollMs * 2)) {
    const delivery = await deps.database.withTenant(tenantId, (tx) => readDelivery(tx, webhookId, deliveryId));
    const isOver = delivery.state === 'delivered' || delivery.state === 'test_failed';
    // It goes on in the background; the list shows how it ends.
    if (isOver || performance.now() > deadline) return { body: delivery, replayed };
    await sleep(pollMs, undefined, { signal: context.signal });
  }
}

async function queueTest(
  tx: Tx,
  clock: Clock,
  context: RequestContext<typeof operations.testWebhook>,
): Promise<string> {
  const { tenantId, livemode } = context.identity;
  const { webhook_id: webhookId } = context.params;
  const webhook = await requireWebhook(tx, webhookId);
  if (!webhook.active) throw new CairnError('conflict', 'The webhook is not active.');
  const deliveryId = newId('delivery');
  const eventId = newId('event');
  const now = clock.now();
  const about = { eventId, tenantId, livemode, at: now };
  const wanted = context.body.event;
  const event = wanted ?? WEBHOOK_TEST_EVENT;
  const body =
    wanted === undefined
      ? testBody({ ...about, event, webhookId })
      : JSON.stringify(exampleBody({ ...about, event: wanted, isTest: true }));
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
