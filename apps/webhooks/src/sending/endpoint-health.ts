import type { Tx } from '@cairn/postgres';
import type { EndedAttempt } from './ended-attempt.ts';

export interface HealthLimits {
  /** How long an endpoint may accept nothing before its webhook is deactivated; the second for one that never accepted anything. */
  deactivateAfterHours: number;
  deactivateUnprovenAfterHours: number;
}

/** Fewer dead letters in a row are not yet a broken endpoint, however far apart they are. */
const CONSECUTIVE_DEAD_LETTERS_MIN = 5;

/**
 * Records which endpoints accept nothing, and deactivates their webhooks in the end. Returns those deactivated. Webhooks are locked in the order of their ids, after everything else.
 */
export async function recordHealth(tx: Tx, ended: readonly EndedAttempt[], limits: HealthLimits): Promise<string[]> {
  const accepted = new Set(
    ended.filter(({ next }) => next.state === 'delivered').map(({ claimed }) => claimed.webhook_id),
  );
  const dead = ended.filter(({ next, claimed }) => next.state === 'dead_lettered' && !accepted.has(claimed.webhook_id));
  if (accepted.size > 0) await recordAccepted(tx, [...accepted], ended[0]!.at);
  return dead.length === 0 ? [] : recordDead(tx, dead, limits);
}

async function recordAccepted(tx: Tx, webhookIds: readonly string[], at: Date): Promise<void> {
  await tx.execute({
    name: 'webhook_health_accepted',
    // A healthy endpoint's row is only read.
    text: `WITH changed AS (
             SELECT webhook_id FROM webhooks
              WHERE webhook_id = ANY($1) AND (failing_since IS NOT NULL OR first_accepted_at IS NULL)
              ORDER BY webhook_id FOR NO KEY UPDATE)
           UPDATE webhooks w
              SET failing_since = NULL, consecutive_dead_letters = 0, first_accepted_at = coalesce(first_accepted_at, $2)
             FROM changed WHERE w.webhook_id = changed.webhook_id`,
    values: [webhookIds, at],
  });
}

async function recordDead(tx: Tx, dead: readonly EndedAttempt[], limits: HealthLimits): Promise<string[]> {
  const byWebhook = Map.groupBy(dead, ({ claimed }) => claimed.webhook_id);
  const at = dead.at(-1)!.at;
  const hoursBefore = (hours: number) => new Date(at.getTime() - hours * 3_600_000);
  await tx.execute({
    name: 'webhook_health_dead',
    text: `WITH counted AS (
             SELECT w.webhook_id, r.count FROM unnest($1::text[], $2::int[]) AS r (webhook_id, count)
               JOIN webhooks w USING (webhook_id) ORDER BY w.webhook_id FOR NO KEY UPDATE OF w)
           UPDATE webhooks w
              SET failing_since = coalesce(failing_since, $3),
                  consecutive_dead_letters = consecutive_dead_letters + counted.count
             FROM counted WHERE w.webhook_id = counted.webhook_id`,
    values: [[...byWebhook.keys()], [...byWebhook.values()].map((list) => list.length), at],
  });
  const deactivated = await tx.query<{ webhook_id: string }>({
    name: 'webhook_health_deactivate',
    text: `UPDATE webhooks
              SET active = false, inactive_since = $3, inactive_reason = 'endpoint_failing', updated_at = now()
            WHERE webhook_id = ANY($1) AND active AND consecutive_dead_letters >= $2
              AND failing_since <= CASE WHEN first_accepted_at IS NULL THEN $4 ELSE $5 END::timestamptz
            RETURNING webhook_id`,
    values: [
      [...byWebhook.keys()],
      CONSECUTIVE_DEAD_LETTERS_MIN,
      at,
      hoursBefore(limits.deactivateUnprovenAfterHours),
      hoursBefore(limits.deactivateAfterHours),
    ],
  });
  return deactivated.map((row) => row.webhook_id);
}
