import type * as operations from '@cairn/contracts';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { presentWebhook } from './present-webhook.ts';
import { listWebhookRows } from './webhook-store.ts';

export async function listWebhooks(
  deps: { database: Database },
  context: RequestContext<typeof operations.listWebhooks>,
): Promise<JsonResponse<typeof operations.listWebhooks>> {
  const page = pageOf(context.query);
  const rows = await deps.database.withTenant(context.identity.tenantId, (tx) => listWebhookRows(tx, page));
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.webhook_id);
  return { body: { webhooks: shown.map(presentWebhook), next_cursor } };
}
