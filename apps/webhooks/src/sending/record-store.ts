import type { Tx } from '@cairn/postgres';
import type { EndedAttempt } from './ended-attempt.ts';
import { type HealthLimits, recordHealth } from './endpoint-health.ts';

/**
 * Records attempts and completes or reschedules their deliveries, all in the caller's transaction. The attempt's number is the fence:
 * a delivery that was claimed again meanwhile stays with its new claim, and only the attempt is recorded. Returns the
 * webhooks that were deactivated because their endpoints keep failing.
 */
export async function recordEndedAttempts(
  tx: Tx,
  ended: readonly EndedAttempt[],
  limits: HealthLimits,
): Promise<string[]> {
  await recordAttempts(tx, ended);
  await completeDeliveries(
    tx,
    ended.filter(({ next }) => next.state !== 'retry'),
  );
  await scheduleRetries(tx, ended);
  return recordHealth(tx, ended, limits);
}

async function recordAttempts(tx: Tx, ended: readonly EndedAttempt[]): Promise<void> {
  await tx.execute({
    name: 'webhook_record_attempts',
    text: `UPDATE delivery_attempts a
              SET outcome = r.outcome, status = r.status, latency_ms = r.latency_ms, error = r.error,
                  answer = r.answer, answer_truncated = r.truncated
             FROM unnest($1::text[], $2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::bytea[], $8::boolean[])
               AS r (delivery_id, attempt, outcome, status, latency_ms, error, answer, truncated)
            WHERE a.delivery_id = r.delivery_id AND a.attempt = r.attempt`,
    values: [
      ended.map(({ claimed }) => claimed.delivery_id),
      ended.map(({ claimed }) => claimed.attempt),
      ended.map(({ result }) => result.outcome),
      ended.map(({ result }) => result.status),
      ended.map(({ result }) => result.latencyMs),
      ended.map(({ result }) => result.error),
      ended.map(({ result }) => result.responseBody),
      ended.map(({ result }) => result.responseTruncated),
    ],
  });
}

async function completeDeliveries(tx: Tx, ended: readonly EndedAttempt[]): Promise<void> {
  if (ended.length === 0) return;
  await tx.execute({
    name: 'webhook_settle',
    text: `WITH gone AS (
             DELETE FROM delivery_queue q
              USING unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[]) AS r (delivery_id, attempt, state, at)
              WHERE q.delivery_id = r.delivery_id AND q.attempts = r.attempt
             RETURNING q.delivery_id, q.attempts, q.round, r.state, r.at),
           settled AS (
             UPDATE deliveries d SET state = gone.state, settled_at = gone.at, attempts = gone.attempts, round = gone.round
               FROM gone WHERE d.delivery_id = gone.delivery_id
             RETURNING d.tenant_id, d.delivery_id, d.webhook_id, d.state, d.settled_at)
           INSERT INTO dead_letters (tenant_id, delivery_id, webhook_id, dead_lettered_at)
           SELECT tenant_id, delivery_id, webhook_id, settled_at FROM settled WHERE state = 'dead_lettered'`,
    values: [
      ended.map(({ claimed }) => claimed.delivery_id),
      ended.map(({ claimed }) => claimed.attempt),
      ended.map(({ next }) => next.state),
      ended.map(({ at }) => at),
    ],
  });
}

async function scheduleRetries(tx: Tx, ended: readonly EndedAttempt[]): Promise<void> {
  const retries = ended.flatMap(({ claimed, result, next, at }) =>
    next.state === 'retry'
      ? [{ claimed, dueAt: new Date(at.getTime() + next.delayMs), spent: result.outcome === 'interrupted' ? 0 : 1 }]
      : [],
  );
  if (retries.length === 0) return;
  await tx.execute({
    name: 'webhook_schedule_retries',
    text: `UPDATE delivery_queue q SET due_at = r.due_at, retry = q.retry + r.spent, claimed_until = NULL
             FROM unnest($1::text[], $2::int[], $3::timestamptz[], $4::int[]) AS r (delivery_id, attempt, due_at, spent)
            WHERE q.delivery_id = r.delivery_id AND q.attempts = r.attempt`,
    values: [
      retries.map(({ claimed }) => claimed.delivery_id),
      retries.map(({ claimed }) => claimed.attempt),
      retries.map(({ dueAt }) => dueAt),
      retries.map(({ spent }) => spent),
    ],
  });
}
