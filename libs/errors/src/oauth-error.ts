import { toProblem } from './problem.ts';

/** The error of RFC 6749, section 5.2. */
export interface OAuthErrorBody {
  error: string;
  error_description?: string;
}

const TEMPORARY: ReadonlySet<number> = new Set([429, 503, 504]);

/** Any failure as the paths under /oauth/* say it: its status and RFC 6749's body. */
export function toOAuthError(error: unknown): { status: number; body: OAuthErrorBody } {
  const { status, detail } = toProblem(error, '');
  const name = TEMPORARY.has(status) ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request';
  return {
    // The shape knows 400 for everything that is wrong with what was sent.
    status: status === 422 || status === 415 ? 400 : status,
    body: { error: name, error_description: describable(detail) },
  };
}

/** The description may hold printable ASCII but quotes and backslashes. */
function describable(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?');
}
