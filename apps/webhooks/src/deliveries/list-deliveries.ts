import type * as operations from '@cairn/contracts';
import { DELIVERIES_DEFAULT_LIMIT } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { requireWebhook } from '../webhooks/require-webhook.ts';
import { listAttempts, listDeliveryRows } from './delivery-store.ts';
import { presentDelivery } from './present-delivery.ts';

export async function listDeliveries(
  deps: { database: Database },
  context: RequestContext<typeof operations.listDeliveries>,
): Promise<JsonResponse<typeof operations.listDeliveries>> {
  const { webhook_id: webhookId } = context.params;
  const limit = context.query.limit ?? DELIVERIES_DEFAULT_LIMIT;
  const { state, event, cursor: before } = context.query;
  const list = async (tx: Tx) => {
    await requireWebhook(tx, webhookId);
    const rows = await listDeliveryRows(tx, { webhookId, state, event, before, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const attempts = await listAttempts(
      tx,
      shown.map((row) => row.delivery_id),
    );
    return {
      deliveries: shown.map((row) => presentDelivery(row, attempts.get(row.delivery_id) ?? [])),
      next_cursor: rows.length > limit ? shown.at(-1)!.delivery_id : undefined,
    };
  };
  return { body: await deps.database.withTenant(context.identity.tenantId, list, { mode: 'snapshot' }) };
}
