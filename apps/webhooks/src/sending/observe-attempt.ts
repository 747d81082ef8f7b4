import { contextOf, counter, durationHistogram, inSpan } from '@cairn/telemetry';
import type { AttemptResult } from './attempt.ts';
import type { ClaimedDelivery } from './delivery-queue.ts';

const attempts = counter('cairn_webhook_attempts_total', 'Requests to endpoints, by their outcome.', ['outcome']);
const deliveries = counter('cairn_webhook_deliveries_total', 'Deliveries that have ended, by how.', ['state']);
const durations = durationHistogram('cairn_webhook_attempt_duration_seconds', 'Requests to endpoints.', []);

/**
 * Counts, times and traces one attempt, in the trace of the event. The receiver does not learn of the trace: it is the
 * operator's, and the endpoint is somebody else's.
 */
export function observeAttempt(
  claimed: ClaimedDelivery,
  attempt: () => Promise<AttemptResult>,
): Promise<AttemptResult> {
  // Without the URL, which may hold a secret of the tenant.
  const attributes = {
    'http.request.method': 'POST',
    'cairn.webhook_id': claimed.webhook_id,
    'cairn.delivery_id': claimed.delivery_id,
    'cairn.event_id': claimed.event_id,
    'cairn.attempt': claimed.attempt,
  };
  const run = async () => {
    const result = await attempt();
    attempts.inc({ outcome: result.outcome });
    durations.observe(result.latencyMs / 1_000);
    return result;
  };
  // What nobody traced begins no trace here.
  if (claimed.traceparent === null) return run();
  const options = { kind: 'client', parent: contextOf(claimed.traceparent), attributes } as const;
  return inSpan('deliver webhook', options, async (span) => {
    const result = await run();
    span.setAttribute('cairn.outcome', result.outcome);
    if (result.status !== null) span.setAttribute('http.response.status_code', result.status);
    return result;
  });
}

export function countEnded(state: string): void {
  if (state !== 'retry') deliveries.inc({ state });
}
