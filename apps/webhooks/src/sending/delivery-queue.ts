import type { Database, Tx } from '@cairn/postgres';
import type { EncryptedSecrets } from '../signing/signing-secret.ts';

/**
 * How a delivery is claimed: a first attempt when budgets allow it, a retry when it is due, a call of the test operation
 * at once.
 */
export type LaneName = 'first' | 'retries' | 'tests';

/** A delivery that this replica makes one attempt at. */
export interface ClaimedDelivery extends EncryptedSecrets {
  tenant_id: string;
  delivery_id: string;
  event_id: string;
  /** Number of this attempt over all rounds; also the fence for recording it. */
  attempt: number;
  retry: number;
  is_test: boolean;
  auto_replay: boolean;
  url: string;
  body: string;
  /** The trace of the event. */
  traceparent: string | null;
}

/** An active webhook. */
export interface Target {
  webhook_id: string;
  tenant_id: string;
  livemode: boolean;
  url: string;
  /** Its endpoint has accepted a delivery, and since then none has become a dead letter. */
  accepts: boolean;
}

interface Claims {
  claimed: ClaimedDelivery[];
  /** The webhook of each retry that begins a new round, with a first attempt, because its webhook has changed. */
  restarted: string[];
}

interface QueueScan {
  /** Webhooks with something in the queue, and when the first of it is due. */
  due: { webhook_id: string; due_at: Date }[];
  /** The webhook after which the next scan continues; empty after the last one. */
  lastWebhookId: string;
}

/** The deliveries that are due now or later, as rows that all replicas share. */
export interface DeliveryQueue {
  /** The active ones among the webhooks. */
  targetsOf(tx: Tx, webhookIds: readonly string[]): Promise<Map<string, Target>>;
  /**
   * Claims what is due in the lane, at most so many for each webhook, and records that an attempt begins. Retries were
   * not charged: when the URL has changed since their first attempt, or the webhook was switched on, they become first
   * attempts of a new round instead.
   */
  claim(tx: Tx, lane: LaneName, wanted: readonly { target: Target; slots: number }[], now: Date): Promise<Claims>;
  /** Looks for what no hint announced to this replica, for the next webhooks in the order of their ids. */
  scan(lane: LaneName, afterWebhookId: string): Promise<QueueScan>;
}

/** Three times the longest request: a replica that holds a claim longer has died. */
const CLAIM_MS = 15_000;
const WEBHOOKS_SCAN_MAX = 10_000;

/** The rows of a lane; each lane has an index of its own. */
const ROWS: Readonly<Record<LaneName, string>> = {
  first: 'retry = 0 AND NOT is_test',
  retries: 'retry > 0 AND NOT is_test',
  tests: 'is_test',
};
const CLAIMS: Readonly<Record<LaneName, string>> = {
  first: 'webhook_claim_due',
  retries: 'webhook_claim_retries',
  tests: 'webhook_claim_tests',
};

export function createDeliveryQueue(database: Database, webhooksScanMax = WEBHOOKS_SCAN_MAX): DeliveryQueue {
  return {
    targetsOf,
    claim: claimRows,
    scan: (lane, afterWebhookId) =>
      database.transaction((tx) => scanRows(tx, lane, { afterWebhookId, webhooksMax: webhooksScanMax })),
  };
}

async function targetsOf(tx: Tx, webhookIds: readonly string[]): Promise<Map<string, Target>> {
  const rows = await tx.query<Target>({
    name: 'webhook_active_targets',
    text: `SELECT webhook_id, tenant_id, livemode, url,
                  first_accepted_at IS NOT NULL AND failing_since IS NULL AS accepts
             FROM webhooks WHERE webhook_id = ANY($1) AND active AND deleted_at IS NULL`,
    values: [webhookIds],
  });
  return new Map(rows.map((row) => [row.webhook_id, row]));
}

/** Whether a row of the lane belongs to an earlier version of its webhook. */
const IS_OUTDATED: Readonly<Record<LaneName, string>> = {
  first: 'false',
  retries: 'q.target_version <> wanted.target_version',
  tests: 'false',
};

