import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Outbound } from '@cairn/outbound';
import type { Database } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { endpointUrl } from './endpoint-url.ts';
import { presentWebhook } from './present-webhook.ts';
import { changeWebhook, findWebhook, lockWebhook } from './webhook-store.ts';

/** Changes the given fields. An attempt in flight keeps its URL. */
export async function updateWebhook(
  deps: { database: Database; outbound: Outbound; hint: (webhookId: string) => void },
  context: RequestContext<typeof operations.updateWebhook>,
): Promise<JsonResponse<typeof operations.updateWebhook>> {
  const { url, ...rest } = context.body;
  const { webhook_id: webhookId } = context.params;
  const change = { ...rest, ...(url === undefined ? {} : { url: endpointUrl(deps.outbound, url) }) };
  const row = await deps.database.withTenant(context.identity.tenantId, async (tx) => {
    if ((await lockWebhook(tx, webhookId)) === null) throw notFound('The webhook');
    await changeWebhook(tx, webhookId, change);
    return (await findWebhook(tx, webhookId))!;
  });
  // Deliveries have waited while it was switched off.
  if (row.active) deps.hint(webhookId);
  return { body: presentWebhook(row) };
}
