import type { Database } from '@cairn/postgres';
import { deleteDeliveries } from '../erasure/delete-deliveries.ts';

const BATCH_MAX = 500;

/**
 * Reclaims expired claims of replicas that died: their attempts are recorded as interrupted, which costs no retry, and
 * their deliveries are due at once. Returns their webhooks. What is claimed though its event is gone is never sent, so
 * its claim expires too; it is deleted.
 */
export async function reclaimExpired(database: Database, now: Date): Promise<string[]> {
  return database.transaction(async (tx) => {
    const rows = await tx.query<{ webhook_id: string; delivery_id: string; has_event: boolean }>({
      name: 'webhook_sweep_claims',
      text: `WITH lost AS (
               SELECT delivery_id FROM delivery_queue WHERE claimed_until < $1 LIMIT $2 FOR UPDATE SKIP LOCKED),
             freed AS (
               UPDATE delivery_queue q SET claimed_until = NULL, due_at = $1
                 FROM lost WHERE q.delivery_id = lost.delivery_id
               RETURNING q.delivery_id, q.webhook_id, q.event_id, q.attempts),
             interrupted AS (
               UPDATE delivery_attempts a SET outcome = 'interrupted', error = 'we were interrupted; it may have arrived'
                 FROM freed WHERE a.delivery_id = freed.delivery_id AND a.attempt = freed.attempts AND a.outcome IS NULL)
             SELECT webhook_id, delivery_id,
                    EXISTS (SELECT FROM webhook_events e WHERE e.event_id = freed.event_id) AS has_event
               FROM freed`,
      values: [now, BATCH_MAX],
    });
    const orphans = rows.filter((row) => !row.has_event);
    await deleteDeliveries(
      tx,
      orphans.map((row) => row.delivery_id),
    );
    return [...new Set(rows.filter((row) => row.has_event).map((row) => row.webhook_id))];
  });
}
