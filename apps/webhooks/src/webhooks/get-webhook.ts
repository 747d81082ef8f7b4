import type * as operations from '@cairn/contracts';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { presentWebhook } from './present-webhook.ts';
import { requireWebhook } from './require-webhook.ts';

export async function getWebhook(
  deps: { database: Database },
  context: RequestContext<typeof operations.getWebhook>,
): Promise<JsonResponse<typeof operations.getWebhook>> {
  const row = await deps.database.withTenant(context.identity.tenantId, (tx) =>
    requireWebhook(tx, context.params.webhook_id),
  );
  return { body: presentWebhook(row) };
}
