import type { getWebhook, listWebhooks } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { type Database, nextCursorOf, pageOf } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import { presentWebhook } from './present-webhook.ts';
import { findWebhook, listWebhookRows } from './webhook-store.ts';

export async function readWebhook(
  parts: { database: Database },
  call: Call<typeof getWebhook>,
): Promise<JsonAnswer<typeof getWebhook>> {
  const row = await parts.database.withTenant(call.identity.tenantId, (tx) => findWebhook(tx, call.params.webhook_id));
  if (row === null) throw notFound('The webhook');
  return { body: presentWebhook(row) };
}

export async function listTenantWebhooks(
  parts: { database: Database },
  call: Call<typeof listWebhooks>,
): Promise<JsonAnswer<typeof listWebhooks>> {
  const page = pageOf(call.query);
  const rows = await parts.database.withTenant(call.identity.tenantId, (tx) => listWebhookRows(tx, page));
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.webhook_id);
  return { body: { webhooks: shown.map(presentWebhook), next_cursor } };
}
