import type { replayDelivery, ResponseOf } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { nextCursorOf, type Page, type Tx } from '@cairn/postgres';
import { type AttemptRow, listAttempts, type DeliveryRow, listDeliveryRows } from './delivery-store.ts';

type PresentedDelivery = ResponseOf<typeof replayDelivery>;

function presentDelivery(row: DeliveryRow, attempts: readonly AttemptRow[]): PresentedDelivery {
  return {
    delivery_id: row.delivery_id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event: row.event,
    state: row.state,
    next_attempt_at: row.state === 'pending' ? (row.due_at?.toISOString() ?? null) : null,
    dead_lettered_at: row.state === 'dead_lettered' ? (row.settled_at?.toISOString() ?? null) : null,
    created_at: row.created_at.toISOString(),
    attempts: attempts.map((attempt) => ({
      retry: attempt.retry,
      round: attempt.round,
      started_at: attempt.started_at.toISOString(),
      outcome: attempt.outcome,
      status: attempt.status,
      latency_ms: attempt.latency_ms,
      error: attempt.error,
      // A truncated or binary body is shown as text too.
      answer: attempt.answer === null ? null : attempt.answer.toString('utf8'),
      answer_truncated: attempt.answer_truncated,
    })),
  };
}

/** The current state of one delivery of a webhook; throws `not_found`. */
export async function readDelivery(tx: Tx, webhookId: string, deliveryId: string): Promise<PresentedDelivery> {
  const [row] = await listDeliveryRows(tx, { webhookId, deliveryId, limit: 1 });
  if (row === undefined) throw notFound('The delivery');
  return presentDelivery(row, (await listAttempts(tx, [deliveryId])).get(deliveryId) ?? []);
}

/** A page of deliveries with their attempts; `rows` has one more than the page when others follow. */
export async function presentDeliveries(
  tx: Tx,
  rows: DeliveryRow[],
  page: Page,
): Promise<{ deliveries: PresentedDelivery[]; next_cursor: string | undefined }> {
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.delivery_id);
  const ids = shown.map((row) => row.delivery_id);
  const attempts = await listAttempts(tx, ids);
  return { deliveries: shown.map((row) => presentDelivery(row, attempts.get(row.delivery_id) ?? [])), next_cursor };
}
