import type { replayDelivery } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';
import { showDelivery } from './present-delivery.ts';
import { assertWebhook } from './read-deliveries.ts';
import { requeue } from './requeue.ts';

/**
 * Delivers again. A delivery is in the queue once or not at all, so that a replay and an automatic retry never double
 * each other: what waits for its retry is only brought forward, and what is being sent is left alone.
 */
export async function replayOne(
  parts: { database: Database; clock: Clock; hint: (webhookId: string) => void },
  call: Call<typeof replayDelivery>,
): Promise<JsonAnswer<typeof replayDelivery>> {
  const { tenantId } = call.identity;
  const { webhook_id: webhookId, delivery_id: deliveryId } = call.params;
  const answer = await parts.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      { caller: call.identity, operation: 'replayDelivery', key: call.idempotencyKey, request: call.params },
      async () => {
        await assertWebhook(tx, webhookId);
        await bringForward(tx, webhookId, deliveryId, parts.clock.now());
        return { status: 202, body: await showDelivery(tx, webhookId, deliveryId) };
      },
    ),
  );
  parts.hint(webhookId);
  return answer as JsonAnswer<typeof replayDelivery>;
}

async function bringForward(tx: Tx, webhookId: string, deliveryId: string, now: Date): Promise<void> {
  const queued = await tx.query<{ claimed_until: Date | null }>(
    'SELECT claimed_until FROM delivery_queue WHERE delivery_id = $1 AND webhook_id = $2 FOR UPDATE',
    [deliveryId, webhookId],
  );
  if (queued[0] !== undefined) {
    if (queued[0].claimed_until === null)
      await tx.execute('UPDATE delivery_queue SET due_at = $2 WHERE delivery_id = $1 AND due_at > $2', [
        deliveryId,
        now,
      ]);
    return;
  }
  const settled = await tx.query<{ state: string }>(
    'SELECT state FROM deliveries WHERE delivery_id = $1 AND webhook_id = $2 FOR UPDATE',
    [deliveryId, webhookId],
  );
  if (settled[0] === undefined) throw notFound('The delivery');
  // Somebody else replayed it while we waited for the row.
  if (settled[0].state === 'waiting') return;
  await requeue(tx, [deliveryId], now);
}
