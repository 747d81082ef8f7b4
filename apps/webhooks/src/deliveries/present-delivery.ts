import type { AnswerOf, getDelivery } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { Tx } from '@cairn/postgres';
import { type AttemptRow, attemptsAt, type DeliveryRow, listDeliveryRows } from './delivery-store.ts';

type Shown = AnswerOf<typeof getDelivery>;

export function presentDelivery(row: DeliveryRow, attempts: readonly AttemptRow[]): Shown {
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
      // What is cut short, or is no text at all, still reads as text.
      answer: attempt.answer === null ? null : attempt.answer.toString('utf8'),
      answer_truncated: attempt.answer_truncated,
    })),
  };
}

/** One delivery of a webhook as it is now; throws `not_found`. */
export async function showDelivery(tx: Tx, webhookId: string, deliveryId: string): Promise<Shown> {
  const [row] = await listDeliveryRows(tx, { webhookId, deliveryId, limit: 1 });
  if (row === undefined) throw notFound('The delivery');
  return presentDelivery(row, (await attemptsAt(tx, [deliveryId])).get(deliveryId) ?? []);
}
