import type { Database } from '@cairn/postgres';

const WEBHOOKS_SCAN_MAX = 10_000;

/** Webhooks with something in the queue, and when the first of it is due: what no hint announced to this replica. */
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
