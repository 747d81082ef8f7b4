import type * as operations from '@cairn/contracts';
import { DELIVERIES_DEFAULT_LIMIT } from '@cairn/contracts';
import { type Database, pageOf, type Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { listDeliveryRows, listNewestDeliveryRows } from './delivery-store.ts';
import { presentDeliveries } from './present-delivery.ts';

/** The deliveries of every webhook of the tenant; of an unknown one there are none. */
export async function listAllDeliveries(
  deps: { database: Database },
  { identity, query }: RequestContext<typeof operations.listAllDeliveries>,
): Promise<JsonResponse<typeof operations.listAllDeliveries>> {
  const { state, event, cursor, webhook_id: webhookId, limit = DELIVERIES_DEFAULT_LIMIT } = query;
  const page = pageOf({ cursor, limit });
  const filter = { state, event, before: cursor, limit: limit + 1 };
  const list = async (tx: Tx) => {
    const rows = await (webhookId === undefined
      ? listNewestDeliveryRows(tx, filter)
      : listDeliveryRows(tx, { ...filter, webhookId }));
    return presentDeliveries(tx, rows, page);
  };
  return { body: await deps.database.withTenant(identity.tenantId, list, { mode: 'snapshot' }) };
}
