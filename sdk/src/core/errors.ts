/** What is wrong with one field of a request. */
export interface FieldError {
  /** Where in the request, as `documents.0.title`. */
  path: string;
  message: string;
}

/** RFC 9457 problem details, as every refused call is answered. */
export interface ProblemDetails {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  code?: string;
  request_id?: string;
  errors?: FieldError[];
  upgrade?: Record<string, unknown>;
  /** RFC 6749, from the OAuth endpoints. */
  error?: string;
  error_description?: string;
}

/** Every error of this package. Those of the API have a `status` and a `code`. */
export class CairnError extends Error {
  override readonly name: string = 'CairnError';
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Stable name of the kind of error, as in the list of error codes. */
  readonly code: string;
  /** Names the request in the operator's logs. */
  readonly requestId: string | null;
  readonly errors: readonly FieldError[];
  /** What a larger plan would allow. */
  readonly upgrade: Record<string, unknown> | null;
  /** Seconds after which the call may succeed. */
  readonly retryAfter: number | null;

  constructor(message: string, problem: ProblemDetails = {}, retryAfter: number | null = null, options?: ErrorOptions) {
    super(message, options);
    this.status = problem.status ?? 0;
    // A proxy's or a protocol's error may be anything.
    const code: unknown = problem.code ?? problem.error;
    this.code = typeof code === 'string' ? code : '';
    this.requestId = problem.request_id ?? null;
    this.errors = problem.errors ?? [];
    this.upgrade = problem.upgrade ?? null;
    this.retryAfter = retryAfter;
  }
}

/** 400, 413, 415, 422: the request is not as it should be; `errors` names the fields. */
export class InvalidRequestError extends CairnError {
  override readonly name = 'InvalidRequestError';
}
/** 401: there is no credential, or it is not valid any more. */
export class AuthenticationError extends CairnError {
  override readonly name = 'AuthenticationError';
}
/** 402: the plan or the credits are used up. */
export class PlanLimitError extends CairnError {
  override readonly name = 'PlanLimitError';
}
/** 403: the credential may not do this. */
export class PermissionError extends CairnError {
  override readonly name = 'PermissionError';
}
/** 404: there is no such thing, or it is another tenant's. */
export class NotFoundError extends CairnError {
  override readonly name = 'NotFoundError';
}
/** 409: the state does not allow it. */
export class ConflictError extends CairnError {
  override readonly name = 'ConflictError';
}
/** 429: too many requests; `retryAfter` says how long to wait. */
export class RateLimitError extends CairnError {
  override readonly name = 'RateLimitError';
}
/** 500 and above. */
export class ServerError extends CairnError {
  override readonly name = 'ServerError';
}
/** No answer, or one that broke off. */
export class ConnectionError extends CairnError {
  override readonly name: string = 'ConnectionError';
}
/** No answer within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

const CLASSES: Record<number, typeof CairnError> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: PlanLimitError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
};

/** The error that a refused call is thrown as. */
export function errorOf(problem: ProblemDetails & { status: number }, retryAfter: number | null): CairnError {
  const { status } = problem;
  const Class = CLASSES[status] ?? (status >= 500 ? ServerError : CairnError);
  const said = problem.detail ?? problem.error_description ?? problem.title ?? `HTTP ${status}`;
  const code = problem.code ?? problem.error;
  const about = [code, problem.request_id === undefined ? undefined : `request ${problem.request_id}`];
  const named = about.filter((part) => part !== undefined).join(', ');
  return new Class(named === '' ? said : `${said} (${named})`, problem, retryAfter);
}
