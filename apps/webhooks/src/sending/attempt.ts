import type { AttemptOutcome } from '@cairn/contracts';
import { type Outbound, OutboundError, type OutboundErrorCode } from '@cairn/outbound';
import type { Clock } from '../clock.ts';
import type { OpenSecrets } from '../webhooks/signing-secret.ts';
import type { Claimed } from './claim.ts';
import { signatureHeaders } from './signature.ts';

/** How an attempt ended, as it is recorded. */
export interface Attempted {
  outcome: AttemptOutcome;
  /** False for what would be refused again however often it is tried. */
  retryable: boolean;
  status: number | null;
  latencyMs: number;
  error: string | null;
  answer: Buffer | null;
  answerTruncated: boolean;
}

export interface AttemptParts {
  outbound: Outbound;
  openSecrets: OpenSecrets;
  clock: Clock;
  /** From the call to the end of the answer. */
  timeoutMs: number;
}

export const DELIVERY_TIMEOUT_MS = 5_000;
export const ANSWER_MAX_BYTES = 4_096;

const OUTCOMES: Partial<Record<OutboundErrorCode, AttemptOutcome>> = {
  timed_out_before_headers: 'timed_out',
  timed_out_after_headers: 'timed_out',
  tls_failed: 'tls_failed',
};

/**
 * Sends one event to one endpoint, signed; never throws. Delivered means a 2xx status whose answer, or its first
 * 4 KiB, came within five seconds; redirects are failures like any other status.
 */
export async function attemptDelivery(parts: AttemptParts, claimed: Claimed): Promise<Attempted> {
  const sentAt = parts.clock.now();
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  try {
    const secrets = await parts.openSecrets(claimed, sentAt);
    const answer = await parts.outbound.request(claimed.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders(secrets, { eventId: claimed.event_id, body: claimed.body, sentAt }),
      },
      body: claimed.body,
      timeoutMs: parts.timeoutMs,
      bodyMaxBytes: ANSWER_MAX_BYTES,
      whenLonger: 'truncate',
    });
    const delivered = answer.status >= 200 && answer.status < 300;
    return {
      outcome: delivered ? 'delivered' : 'refused_by_receiver',
      retryable: true,
      status: answer.status,
      latencyMs: since(),
      error: delivered ? null : `the endpoint answered ${answer.status}`,
      answer: answer.body,
      answerTruncated: answer.truncated,
    };
  } catch (error) {
    return failed(error, since());
  }
}

function failed(error: unknown, latencyMs: number): Attempted {
  const nothing = { status: null, latencyMs, answer: null, answerTruncated: false };
  if (!(error instanceof OutboundError)) {
    // Ours, such as a sealing key that is missing: the receiver is not to blame and the event must wait.
    return { ...nothing, outcome: 'interrupted', retryable: true, error: 'the event could not be signed or sent' };
  }
  // What an endpoint answers is its own doing and may be mended; policy judges where a request goes.
  const retryable = error.retryable || error.code === 'headers_too_large';
  const outcome = retryable ? (OUTCOMES[error.code] ?? 'connection_failed') : 'not_allowed';
  return { ...nothing, outcome, retryable, error: error.message };
}
