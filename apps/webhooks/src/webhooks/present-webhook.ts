import type { ResponseOf, getWebhook } from '@cairn/contracts';
import type { WebhookRow } from './webhook-store.ts';

export function presentWebhook(row: WebhookRow): ResponseOf<typeof getWebhook> {
  return {
    webhook_id: row.webhook_id,
    url: row.url,
    events: row.events,
    description: row.description,
    active: row.active,
    status: statusOf(row),
    failing_since: row.failing_since?.toISOString() ?? null,
    inactive_since: row.inactive_since?.toISOString() ?? null,
    inactive_reason: row.inactive_reason,
    auto_replay: row.auto_replay,
    livemode: row.livemode,
    dead_letters: row.dead_letters,
    secret_rotates_at: row.secret_rotates_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function statusOf(row: WebhookRow) {
  if (!row.active) return 'inactive';
  return row.failing_since === null ? 'active' : 'failing';
}
