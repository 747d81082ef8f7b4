import type * as operations from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { requireWebhook } from '../webhooks/require-webhook.ts';
import { findEventBody } from './delivery-store.ts';
import { readDelivery } from './present-delivery.ts';

export async function getDelivery(
  deps: { database: Database },
  context: RequestContext<typeof operations.getDelivery>,
): Promise<JsonResponse<typeof operations.getDelivery>> {
  const { webhook_id: webhookId, delivery_id: deliveryId } = context.params;
  const read = async (tx: Tx) => {
    await requireWebhook(tx, webhookId);
    const delivery = await readDelivery(tx, webhookId, deliveryId);
    const body = await findEventBody(tx, delivery.event_id);
    const headers = { 'content-type': 'application/json', 'webhook-id': delivery.event_id };
    return { ...delivery, request: body === null ? null : { body, headers } };
  };
  return { body: await deps.database.withTenant(context.identity.tenantId, read, { mode: 'snapshot' }) };
}
