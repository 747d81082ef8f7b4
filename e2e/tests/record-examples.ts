import { createHash } from 'node:crypto';
import type { Operation, OperationExample } from '@cairn/contracts';
import { ID_PREFIXES, OPERATIONS } from '@cairn/contracts';
import type { ExampleTenant } from './example-tenant.ts';
import { inDependencyOrder, REFUSED, REGISTRATION } from './sdk-calls.ts';
import { callOf } from './route-walk-fixtures.ts';

const ITEMS_MAX = 2;
const TEXT_MAX = 600;
/** Events of a run go on for as long as it does. */
const STREAM_MS = 3_000;
const OAUTH_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' };

/** Whether there is an example of the operation: a socket speaks no HTTP, and what is refused shows nothing. */
export function isRecorded({ id, response }: Operation): boolean {
  return response.kind !== 'socket' && REFUSED[id] === undefined;
}

/**
 * Calls every operation once about the world, as its owner, and returns what was sent and what came back. What cannot
 * succeed in the world has no example.
 */
export async function recordExamples(baseUrl: string, owned: ExampleTenant): Promise<Record<string, OperationExample>> {
  const examples: Record<string, OperationExample> = {};
  for (const operation of inDependencyOrder(OPERATIONS.filter(isRecorded)))
    examples[operation.id] = await record(operation, baseUrl, owned);
  const scrub = scrubber(baseUrl, [owned.apiKey, owned.oauth.client_secret]);
  return Object.fromEntries(
    OPERATIONS.flatMap(({ id }) => (examples[id] === undefined ? [] : [[id, scrub(examples[id])]])),
  );
}

async function record(
  operation: Operation,
  baseUrl: string,
  { apiKey, world, oauth }: ExampleTenant,
): Promise<OperationExample> {
  const form = formOf(operation, oauth);
  const proofs: Record<string, object> = { openSession: { api_key: apiKey }, registerAppClient: REGISTRATION };
  const proof = proofs[operation.id];
  const isOpen = operation.credential === 'none';
  const call = isOpen
    ? {
        path: operation.path.replace('{space_id}', world.space_id),
        body: form ?? proof,
        headers: form === null ? {} : OAUTH_HEADERS,
      }
    : callOf(operation, world);
  const response = await fetch(baseUrl + call.path, {
    method: operation.method,
    headers: {
      ...(isOpen ? {} : { 'x-api-key': apiKey }),
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(call.body === undefined
      ? {}
      : { body: form === null ? JSON.stringify(call.body) : new URLSearchParams(form).toString() }),
  });
  const answer = await readAnswer(response);
  if (!response.ok) throw new Error(`${operation.id}: ${response.status} ${JSON.stringify(answer)}`);
  const { pathname, searchParams } = new URL(call.path, baseUrl);
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const values = new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname)?.slice(1) ?? [];
  return {
    ...(names.length === 0 ? {} : { path: Object.fromEntries(names.map((name, at) => [name, values[at]!])) }),
    ...(searchParams.size === 0 ? {} : { query: Object.fromEntries(searchParams) }),
    ...(call.body === undefined ? {} : { body: call.body }),
    status: response.status,
    ...(answer === undefined ? {} : { answer: shortened(answer) }),
  };
}

function formOf({ id }: Operation, oauth: ExampleTenant['oauth']): Record<string, string> | null {
  if (id === 'issueOAuthToken') return { grant_type: 'client_credentials', ...oauth, scope: 'usage:read' };
  return id === 'revokeOAuthToken' ? { token: 'otk_unknown', ...oauth } : null;
}

/** A JSON value, a text, the data of an event of a stream; nothing for a page and for what is not text. */
async function readAnswer(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (/[/+]json\b/.test(type)) return response.json();
  if (type.startsWith('text/event-stream')) return readEvents(response);
  const text = await response.text();
  return /^(?:text\/(?!html)|application\/x-ndjson)/.test(type) ? text : undefined;
}

/** The data of the last event that came in time. */
async function readEvents(response: Response): Promise<unknown> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const ends = new Promise<{ done: true; value?: undefined }>((resolve) => {
    setTimeout(() => resolve({ done: true }), STREAM_MS).unref();
  });
  let text = '';
  for (;;) {
    const { done, value } = await Promise.race([reader.read(), ends]);
    if (done) break;
    text += value;
  }
  await reader.cancel();
  const data = text.split('\n').filter((line) => line.startsWith('data: '));
  return JSON.parse(data.at(-1)!.slice('data: '.length));
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value;
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(shortened);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]));
}

const ID = new RegExp(`\\b(${Object.values(ID_PREFIXES).join('|')})_[1-9A-HJ-NP-Za-km-z]{18,30}\\b`, 'g');
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const SECRET =
  /\b(ck_live|ck_test|ck_eph|mk|ot|oac|ort|ocs|cst|cin|csi|whsec)_[A-Za-z0-9+/=]{20,}|\bey[\w-]{10,}\.[\w.-]+/g;
const TICKET = /(ticket=)[^"&\s]+/g;
const FIRST_TIME_MS = Date.UTC(2026, 10, 2, 9);
const SPACING_MS = 1_000;

/** Replaces every identifier, time and secret by a stand-in of its kind; the same one wherever it comes again. */
function scrubber(baseUrl: string, secrets: readonly string[]): <T>(value: T) => T {
  const standIns = new Map<string, string>();
  const standIn = (found: string, make: (ordinal: number) => string) => {
    const known = standIns.get(found);
    if (known !== undefined) return known;
    const made = make(standIns.size + 1);
    standIns.set(found, made);
    return made;
  };
  return <T>(value: T): T => {
    let text = JSON.stringify(value);
    for (const secret of secrets) text = text.replaceAll(secret, 'SECRET');
    text = text
      .replaceAll(baseUrl, 'https://cairn.example')
      .replaceAll(baseUrl.replace('http', 'ws'), 'wss://cairn.example')
      .replaceAll(/\.localhost:\d+/g, '.memories.cairn.example')
      .replaceAll(TICKET, '$1TICKET')
      .replaceAll(SECRET, (found) => `${/^[a-z_]+(?=_)/.exec(found)?.[0] ?? 'token'}_SECRET`)
      .replaceAll(ID, (found, prefix: string) => standIn(found, (ordinal) => `${prefix}_${letters(prefix, ordinal)}`))
      .replaceAll(UUID, (found) =>
        standIn(found, (ordinal) => `00000000-0000-4000-8000-${`${ordinal}`.padStart(12, '0')}`),
      )
      .replaceAll(TIME, (found) =>
        standIn(found, (ordinal) => new Date(FIRST_TIME_MS + ordinal * SPACING_MS).toISOString()),
      );
    return JSON.parse(text) as T;
  };
}

/** 22 characters that an identifier may have. */
function letters(prefix: string, ordinal: number): string {
  const hash = createHash('sha256').update(`${prefix}${ordinal}`).digest('hex');
  // Base58 has no zero.
  return hash.replaceAll('0', 'z').slice(0, 22);
}
