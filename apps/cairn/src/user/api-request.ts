import { randomUUID } from 'node:crypto';
import { text as textFrom } from 'node:stream/consumers';
import { CredentialError, EXIT, exitCodeOfStatus, UsageError } from './failures.ts';
import type { Session } from './session.ts';
import { writeAnswer } from './write-answer.ts';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Paths that are not below `/api/v1`. */
const WHOLE_PATHS = /^\/(?:api|oauth|research|\.well-known)\//;
const TIMEOUT_MS = 300_000;

/** `cairn api`: one request as it is said, and the answer as it comes. A refusal is shown whole, too. */
export async function sendRequest(
  session: Session,
  method: string,
  path: string,
  data: string | undefined,
): Promise<number> {
  const verb = method.toUpperCase();
  if (!METHODS.has(verb)) throw new UsageError(`The method must be one of ${[...METHODS].join(', ')}.`);
  const { base_url, api_key } = await session.connection();
  const url = addressOf(base_url, path);
  const body = data === '-' ? await textFrom(session.streams.stdin) : data;
  const response = await fetch(url, {
    method: verb,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      'x-api-key': api_key,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(verb === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
    },
    ...(body === undefined ? {} : { body }),
  }).catch((error: unknown) => {
    throw new Error(`${new URL(base_url).host} did not answer: ${reasonOf(error)}`);
  });
  await writeAnswer(session, response, undefined);
  if (session.streams.stdout.isTTY) session.answer();
  if (response.ok) return EXIT.done;
  session.say(`cairn: ${response.status} ${response.statusText}`);
  return exitCodeOfStatus(response.status);
}

/** The address of a path, which never is another installation's: the key goes with it. */
export function addressOf(baseUrl: string, path: string): URL {
  if (!path.startsWith('/')) throw new UsageError('The path must begin with /, as /memories.');
  const url = new URL(WHOLE_PATHS.test(path) ? path : `/api/v1${path}`, baseUrl);
  if (url.origin !== new URL(baseUrl).origin)
    throw new CredentialError(`${path} leads to ${url.host}, which this key is not for.`);
  return url;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && cause.message !== '') return cause.message;
  return error instanceof Error ? error.message : String(error);
}
