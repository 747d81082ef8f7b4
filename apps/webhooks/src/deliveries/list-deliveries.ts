import type * as operations from '@cairn/contracts';
import { DELIVERIES_DEFAULT_LIMIT } from '@cairn/contracts';
import { type Database, pageOf, type Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { requireWebhook } from '../webhooks/require-webhook.ts';
import { listDeliveryRows } from './delivery-store.ts';
import { presentDeliveries } from './present-delivery.ts';

export async function listDeliveries(
  deps: { database: Database },
  context: RequestContext<typeof operations.listDeliveries>,
): Promise<JsonResponse<typeof operations.listDeliveries>> {
  const { webhook_id: webhookId } = context.params;
  const { state, event, cursor, limit = DELIVERIES_DEFAULT_LIMIT } = context.query;
  const page = pageOf({ cursor, limit });
  const list = async (tx: Tx) => {
    await requireWebhook(tx, webhookId);
    const rows = await listDeliveryRows(tx, { webhookId, state, event, before: cursor, limit: limit + 1 });
    return presentDeliveries(tx, rows, page);
  };
  return { body: await deps.database.withTenant(context.identity.tenantId, list, { mode: 'snapshot' }) };
}
