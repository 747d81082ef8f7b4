/**
 * Why a request was not made or did not end well. The first group is refused by policy and stays refused however
 * often it is tried; the second may go better another time.
 */
const OUTBOUND_REFUSALS = [
  'url_invalid',
  'scheme_refused',
  'user_info_refused',
  'address_refused',
  'redirects_exceeded',
  'headers_too_large',
  'body_too_large',
  'encoding_refused',
] as const;

const OUTBOUND_FAILURES = [
  'name_not_resolved',
  'connection_failed',
  'tls_failed',
  'timed_out_before_headers',
  'timed_out_after_headers',
  'connection_lost',
  'answer_malformed',
  'proxy_failed',
  'aborted',
] as const;

export type OutboundErrorCode = (typeof OUTBOUND_REFUSALS)[number] | (typeof OUTBOUND_FAILURES)[number];

const REFUSALS: ReadonlySet<string> = new Set(OUTBOUND_REFUSALS);

/** How an outgoing request failed. `message` names hosts and limits, never a header or a body: it may be shown and logged. */
export class OutboundError extends Error {
  readonly code: OutboundErrorCode;
  /** False for what policy refuses: trying again is useless and must not happen. */
  readonly retryable: boolean;

  constructor(code: OutboundErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.code = code;
    this.retryable = !REFUSALS.has(code);
  }
}
