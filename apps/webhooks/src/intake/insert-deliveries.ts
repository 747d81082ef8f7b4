import { newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';

/** An event that is to be delivered to a webhook. */
export interface NewDelivery {
  tenantId: string;
  eventId: string;
  event: string;
  webhookId: string;
}

/** Inserts deliveries and queues them; one that exists already is left unchanged. */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[], dueAt: Date): Promise<void> {
  if (deliveries.length === 0) return;
  await tx.execute({
    name: 'webhook_deliveries_insert',
    text: `WITH made AS (
             INSERT INTO deliveries (tenant_id, delivery_id, webhook_id, event_id, event)
             SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
             ON CONFLICT (event_id, webhook_id) DO NOTHING
             RETURNING tenant_id, delivery_id, webhook_id, event_id)
           INSERT INTO delivery_queue (tenant_id, delivery_id, webhook_id, event_id, due_at, attempts, round)
           SELECT tenant_id, delivery_id, webhook_id, event_id, $6, 0, 1 FROM made`,
    values: [
      deliveries.map(({ tenantId }) => tenantId),
      deliveries.map(() => newId('delivery')),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ event }) => event),
      dueAt,
    ],
  });
}
