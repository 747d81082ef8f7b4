import type { updateWebhook } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Outbound } from '@cairn/outbound';
import type { Database } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { endpointUrl } from './endpoint-url.ts';
import { presentWebhook } from './present-webhook.ts';
import { changeWebhook, findWebhook, lockWebhook } from './webhook-store.ts';

/** Changes what is named. An attempt that is under way goes where it was going. */
export async function updateTenantWebhook(
  parts: { database: Database; outbound: Outbound; hint: (webhookId: string) => void },
  call: Call<typeof updateWebhook>,
): Promise<JsonAnswer<typeof updateWebhook>> {
  const { url, ...rest } = call.body;
  const { webhook_id: webhookId } = call.params;
  const change = { ...rest, ...(url === undefined ? {} : { url: endpointUrl(parts.outbound, url) }) };
  const row = await parts.database.withTenant(call.identity.tenantId, async (tx) => {
    if ((await lockWebhook(tx, webhookId)) === null) throw notFound('The webhook');
    await changeWebhook(tx, webhookId, change);
    return (await findWebhook(tx, webhookId))!;
  });
  // What waited while it was switched off.
  if (row.active) parts.hint(webhookId);
  return { body: presentWebhook(row) };
}
