import type { Database } from '@cairn/postgres';

const WEBHOOKS_SCAN_MAX = 10_000;

interface QueueScan {
  /** Webhooks with something in the queue, and when the first of it is due. */
  due: { webhook_id: string; due_at: Date }[];
  /** The webhook after which the next scan continues; empty after the last one. */
  lastWebhookId: string;
}

/** Looks for what no hint announced to this replica, for the next webhooks in the order of their ids. */
export async function scanQueue(
  database: Database,
  afterWebhookId: string,
  webhooksMax = WEBHOOKS_SCAN_MAX,
): Promise<QueueScan> {
  const due = await database.transaction((tx) =>
    tx.query<{ webhook_id: string; due_at: Date }>({
      name: 'webhook_scan_queue',
      // Steps from webhook to webhook through the index, however much waits for each.
      text: `WITH RECURSIVE step AS (
               (SELECT webhook_id, due_at, 1 AS n FROM delivery_queue
                 WHERE webhook_id > $1 ORDER BY webhook_id, due_at LIMIT 1)
               UNION ALL
               SELECT following.webhook_id, following.due_at, step.n + 1 FROM step CROSS JOIN LATERAL (
                 SELECT webhook_id, due_at FROM delivery_queue
                  WHERE webhook_id > step.webhook_id ORDER BY webhook_id, due_at LIMIT 1) following
                WHERE step.n < $2)
             SELECT webhook_id, due_at FROM step ORDER BY webhook_id`,
      values: [afterWebhookId, webhooksMax],
    }),
  );
  return { due, lastWebhookId: due.length < webhooksMax ? '' : due.at(-1)!.webhook_id };
}
