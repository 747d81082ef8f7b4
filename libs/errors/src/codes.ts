/**
 * Every error code of the public API with its HTTP status and title, when it occurs, and what to do; words in backquotes
 * are names. The codes are a stable
 * enumeration: a code may be added, its status never changes.
 */
export const ERROR_CODES = {
  credential_missing: {
    status: 401,
    title: 'A credential is required',
    when: 'no `x-api-key` and no bearer token',
    remedy: 'send the key',
  },
  credential_invalid: {
    status: 401,
    title: 'The credential is not valid',
    when: 'unknown or malformed, or two different ones',
    remedy: 'check the key',
  },
  credential_expired: {
    status: 401,
    title: 'The credential has expired',
    when: 'past its `expires_at`',
    remedy: 'create a new key',
  },
  credential_revoked: {
    status: 401,
    title: 'The credential was revoked',
    when: 'revoked',
    remedy: 'create a new key',
  },
  identity_invalid: {
    status: 401,
    title: 'The request carries no valid identity',
    when: 'a service was called without going through the gateway',
    remedy: 'call the gateway',
  },
  memory_not_permitted: {
    status: 403,
    title: 'The key does not reach this memory',
    when: 'the key or hostname is bound to another memory',
    remedy: "use that memory's key",
  },
  ip_not_allowed: {
    status: 403,
    title: 'The key may not be used from this address',
    when: "the client address is not in the key's allowlist",
    remedy: 'call from an allowed address, or change the key',
  },
  permission_denied: {
    status: 403,
    title: 'The key lacks a permission',
    when: 'a scope or app permission is missing; `detail` names it',
    remedy: 'use another key',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    when: 'more requests than the key, tenant or address may send; see `retry-after`',
    remedy: 'slow down',
  },
  quota_exceeded: {
    status: 429,
    title: 'The monthly request quota is used up',
    when: 'the monthly request quota is exhausted',
    remedy: 'wait for the next month, or upgrade the plan',
  },
  queue_full: {
    status: 429,
    title: 'The ingestion queue is full',
    when: 'too many documents are waiting to be indexed',
    remedy: 'wait, then continue',
  },
  plan_limit_reached: {
    status: 402,
    title: 'The limit of the plan is reached',
    when: 'a resource limit of the plan is reached; `upgrade` says which',
    remedy: 'upgrade the plan; credits do not help',
  },
  insufficient_credits: {
    status: 402,
    title: 'Not enough credits',
    when: "the month's credits are insufficient; `detail` has the price and balance",
    remedy: 'wait for the next month, or upgrade the plan',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    when: 'the body is not JSON',
    remedy: 'fix the request body',
  },
  malformed_request: {
    status: 400,
    title: 'The request is malformed',
    when: 'the HTTP request itself is malformed: target, headers, length',
    remedy: 'fix the client',
  },
  validation_failed: {
    status: 422,
    title: 'The request is not valid',
    when: 'a field is invalid or unknown; `errors` names each',
    remedy: 'fix the request',
  },
  proxy_not_configured: {
    status: 422,
    title: 'No proxy is configured',
    when: '`proxy: true`, and the operator has no proxy',
    remedy: 'leave it out, or ask the operator to configure one',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'The idempotency key was used with another body',
    when: 'the idempotency key was used with a different request',
    remedy: 'use a new key',
  },
  idempotency_in_flight: {
    status: 409,
    title: 'A request with this idempotency key is in flight',
    when: 'the first request with this idempotency key is still in progress',
    remedy: 'wait, then send the same request again',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    when: 'it does not exist, or belongs to another tenant',
    remedy: '',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    when: 'see `allow`',
    remedy: 'use another method',
  },
  conflict: {
    status: 409,
    title: 'The state does not allow this',
    when: 'the current state does not allow it',
    remedy: 'read the state, then decide',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    when: 'the body is larger than the operation accepts',
    remedy: 'send less per request',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The content type is not supported',
    when: 'the body is not JSON, or the file is of a kind that cannot be read',
    remedy: 'set the content type, or convert the file',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    when: 'the request did not arrive in time',
    remedy: 'send it again',
  },
  upgrade_required: {
    status: 426,
    title: 'The operation takes WebSocket connections only',
    when: 'an ordinary request for a WebSocket address',
    remedy: 'connect by WebSocket',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    when: 'an internal error',
    remedy: 'report the request id to your operator',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    when: 'a component cannot be reached; see `retry-after`',
    remedy: 'send it again',
  },
  deadline_exceeded: {
    status: 504,
    title: 'The request took too long',
    when: 'the request took too long',
    remedy: 'request less, or send it again',
  },
} as const satisfies Record<string, { status: number; title: string; when: string; remedy: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}
