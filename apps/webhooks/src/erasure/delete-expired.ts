import type { Database } from '@cairn/postgres';
import { deleteDeliveries } from './delete-deliveries.ts';

interface Retention {
  deliveredRetentionDays: number;
  deadLetterRetentionDays: number;
}

const ROWS_PER_STEP = 1_000;
const STEPS_MAX = 200;

/** Queries for expired deliveries, by kind. */
const EXPIRED = {
  delivered: `SELECT delivery_id FROM deliveries
               WHERE created_at < now() - make_interval(days => $1) AND settled_at < now() - make_interval(days => $1)
                 AND state IN ('delivered', 'test_failed') LIMIT $2`,
  deadLetters:
    'SELECT delivery_id FROM dead_letters WHERE dead_lettered_at < now() - make_interval(days => $1) LIMIT $2',
  // Waiting for a webhook that was switched off long ago.
  waiting: `SELECT d.delivery_id FROM deliveries d JOIN webhooks w USING (webhook_id)
             WHERE d.created_at < now() - make_interval(days => $1) AND d.state = 'waiting' AND d.settled_at IS NULL
               AND NOT w.active LIMIT $2`,
  ofDeletedWebhooks: `SELECT delivery_id FROM deliveries JOIN webhooks USING (webhook_id)
                       WHERE deleted_at IS NOT NULL AND $1 >= 0 LIMIT $2`,
} as const;

/** Deletes deliveries whose retention has ended, and those of deleted webhooks. */
export async function deleteExpired(database: Database, retention: Retention): Promise<void> {
  await deleteInSteps(database, EXPIRED.ofDeletedWebhooks, 0);
  await database.transaction((tx) =>
    tx.execute(
      // Transactions that saw it before it was deleted may still insert deliveries, which would then belong to nobody.
      `DELETE FROM webhooks w WHERE deleted_at < now() - interval '5 minutes'
          AND NOT EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = w.webhook_id)`,
    ),
  );
  await deleteInSteps(database, EXPIRED.delivered, retention.deliveredRetentionDays);
  await deleteInSteps(database, EXPIRED.deadLetters, retention.deadLetterRetentionDays);
  await deleteInSteps(database, EXPIRED.waiting, retention.deadLetterRetentionDays);
  await database.transaction((tx) =>
    tx.execute("DELETE FROM fan_out_pauses WHERE paused_until < now() - interval '1 day'"),
  );
  await database.transaction((tx) =>
    tx.execute(
      `DELETE FROM webhook_events e WHERE created_at < now() - interval '1 day'
          AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.event_id)
          AND NOT EXISTS (SELECT FROM pending_fan_outs p WHERE p.event_id = e.event_id)`,
    ),
  );
}

async function deleteInSteps(database: Database, query: string, retentionDays: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const count = await database.transaction(async (tx) => {
      const rows = await tx.query<{ delivery_id: string }>(query, [retentionDays, ROWS_PER_STEP]);
      await deleteDeliveries(
        tx,
        rows.map((row) => row.delivery_id),
      );
      return rows.length;
    });
    if (count < ROWS_PER_STEP) return;
  }
}
