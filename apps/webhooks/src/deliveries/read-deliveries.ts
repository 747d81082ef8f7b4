import { DELIVERIES_DEFAULT_LIMIT, type getDelivery, type listDeliveries } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database, Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { findWebhook } from '../webhooks/webhook-store.ts';
import { attemptsAt, listDeliveryRows } from './delivery-store.ts';
import { presentDelivery, showDelivery } from './present-delivery.ts';

const SNAPSHOT = { mode: 'snapshot' } as const;

export async function listWebhookDeliveries(
  parts: { database: Database },
  call: Call<typeof listDeliveries>,
): Promise<JsonAnswer<typeof listDeliveries>> {
  const { webhook_id: webhookId } = call.params;
  const limit = call.query.limit ?? DELIVERIES_DEFAULT_LIMIT;
  const { state, event, cursor: before } = call.query;
  const list = async (tx: Tx) => {
    await assertWebhook(tx, webhookId);
    const rows = await listDeliveryRows(tx, { webhookId, state, event, before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const attempts = await attemptsAt(
      tx,
      shown.map((row) => row.delivery_id),
    );
    return {
      deliveries: shown.map((row) => presentDelivery(row, attempts.get(row.delivery_id) ?? [])),
      next_cursor: rows.length > limit ? shown.at(-1)!.delivery_id : undefined,
    };
  };
  return { body: await parts.database.withTenant(call.identity.tenantId, list, SNAPSHOT) };
}

export async function readDelivery(
  parts: { database: Database },
  call: Call<typeof getDelivery>,
): Promise<JsonAnswer<typeof getDelivery>> {
  const { webhook_id: webhookId, delivery_id: deliveryId } = call.params;
  const read = async (tx: Tx) => {
    await assertWebhook(tx, webhookId);
    return showDelivery(tx, webhookId, deliveryId);
  };
  return { body: await parts.database.withTenant(call.identity.tenantId, read, SNAPSHOT) };
}

export async function assertWebhook(tx: Tx, webhookId: string): Promise<void> {
  if ((await findWebhook(tx, webhookId)) === null) throw notFound('The webhook');
}
