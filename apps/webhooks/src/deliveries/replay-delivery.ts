import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { readDelivery } from './present-delivery.ts';
import { requireWebhook } from '../webhooks/require-webhook.ts';
import { requeue } from './requeue.ts';

/**
 * Replays a delivery. It is in the queue once or not at all, so that a replay and an automatic retry never send it
 * twice: one that waits for its retry begins a new round instead, and one that is being sent is left alone.
 */
export async function replayDelivery(
  deps: { database: Database; clock: Clock; hint: (webhookId: string) => void },
  context: RequestContext<typeof operations.replayDelivery>,
): Promise<JsonResponse<typeof operations.replayDelivery>> {
  const { tenantId } = context.identity;
  const { webhook_id: webhookId, delivery_id: deliveryId } = context.params;
  const response = await deps.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      { caller: context.identity, operation: 'replayDelivery', key: context.idempotencyKey, request: context.params },
      async () => {
        await requireWebhook(tx, webhookId);
        await queueAgain(tx, webhookId, deliveryId, deps.clock.now());
        return { status: 202, body: await readDelivery(tx, webhookId, deliveryId) };
      },
    ),
  );
  deps.hint(webhookId);
  return response as JsonResponse<typeof operations.replayDelivery>;
}

async function queueAgain(tx: Tx, webhookId: string, deliveryId: string, now: Date): Promise<void> {
  const queued = await tx.query<{ claimed_until: Date | null }>(
    'SELECT claimed_until FROM delivery_queue WHERE delivery_id = $1 AND webhook_id = $2 FOR UPDATE',
    [deliveryId, webhookId],
  );
  if (queued[0] !== undefined) {
    // A first attempt, which is charged: otherwise replays would send retries faster than their schedule.
    if (queued[0].claimed_until === null)
      await tx.execute(
        `UPDATE delivery_queue
            SET due_at = least(due_at, $2), retry = 0, round = round + CASE WHEN retry > 0 THEN 1 ELSE 0 END
          WHERE delivery_id = $1`,
        [deliveryId, now],
      );
    return;
  }
  const settled = await tx.query<{ state: string }>(
    'SELECT state FROM deliveries WHERE delivery_id = $1 AND webhook_id = $2 FOR UPDATE',
    [deliveryId, webhookId],
  );
  if (settled[0] === undefined) throw notFound('The delivery');
  // A concurrent request replayed it while we waited for the row lock.
  if (settled[0].state === 'waiting') return;
  await requeue(tx, [deliveryId], now);
}
