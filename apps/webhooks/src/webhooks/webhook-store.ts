import type { InactiveReason, WebhookEvent } from '@cairn/contracts';
import type { Page, Tx } from '@cairn/postgres';

export interface WebhookRow {
  tenant_id: string;
  webhook_id: string;
  url: string;
  events: WebhookEvent[];
  description: string;
  active: boolean;
  failing_since: Date | null;
  inactive_since: Date | null;
  inactive_reason: InactiveReason | null;
  auto_replay: boolean;
  livemode: boolean;
  secret_sealed: string;
  next_secret_sealed: string | null;
  secret_rotates_at: Date | null;
  created_at: Date;
  updated_at: Date;
  dead_letters: number;
}

const SELECT = `SELECT w.*, (SELECT count(*) FROM dead_letters l WHERE l.webhook_id = w.webhook_id) AS dead_letters
                 FROM webhooks w WHERE w.deleted_at IS NULL`;

export async function insertWebhook(
  tx: Tx,
  row: Pick<
    WebhookRow,
    | 'tenant_id'
    | 'webhook_id'
    | 'url'
    | 'events'
    | 'description'
    | 'active'
    | 'auto_replay'
    | 'livemode'
    | 'secret_sealed'
  >,
): Promise<void> {
  await tx.execute(
    `INSERT INTO webhooks (tenant_id, webhook_id, url, events, description, active, auto_replay, livemode, secret_sealed,
                           inactive_since, inactive_reason)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
             CASE WHEN NOT $6 THEN now() END, CASE WHEN NOT $6 THEN 'switched_off' END)`,
    [
      row.tenant_id,
      row.webhook_id,
      row.url,
      row.events,
      row.description,
      row.active,
      row.auto_replay,
      row.livemode,
      row.secret_sealed,
    ],
  );
}

export async function findWebhook(tx: Tx, webhookId: string): Promise<WebhookRow | null> {
  const rows = await tx.query<WebhookRow>(`${SELECT} AND w.webhook_id = $1`, [webhookId]);
  return rows[0] ?? null;
}

export async function lockWebhook(tx: Tx, webhookId: string): Promise<WebhookRow | null> {
  const rows = await tx.query<WebhookRow>(`${SELECT} AND w.webhook_id = $1 FOR UPDATE OF w`, [webhookId]);
  return rows[0] ?? null;
}

/** In the order of creation. */
export async function listWebhookRows(tx: Tx, page: Page): Promise<WebhookRow[]> {
  return tx.query<WebhookRow>(`${SELECT} AND w.webhook_id > $1 ORDER BY w.webhook_id LIMIT $2`, [
    page.after,
    page.fetch,
  ]);
}

/** Counts under a lock that concurrent creations wait for, so that the limit holds. */
export async function countForLimit(tx: Tx, tenantId: string): Promise<number> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks of\u0001${tenantId}`]);
  const rows = await tx.query<{ count: number }>('SELECT count(*) AS count FROM webhooks WHERE deleted_at IS NULL');
  return rows[0]!.count;
}

/**
 * Changes the given fields. Another URL, or being switched on, resets the health of the endpoint: what was accepted
 * elsewhere or long ago proves nothing. Retries that wait begin a new round then, with a first attempt that is charged.
 */
export async function changeWebhook(
  tx: Tx,
  webhookId: string,
  change: Partial<Pick<WebhookRow, 'url' | 'events' | 'description' | 'active' | 'auto_replay'>>,
): Promise<void> {
  await tx.execute(
    `UPDATE webhooks SET url = coalesce($2, url), events = coalesce($3, events), description = coalesce($4, description),
            active = coalesce($5, active), auto_replay = coalesce($6, auto_replay), updated_at = now(),
            target_version = target_version + CASE WHEN $2 <> url OR ($5 AND NOT active) THEN 1 ELSE 0 END,
            first_accepted_at = CASE WHEN $2 <> url THEN NULL ELSE first_accepted_at END,
            failing_since = CASE WHEN $2 <> url OR $5 THEN NULL ELSE failing_since END,
            consecutive_dead_letters = CASE WHEN $2 <> url OR $5 THEN 0 ELSE consecutive_dead_letters END,
            inactive_since = CASE WHEN $5 THEN NULL WHEN NOT $5 AND active THEN now() ELSE inactive_since END,
            inactive_reason = CASE WHEN $5 THEN NULL WHEN NOT $5 AND active THEN 'switched_off' ELSE inactive_reason END
      WHERE webhook_id = $1`,
    [
      webhookId,
      change.url ?? null,
      change.events ?? null,
      change.description ?? null,
      change.active ?? null,
      change.auto_replay ?? null,
    ],
  );
}

export async function updateSecrets(
  tx: Tx,
  webhookId: string,
  secrets: Pick<WebhookRow, 'secret_sealed' | 'next_secret_sealed' | 'secret_rotates_at'>,
): Promise<void> {
  await tx.execute(
    `UPDATE webhooks SET secret_sealed = $2, next_secret_sealed = $3, secret_rotates_at = $4, updated_at = now()
      WHERE webhook_id = $1`,
    [webhookId, secrets.secret_sealed, secrets.next_secret_sealed, secrets.secret_rotates_at],
  );
}

/** Ends rotations whose overlap is over; the previous secret is deleted. */
export async function endRotations(tx: Tx, now: Date): Promise<void> {
  await tx.execute(
    `UPDATE webhooks SET secret_sealed = next_secret_sealed, next_secret_sealed = NULL, secret_rotates_at = NULL
      WHERE secret_rotates_at <= $1`,
    [now],
  );
}

/** Hides a webhook from everybody; false when there is none. */
export async function markDeleted(tx: Tx, webhookId: string): Promise<boolean> {
  const marked = await tx.execute(
    'UPDATE webhooks SET deleted_at = now() WHERE webhook_id = $1 AND deleted_at IS NULL',
    [webhookId],
  );
  return marked > 0;
}
