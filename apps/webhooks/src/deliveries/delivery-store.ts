import type { AttemptOutcome, DeliveryState } from '@cairn/contracts';
import { sqlBuilder, type Tx } from '@cairn/postgres';

/** A delivery as the API shows it: while it is queued, its state is the queue's. */
export interface DeliveryRow {
  delivery_id: string;
  webhook_id: string;
  event_id: string;
  event: string;
  state: DeliveryState;
  due_at: Date | null;
  settled_at: Date | null;
  created_at: Date;
}

export interface AttemptRow {
  delivery_id: string;
  attempt: number;
  round: number;
  retry: number;
  started_at: Date;
  outcome: AttemptOutcome | null;
  status: number | null;
  latency_ms: number | null;
  error: string | null;
  answer: Buffer | null;
  answer_truncated: boolean;
}

const STATE = `CASE WHEN q.delivery_id IS NULL THEN d.state
                    WHEN q.claimed_until IS NULL THEN 'pending' ELSE 'delivering' END`;

interface DeliveryFilter {
  webhookId: string;
  deliveryId?: string | undefined;
  state?: DeliveryState | undefined;
  event?: string | undefined;
  /** Only those created before this one. */
  before?: string | undefined;
  limit: number;
}

/** Newest first. */
export async function listDeliveryRows(tx: Tx, filter: DeliveryFilter): Promise<DeliveryRow[]> {
  const query = sqlBuilder
    .select(
      'd.delivery_id',
      'd.webhook_id',
      'd.event_id',
      'd.event',
      'd.settled_at',
      'd.created_at',
      'q.due_at',
      sqlBuilder.raw(`${STATE} AS state`),
    )
    .from('deliveries AS d')
    .leftJoin('delivery_queue AS q', 'q.delivery_id', 'd.delivery_id')
    .where('d.webhook_id', filter.webhookId)
    .orderBy('d.delivery_id', 'desc')
    .limit(filter.limit);
  if (filter.deliveryId !== undefined) query.where('d.delivery_id', filter.deliveryId);
  if (filter.before !== undefined) query.where('d.delivery_id', '<', filter.before);
  if (filter.event !== undefined) query.where('d.event', filter.event);
  if (filter.state === 'dead_lettered') query.join('dead_letters AS l', 'l.delivery_id', 'd.delivery_id');
  else if (filter.state !== undefined) query.whereRaw(`${STATE} = ?`, [filter.state]);
  return tx.run<DeliveryRow>(query);
}

/** Only the last attempts at a delivery are shown. */
const ATTEMPTS_SHOWN = 30;

/** The last attempts at each delivery, oldest first. */
export async function listAttempts(tx: Tx, deliveryIds: readonly string[]): Promise<Map<string, AttemptRow[]>> {
  const rows = await tx.query<AttemptRow>(
    `SELECT a.* FROM unnest($1::text[]) AS wanted (delivery_id) CROSS JOIN LATERAL (
       SELECT * FROM delivery_attempts WHERE delivery_id = wanted.delivery_id ORDER BY attempt DESC LIMIT $2) a
      ORDER BY a.attempt`,
    [deliveryIds, ATTEMPTS_SHOWN],
  );
  return Map.groupBy(rows, (row) => row.delivery_id);
}

/** The latest deliveries of each of the tenant's webhooks, newest first: found by each webhook's own index. */
export async function listNewestDeliveryRows(
  tx: Tx,
  filter: Omit<DeliveryFilter, 'webhookId' | 'deliveryId'>,
): Promise<DeliveryRow[]> {
  const webhooks = await tx.query<{ webhook_id: string }>('SELECT webhook_id FROM webhooks WHERE deleted_at IS NULL');
  const rows: DeliveryRow[] = [];
  for (const { webhook_id: webhookId } of webhooks)
    rows.push(...(await listDeliveryRows(tx, { ...filter, webhookId })));
  return rows.toSorted((a, b) => (a.delivery_id < b.delivery_id ? 1 : -1)).slice(0, filter.limit);
}

/** What is sent of the event; null when it was erased. */
export async function findEventBody(tx: Tx, eventId: string): Promise<string | null> {
  const rows = await tx.query<{ body: string }>('SELECT body FROM webhook_events WHERE event_id = $1', [eventId]);
  return rows[0]?.body ?? null;
}
