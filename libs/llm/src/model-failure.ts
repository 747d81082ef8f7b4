import { CairnError } from '@cairn/errors';
import { APICallError, RetryError, NoObjectGeneratedError } from 'ai';

/** Why a model gave nothing usable. Callers fall back, retry later or give up; they never show `message` to a tenant. */
export type FailureReason =
  | 'rate_limited'
  | 'unauthorized'
  | 'rejected'
  | 'timed_out'
  | 'broken_off'
  | 'malformed'
  | 'unreachable'
  /** Not called: the provider failed repeatedly a moment ago. */
  | 'circuit_open';

/** A model call that failed. What was billed for it nevertheless has been metered. */
export class ModelFailure extends Error {
  readonly reason: FailureReason;
  /** True when the same call may succeed later. */
  readonly retryable: boolean;

  constructor(reason: FailureReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ModelFailure';
    this.reason = reason;
    this.retryable = reason !== 'unauthorized' && reason !== 'rejected';
  }
}

const RATE_LIMITED = 429;
const UNAUTHORIZED = [401, 403];
const REQUEST_TIMEOUTS = [408, 504];

/**
 * What a failed call means. The caller's own abort is given back as it is, so that it differs from a
 * provider that did not answer in time.
 */
export function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  // Whose key holds could not be found out, which is no failure of the provider.
  if (error instanceof ModelFailure || error instanceof CairnError) return error;
  if (RetryError.isInstance(error)) return failureOf(error.lastError, signal);
  if (NoObjectGeneratedError.isInstance(error)) return new ModelFailure('malformed', 'no object of the schema', error);
  if (brokenOff(error)) return new ModelFailure('broken_off', 'the connection to the provider broke', error);
  if (APICallError.isInstance(error)) return fromApi(error);
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return new ModelFailure('timed_out', 'the provider did not answer in time', error);
  return new ModelFailure('malformed', 'the provider gave an answer that cannot be read', error);
}

const CAUSES_MAX = 6;
const BROKEN_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether a connection that stood was closed: fetch says so with a code somewhere down the causes. */
function brokenOff(error: unknown): boolean {
  let at: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && typeof at === 'object' && at !== null; depth++) {
    const { code, message, cause } = at as { code?: unknown; message?: unknown; cause?: unknown };
    if (message === 'terminated' || (typeof code === 'string' && BROKEN_CODES.has(code))) return true;
    at = cause;
  }
  return false;
}

function fromApi(error: APICallError): ModelFailure {
  const status = error.statusCode;
  if (status === undefined) return new ModelFailure('unreachable', 'the provider cannot be reached', error);
  if (status === RATE_LIMITED) return new ModelFailure('rate_limited', 'the provider limits the rate', error);
  if (UNAUTHORIZED.includes(status)) return new ModelFailure('unauthorized', 'the provider refused the key', error);
  if (REQUEST_TIMEOUTS.includes(status)) return new ModelFailure('timed_out', 'the provider ran out of time', error);
  if (status >= 500) return new ModelFailure('unreachable', `the provider answered ${status}`, error);
  if (status < 300) return new ModelFailure('malformed', 'the provider gave an answer that cannot be read', error);
  return new ModelFailure('rejected', `the provider refused the request with ${status}`, error);
}
