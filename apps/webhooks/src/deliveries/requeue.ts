import type { Tx } from '@cairn/postgres';

/** Puts ended deliveries back into the queue for a new round of the whole schedule. Their rows are locked by the caller. */
export async function requeue(tx: Tx, deliveryIds: readonly string[], dueAt: Date, automatic = false): Promise<void> {
  await tx.execute(
    `WITH waiting AS (
       UPDATE deliveries SET state = 'waiting', settled_at = NULL, round = round + 1, auto_replays = auto_replays + $3
        WHERE delivery_id = ANY($1)
       RETURNING tenant_id, delivery_id, webhook_id, event_id, attempts, round, event)
     INSERT INTO delivery_queue (tenant_id, delivery_id, webhook_id, event_id, due_at, attempts, round, is_test)
     SELECT tenant_id, delivery_id, webhook_id, event_id, $2, attempts, round,
            -- Only a test is of no memory, whatever event it is an example of.
            EXISTS (SELECT FROM webhook_events e WHERE e.event_id = waiting.event_id AND e.memory_id = '')
       FROM waiting`,
    [deliveryIds, dueAt, automatic ? 1 : 0],
  );
  await tx.execute('DELETE FROM dead_letters WHERE delivery_id = ANY($1)', [deliveryIds]);
}

const AUTO_REPLAYS_MAX = 3;

/**
 * Puts some dead letters of a webhook back into the queue; returns how many. `automatic` leaves out those that were
 * replayed automatically often enough: an event that a receiver never accepts must not come back for ever.
 */
export async function requeueDeadLetters(
  tx: Tx,
  filter: { webhookId: string; deliveryIds?: readonly string[] | undefined; event?: string | undefined },
  options: { dueAt: Date; deadBefore: Date; limit: number; automatic?: boolean },
): Promise<number> {
  const rows = await tx.query<{ delivery_id: string }>(
    `SELECT d.delivery_id FROM deliveries d
      WHERE d.delivery_id IN (
              SELECT l.delivery_id FROM dead_letters l JOIN deliveries o USING (delivery_id)
               WHERE l.webhook_id = $1 AND l.dead_lettered_at <= $2
                 AND ($3::text[] IS NULL OR l.delivery_id = ANY($3)) AND ($4::text IS NULL OR o.event = $4)
                 AND o.auto_replays < $5
               ORDER BY l.delivery_id LIMIT $6)
        AND d.state = 'dead_lettered'
      ORDER BY d.delivery_id FOR UPDATE`,
    [
      filter.webhookId,
      options.deadBefore,
      filter.deliveryIds ?? null,
      filter.event ?? null,
      options.automatic === true ? AUTO_REPLAYS_MAX : 2_147_483_647,
      options.limit,
    ],
  );
  const ids = rows.map((row) => row.delivery_id);
  if (ids.length > 0) await requeue(tx, ids, options.dueAt, options.automatic);
  return ids.length;
}
