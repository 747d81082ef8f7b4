import type { deleteWebhook } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { markDeleted } from './webhook-store.ts';

/** Deletes a webhook: nothing more is sent from now on, and its deliveries are erased in the background. */
export async function removeWebhook(
  parts: { database: Database; eraseSoon: () => void },
  call: Call<typeof deleteWebhook>,
): Promise<JsonAnswer<typeof deleteWebhook>> {
  const { webhook_id: webhookId } = call.params;
  const marked = await parts.database.withTenant(call.identity.tenantId, (tx) => markDeleted(tx, webhookId));
  if (!marked) throw notFound('The webhook');
  parts.eraseSoon();
  return { body: { webhook_id: webhookId, deleted: true } };
}
