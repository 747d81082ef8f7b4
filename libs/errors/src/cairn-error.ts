import type { ErrorCode } from './codes.ts';

/** One invalid place of a request; `path` is written like `documents.0.title`. */
export interface FieldError {
  path: string;
  message: string;
}

/** What a 402 `plan_limit_reached` says about the way out. */
export interface UpgradePrompt {
  resource: string;
  limit: number;
  current: number;
  plan: string;
  suggested_plan: string | null;
  upgrade_url: string | null;
  note: string;
}

interface ErrorExtras {
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

const ERRORS_MAX = 20;
const PATH_MAX_CHARS = 256;
const MESSAGE_MAX_CHARS = 1_000;
/** Of all errors together, as JSON. With the other fields a 422 stays below 16 KiB, whatever the request was. */
const ERRORS_MAX_BYTES = 10_240;

/**
 * A 422 that names the invalid places, at most 20 of them. `omitted`: errors that were found and are not in the list.
 * Paths and messages may hold what a caller sent, so each is cut to a bound as well.
 */
export function validationFailed(errors: readonly FieldError[], omitted = 0): CairnError {
  const kept: FieldError[] = [];
  let bytes = 0;
  for (const error of errors.slice(0, ERRORS_MAX)) {
    const short = { path: shorten(error.path, PATH_MAX_CHARS), message: shorten(error.message, MESSAGE_MAX_CHARS) };
    bytes += Buffer.byteLength(JSON.stringify(short));
    if (bytes > ERRORS_MAX_BYTES) break;
    kept.push(short);
  }
  const first = kept[0];
  const detail = first === undefined ? 'The request is not valid.' : `${first.path || 'request'}: ${first.message}`;
  const more = errors.length + omitted - kept.length;
  return new CairnError('validation_failed', more === 0 ? detail : `${detail} (and ${more} more)`, { errors: kept });
}

function shorten(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}

/** A 404 that says what was looked for, never whether it exists elsewhere. */
export function notFound(what: string): CairnError {
  return new CairnError('not_found', `${what} was not found.`);
}
