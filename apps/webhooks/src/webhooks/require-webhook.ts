import { notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { findWebhook, type WebhookRow } from './webhook-store.ts';

/** The webhook; throws `not_found` when there is none. */
export async function requireWebhook(tx: Tx, webhookId: string): Promise<WebhookRow> {
  const webhook = await findWebhook(tx, webhookId);
  if (webhook === null) throw notFound('The webhook');
  return webhook;
}
