import { CairnError, type FieldError, type UpgradePrompt } from './cairn-error.ts';
import { ERROR_CODES, type ErrorCode } from './codes.ts';

/** The body of every error answer: RFC 9457's fields plus our code and request id. */
export interface Problem {
  /** A reference to the page about the code, at the gateway's host. */
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  request_id: string;
  errors?: FieldError[];
  upgrade?: UpgradePrompt;
}

const INTERNAL_DETAIL = 'The request could not be completed. Quote the request id when you ask about it.';

/** Code → HTTP. A failure that is not a CairnError becomes `internal`, and its text stays inside. */
export function toProblem(error: unknown, requestId: string): Problem {
  const known = error instanceof CairnError ? error : null;
  const code: ErrorCode = known?.code ?? 'internal';
  const { status, title } = ERROR_CODES[code];
  const problem: Problem = {
    type: `/docs/errors#${code}`,
    title,
    status,
    detail: known === null || code === 'internal' ? INTERNAL_DETAIL : known.message,
    code,
    request_id: requestId,
  };
  if (known?.errors !== undefined) problem.errors = known.errors;
  if (known?.upgrade !== undefined) problem.upgrade = known.upgrade;
  return problem;
}

/** Headers that belong to an error besides its body. */
export function problemHeaders(error: unknown): Record<string, string> {
  if (!(error instanceof CairnError)) return {};
  const headers: Record<string, string> = {};
  const wait = error.retryAfterSeconds ?? (error.code === 'unavailable' ? 1 : undefined);
  if (wait !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(wait)));
  if (ERROR_CODES[error.code].status === 401) headers['www-authenticate'] = 'ApiKey header="x-api-key", Bearer';
  // RFC 9110, 15.5.22: a 426 names the protocol; the connection option goes with it.
  if (error.code === 'upgrade_required') Object.assign(headers, { upgrade: 'websocket', connection: 'upgrade' });
  return headers;
}

/** RFC 9457's media type only for a client that asks for it by name. */
export function problemContentType(accept: string | undefined): string {
  return accept !== undefined && /\bapplication\/problem\+json\b/i.test(accept)
    ? 'application/problem+json; charset=utf-8'
    : 'application/json; charset=utf-8';
}
