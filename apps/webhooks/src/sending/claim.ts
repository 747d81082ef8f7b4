import type { Database } from '@cairn/postgres';
import type { SealedSecrets } from '../webhooks/signing-secret.ts';

/** A delivery that this replica makes one attempt at. */
export interface Claimed extends SealedSecrets {
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
}

/** Three times the longest request: whoever holds a claim longer than this is gone. */
export const CLAIM_MS = 15_000;

/**
 * Claims what is due for the webhooks, as many for each as it has room. The attempts are written down with the
 * claims, before anything is sent: one that nobody lives to record is known all the same.
 */
export async function claimDue(database: Database, rooms: ReadonlyMap<string, number>, now: Date): Promise<Claimed[]> {
  return database.transaction((tx) =>
    tx.query<Claimed>({
      name: 'webhook_claim_due',
      text: `WITH wanted AS MATERIALIZED (
               SELECT w.webhook_id, w.url, w.auto_replay, w.secret_sealed, w.next_secret_sealed, w.secret_rotates_at, r.room
                 FROM unnest($1::text[], $2::int[]) AS r (webhook_id, room)
                 JOIN webhooks w USING (webhook_id) WHERE w.active AND w.deleted_at IS NULL),
             picked AS (
               SELECT due.delivery_id FROM wanted CROSS JOIN LATERAL (
                 SELECT q.delivery_id FROM delivery_queue q
                  WHERE q.webhook_id = wanted.webhook_id AND q.due_at <= $3 AND q.claimed_until IS NULL
                  ORDER BY q.due_at LIMIT wanted.room FOR UPDATE SKIP LOCKED) due),
             claimed AS (
               UPDATE delivery_queue q SET claimed_until = $4, attempts = q.attempts + 1
                 FROM picked WHERE q.delivery_id = picked.delivery_id
               RETURNING q.tenant_id, q.delivery_id, q.webhook_id, q.event_id, q.attempts, q.round, q.retry, q.is_test),
             begun AS (
               INSERT INTO delivery_attempts (tenant_id, delivery_id, attempt, round, retry, started_at)
               SELECT tenant_id, delivery_id, attempts, round, retry, $3 FROM claimed)
             SELECT c.tenant_id, c.delivery_id, c.webhook_id, c.event_id, c.attempts AS attempt, c.retry, c.is_test,
                    e.body, w.url, w.auto_replay, w.secret_sealed, w.next_secret_sealed, w.secret_rotates_at
               FROM claimed c JOIN webhook_events e USING (event_id) JOIN wanted w USING (webhook_id)`,
      values: [[...rooms.keys()], [...rooms.values()], now, new Date(now.getTime() + CLAIM_MS)],
    }),
  );
}

const WEBHOOKS_SCAN_MAX = 10_000;

/** Webhooks with something in the queue, and when the first of it is due: what no hint told this replica of. */
export async function scanQueue(database: Database): Promise<{ webhook_id: string; due_at: Date }[]> {
  return database.transaction((tx) =>
    tx.query<{ webhook_id: string; due_at: Date }>({
      name: 'webhook_scan_queue',
      // Steps from webhook to webhook through the index, however much waits for each.
      text: `WITH RECURSIVE step AS (
               (SELECT webhook_id, due_at FROM delivery_queue ORDER BY webhook_id, due_at LIMIT 1)
               UNION ALL
               SELECT n.webhook_id, n.due_at FROM step CROSS JOIN LATERAL (
                 SELECT webhook_id, due_at FROM delivery_queue
                  WHERE webhook_id > step.webhook_id ORDER BY webhook_id, due_at LIMIT 1) n)
             SELECT webhook_id, due_at FROM step LIMIT $1`,
      values: [WEBHOOKS_SCAN_MAX],
    }),
  );
}
