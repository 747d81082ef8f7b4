import type { AttemptOutcome } from '@cairn/contracts';
import { type Outbound, OutboundError, type OutboundErrorCode } from '@cairn/outbound';
import type { Clock } from '../clock.ts';
import type { DecryptSecrets } from '../signing/signing-secret.ts';
import type { ClaimedDelivery } from './delivery-queue.ts';
import { signatureHeaders } from '../signing/signature.ts';

/** The recorded result of an attempt. */
export interface AttemptResult {
  outcome: AttemptOutcome;
  /** False for what would be refused on every retry. */
  retryable: boolean;
  status: number | null;
  latencyMs: number;
  error: string | null;
  responseBody: Buffer | null;
  responseTruncated: boolean;
}

export interface AttemptDeps {
  outbound: Outbound;
  decryptSecrets: DecryptSecrets;
  clock: Clock;
  /** From the request to the end of the response. */
  timeoutMs: number;
}

export const DELIVERY_TIMEOUT_MS = 5_000;
const RESPONSE_MAX_BYTES = 4_096;

const OUTCOMES: Partial<Record<OutboundErrorCode, AttemptOutcome>> = {
  timed_out_before_headers: 'timed_out',
  timed_out_after_headers: 'timed_out',
  tls_failed: 'tls_failed',
};

/**
 * Sends one event to one endpoint, signed; never throws. Delivered means a 2xx status whose response, or its first
 * 4 KiB, arrived within five seconds; redirects are failures like any other status.
 */
export async function attemptDelivery(deps: AttemptDeps, claimed: ClaimedDelivery): Promise<AttemptResult> {
  const sentAt = deps.clock.now();
  const startedAt = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  try {
    const secrets = await deps.decryptSecrets(claimed, sentAt);
    const response = await deps.outbound.request(claimed.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders(secrets, { eventId: claimed.event_id, body: claimed.body, sentAt }),
      },
      body: claimed.body,
      timeoutMs: deps.timeoutMs,
      bodyMaxBytes: RESPONSE_MAX_BYTES,
      whenLonger: 'truncate',
    });
    const delivered = response.status >= 200 && response.status < 300;
    return {
      outcome: delivered ? 'delivered' : 'refused_by_receiver',
      retryable: true,
      status: response.status,
      latencyMs: elapsedMs(),
      error: delivered ? null : `the endpoint answered ${response.status}`,
      responseBody: response.body,
      responseTruncated: response.truncated,
    };
  } catch (error) {
    return failed(error, elapsedMs());
  }
}

function failed(error: unknown, latencyMs: number): AttemptResult {
  const common = { status: null, latencyMs, responseBody: null, responseTruncated: false };
  if (!(error instanceof OutboundError)) {
    // Our own failure, such as a missing key: the receiver is not to blame, and the event waits.
    return { ...common, outcome: 'interrupted', retryable: true, error: 'the event could not be signed or sent' };
  }
  // An endpoint may repair its responses; what the address policy refuses stays refused.
  const retryable = error.retryable || error.code === 'headers_too_large';
  const outcome = retryable ? (OUTCOMES[error.code] ?? 'connection_failed') : 'not_allowed';
  return { ...common, outcome, retryable, error: error.message };
}
