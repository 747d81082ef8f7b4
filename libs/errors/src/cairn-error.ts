import type { ErrorCode } from './codes.ts';

/** One invalid place of a request; `path` is written like `documents.0.title`. */
export interface FieldError {
  path: string;
  message: string;
}

/** What a 402 `plan_limit_reached` tells the caller about the way out. */
export interface UpgradePrompt {
  resource: string;
  limit: number;
  current: number;
  plan: string;
  suggested_plan: string | null;
  upgrade_url: string | null;
  note: string;
}

export interface ErrorExtras {
  /** Invalid places of the request, for `validation_failed`. */
  errors?: FieldError[];
  upgrade?: UpgradePrompt;
  /** Seconds the caller should wait; becomes `Retry-After`. */
  retryAfterSeconds?: number;
  /** What the logs see; never a caller. */
  internal?: string;
  cause?: unknown;
}

/**
 * The one error that crosses layers. `message` is public and goes to the caller; `internal` and
 * `cause` go to the log only.
 */
export class CairnError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly upgrade: UpgradePrompt | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly internal: string | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'CairnError';
    this.code = code;
    this.errors = extras.errors;
    this.upgrade = extras.upgrade;
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.internal = extras.internal;
  }
}

/** A 422 that names each wrong place. */
export function validationFailed(errors: FieldError[]): CairnError {
  const first = errors[0];
  const detail = first === undefined ? 'The request is not valid.' : `${first.path || 'request'}: ${first.message}`;
  return new CairnError('validation_failed', detail, { errors });
}

/** A 404 that says what was looked for, never whether it exists elsewhere. */
export function notFound(what: string): CairnError {
  return new CairnError('not_found', `${what} was not found.`);
}