const claimRows: DeliveryQueue['claim'] = async (tx, lane, wanted, now) => {
  if (wanted.length === 0) return { claimed: [], restarted: [] };
  const rows = await tx.query<ClaimedDelivery & { is_outdated: boolean }>({
    name: CLAIMS[lane],
    // Nothing goes to another URL than the one whose budgets were charged.
    text: `WITH wanted AS MATERIALIZED (
             SELECT w.webhook_id, w.url, w.auto_replay, w.secret_sealed, w.next_secret_sealed, w.secret_rotates_at,
                    w.target_version, r.slots
               FROM unnest($1::text[], $2::int[], $3::text[]) AS r (webhook_id, slots, url)
               JOIN webhooks w USING (webhook_id, url) WHERE w.active AND w.deleted_at IS NULL),
           picked AS (
             SELECT due.delivery_id, due.is_outdated, wanted.target_version FROM wanted CROSS JOIN LATERAL (
               SELECT q.delivery_id, ${IS_OUTDATED[lane]} AS is_outdated FROM delivery_queue q
                WHERE q.webhook_id = wanted.webhook_id AND q.due_at <= $4 AND q.claimed_until IS NULL
                  AND ${ROWS[lane]}
                ORDER BY q.due_at LIMIT wanted.slots FOR UPDATE SKIP LOCKED) due),
           claimed AS (
             UPDATE delivery_queue q
                SET claimed_until = CASE WHEN is_outdated THEN NULL ELSE $5::timestamptz END,
                    attempts = q.attempts + CASE WHEN is_outdated THEN 0 ELSE 1 END,
                    round = q.round + CASE WHEN is_outdated THEN 1 ELSE 0 END,
                    retry = CASE WHEN is_outdated THEN 0 ELSE q.retry END,
                    target_version = picked.target_version
               FROM picked WHERE q.delivery_id = picked.delivery_id
             RETURNING q.tenant_id, q.delivery_id, q.webhook_id, q.event_id, q.attempts, q.round, q.retry, q.is_test,
                       picked.is_outdated),
           begun AS (
             INSERT INTO delivery_attempts (tenant_id, delivery_id, attempt, round, retry, started_at)
             SELECT tenant_id, delivery_id, attempts, round, retry, $4 FROM claimed WHERE NOT is_outdated)
           SELECT c.is_outdated, c.tenant_id, c.delivery_id, c.webhook_id, c.event_id, c.attempts AS attempt, c.retry, c.is_test,
                  e.body, e.traceparent, w.url, w.auto_replay, w.secret_sealed, w.next_secret_sealed, w.secret_rotates_at
             FROM claimed c JOIN webhook_events e USING (event_id) JOIN wanted w USING (webhook_id)`,
    values: [
      wanted.map(({ target }) => target.webhook_id),
      wanted.map(({ slots }) => slots),
      wanted.map(({ target }) => target.url),
      now,
      new Date(now.getTime() + CLAIM_MS),
    ],
  });
  return {
    claimed: rows.filter((row) => !row.is_outdated),
    restarted: rows.filter((row) => row.is_outdated).map((row) => row.webhook_id),
  };
};

async function scanRows(
  tx: Tx,
  lane: LaneName,
  { afterWebhookId, webhooksMax }: { afterWebhookId: string; webhooksMax: number },
): Promise<QueueScan> {
  const rows = `${ROWS[lane]} AND claimed_until IS NULL`;
  const due = await tx.query<{ webhook_id: string; due_at: Date }>({
    name: `webhook_scan_${lane}`,
    // Steps from webhook to webhook through the index, however much waits for each.
    text: `WITH RECURSIVE step AS (
             (SELECT webhook_id, due_at, 1 AS n FROM delivery_queue
               WHERE webhook_id > $1 AND ${rows} ORDER BY webhook_id, due_at LIMIT 1)
             UNION ALL
             SELECT following.webhook_id, following.due_at, step.n + 1 FROM step CROSS JOIN LATERAL (
               SELECT webhook_id, due_at FROM delivery_queue
                WHERE webhook_id > step.webhook_id AND ${rows} ORDER BY webhook_id, due_at LIMIT 1) following
              WHERE step.n < $2)
           SELECT webhook_id, due_at FROM step ORDER BY webhook_id`,
    values: [afterWebhookId, webhooksMax],
  });
  return { due, lastWebhookId: due.length < webhooksMax ? '' : due.at(-1)!.webhook_id };
}
