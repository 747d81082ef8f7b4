/** What kept an embedded server from starting; callers switch on it, people read `message` and `hint`. */
type EmbeddedStartErrorCode =
  | 'port_in_use'
  | 'binaries_missing'
  | 'init_failed'
  | 'start_failed'
  | 'data_directory_locked'
  | 'nats_unavailable';

/** A refusal to start: the message says what is wrong, the hint says what the operator can do about it. */
export class EmbeddedStartError extends Error {
  readonly code: EmbeddedStartErrorCode;
  readonly hint: string;

  constructor(code: EmbeddedStartErrorCode, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbeddedStartError';
    this.code = code;
    this.hint = hint;
  }
}

/** The `errno` name of a system error, or undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The text of any thrown value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
