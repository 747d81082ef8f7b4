/**
 * Every error code of the public API with its HTTP status and title. The codes are a stable
 * enumeration: a code may be added, its status never changes.
 */
export const ERROR_CODES = {
  credential_missing: { status: 401, title: 'A credential is required' },
  credential_invalid: { status: 401, title: 'The credential is not valid' },
  credential_expired: { status: 401, title: 'The credential has expired' },
  credential_revoked: { status: 401, title: 'The credential was revoked' },
  identity_invalid: { status: 401, title: 'The request carries no valid identity' },
  memory_not_permitted: { status: 403, title: 'The key does not reach this memory' },
  ip_not_allowed: { status: 403, title: 'The key may not be used from this address' },
  permission_denied: { status: 403, title: 'The key lacks a permission' },
  rate_limited: { status: 429, title: 'Too many requests' },
  quota_exceeded: { status: 429, title: 'The monthly request quota is used up' },
  queue_full: { status: 429, title: 'The ingestion queue is full' },
  plan_limit_reached: { status: 402, title: 'The limit of the plan is reached' },
  insufficient_credits: { status: 402, title: 'Not enough credits' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  malformed_request: { status: 400, title: 'The request is malformed' },
  validation_failed: { status: 422, title: 'The request is not valid' },
  proxy_not_configured: { status: 422, title: 'No proxy is configured' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key was used with another body' },
  idempotency_in_flight: { status: 409, title: 'A request with this idempotency key is in flight' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  conflict: { status: 409, title: 'The state does not allow this' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  upgrade_required: { status: 426, title: 'The operation takes WebSocket connections only' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
  deadline_exceeded: { status: 504, title: 'The request took too long' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}
