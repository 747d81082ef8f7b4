import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { markDeleted } from './webhook-store.ts';

/** Deletes a webhook: nothing more is sent from now on, and its deliveries are erased in the background. */
export async function deleteWebhook(
  deps: { database: Database; eraseSoon: () => void },
  context: RequestContext<typeof operations.deleteWebhook>,
): Promise<JsonResponse<typeof operations.deleteWebhook>> {
  const { webhook_id: webhookId } = context.params;
  const marked = await deps.database.withTenant(context.identity.tenantId, (tx) => markDeleted(tx, webhookId));
  if (!marked) throw notFound('The webhook');
  deps.eraseSoon();
  return { body: { webhook_id: webhookId, deleted: true } };
}
