import type * as operations from '@cairn/contracts';
import { idFloor, WEBHOOK_TEST_EVENT } from '@cairn/contracts';
import type { Database, Tx } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import type { Clock } from '../clock.ts';

type Stats = JsonResponse<typeof operations.getWebhookStats>['body']['webhooks'][number];

const HOUR_MS = 3_600_000;
/** A busy endpoint is judged by its latest deliveries. */
const DELIVERIES_MAX = 10_000;

/** How the tenant's endpoints answered to the events of the last hours. */
export async function getWebhookStats(
  deps: { database: Database; clock: Clock },
  { identity, query }: RequestContext<typeof operations.getWebhookStats>,
): Promise<JsonResponse<typeof operations.getWebhookStats>> {
  const from = new Date(deps.clock.now().getTime() - query.hours * HOUR_MS);
  const webhooks = await deps.database.withTenant(identity.tenantId, (tx) => readStats(tx, from), { mode: 'snapshot' });
  return { body: { from: from.toISOString(), webhooks } };
}

async function readStats(tx: Tx, from: Date): Promise<Stats[]> {
  const rows = await tx.query<Omit<Stats, 'success_rate' | 'attempts'> & { ended: number }>(
    // Ids sort by time, so each webhook's own index leads to its latest deliveries.
    `SELECT w.webhook_id,
            count(DISTINCT d.delivery_id) AS deliveries,
            count(DISTINCT d.delivery_id) FILTER (WHERE d.state = 'delivered') AS delivered,
            count(DISTINCT d.delivery_id) FILTER (WHERE d.state = 'dead_lettered') AS dead_lettered,
            count(DISTINCT d.delivery_id) FILTER (WHERE d.state = 'waiting') AS waiting,
            count(a.outcome) AS ended,
            count(a.outcome) FILTER (WHERE a.outcome <> 'delivered') AS failed_attempts,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY a.latency_ms) AS p50_ms,
            percentile_cont(0.95) WITHIN GROUP (ORDER BY a.latency_ms) AS p95_ms
       FROM webhooks w
       LEFT JOIN LATERAL (
              SELECT delivery_id, state FROM deliveries
               WHERE webhook_id = w.webhook_id AND delivery_id >= $1 AND event <> $2 AND state <> 'test_failed'
               ORDER BY delivery_id DESC LIMIT $3) d ON true
       LEFT JOIN delivery_attempts a ON a.delivery_id = d.delivery_id
      WHERE w.deleted_at IS NULL
      GROUP BY w.webhook_id ORDER BY w.webhook_id`,
    [idFloor('delivery', from), WEBHOOK_TEST_EVENT, DELIVERIES_MAX],
  );
  return rows.map(({ ended, ...row }) => ({
    ...row,
    attempts: ended,
    success_rate: ended === 0 ? null : (ended - row.failed_attempts) / ended,
  }));
}
