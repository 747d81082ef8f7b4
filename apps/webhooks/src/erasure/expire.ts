import type { Database } from '@cairn/postgres';
import { deleteDeliveries } from './delete-deliveries.ts';

export interface Keeping {
  deliveredKeepDays: number;
  deadLetterKeepDays: number;
}

const ROWS_PER_STEP = 1_000;
const STEPS_MAX = 200;

/** What has had its time, by kind; each finds some deliveries, oldest first. */
const EXPIRED = {
  delivered: `SELECT delivery_id FROM deliveries
               WHERE created_at < now() - make_interval(days => $1) AND settled_at < now() - make_interval(days => $1)
                 AND state IN ('delivered', 'test_failed') LIMIT $2`,
  deadLetters:
    'SELECT delivery_id FROM dead_letters WHERE dead_lettered_at < now() - make_interval(days => $1) LIMIT $2',
  // What waits for a webhook that was switched off and forgotten.
  waiting: `SELECT d.delivery_id FROM deliveries d JOIN webhooks w USING (webhook_id)
             WHERE d.created_at < now() - make_interval(days => $1) AND d.state = 'waiting' AND d.settled_at IS NULL
               AND NOT w.active LIMIT $2`,
  ofDeletedWebhooks: `SELECT delivery_id FROM deliveries JOIN webhooks USING (webhook_id)
                       WHERE deleted_at IS NOT NULL AND $1 >= 0 LIMIT $2`,
} as const;

/** Deletes what is kept no longer, and what belongs to deleted webhooks. */
export async function expireDeliveries(database: Database, keeping: Keeping): Promise<void> {
  await inSteps(database, EXPIRED.ofDeletedWebhooks, 0);
  await database.transaction((tx) =>
    tx.execute(
      `DELETE FROM webhooks w WHERE deleted_at IS NOT NULL
          AND NOT EXISTS (SELECT FROM deliveries d WHERE d.webhook_id = w.webhook_id)`,
    ),
  );
  await inSteps(database, EXPIRED.delivered, keeping.deliveredKeepDays);
  await inSteps(database, EXPIRED.deadLetters, keeping.deadLetterKeepDays);
  await inSteps(database, EXPIRED.waiting, keeping.deadLetterKeepDays);
  await database.transaction((tx) =>
    tx.execute(
      `DELETE FROM webhook_events e WHERE created_at < now() - interval '1 day'
          AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.event_id)
          AND NOT EXISTS (SELECT FROM pending_fan_outs p WHERE p.event_id = e.event_id)`,
    ),
  );
}

async function inSteps(database: Database, found: string, keepDays: number): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const count = await database.transaction(async (tx) => {
      const rows = await tx.query<{ delivery_id: string }>(found, [keepDays, ROWS_PER_STEP]);
      await deleteDeliveries(
        tx,
        rows.map((row) => row.delivery_id),
      );
      return rows.length;
    });
    if (count < ROWS_PER_STEP) return;
  }
}
