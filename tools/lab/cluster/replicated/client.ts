import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';

/**
 * Sends a request until it has an answer that ends it. Returns the body when the status is the expected one; null, and a
 * failure in the ledger, when it is not.
 */
export type Call = (
  method: string,
  path: string,
  body: unknown,
  expected: number,
  key?: string,
  // Bodies of every operation.
  // oxlint-disable-next-line typescript/no-explicit-any
) => Promise<any>;

/** The statuses after which docs/errors.md has a client send its request again. */
const REPEAT_STATUSES = new Set([408, 429, 503, 504]);
const REQUEST_TIMEOUT_MS = 15_000;
const GIVE_UP_MS = 120_000;
const REPEAT_PAUSE_MS = 500;
const SHOWN_CHARS = 200;

/**
 * A client of several gateways, used in turn, with a retry policy: every request has an idempotency key or changes
 * nothing, so that it may be sent again after a closed connection, too.
 */
export function createClient(gateways: readonly string[], ledger: Ledger, ownKey: string): Call {
  let turn = 0;
  return async (method, path, body, expected, key = ownKey) => {
    const giveUpAt = Date.now() + GIVE_UP_MS;
    const init = requestOf(method, body, key);
    ledger.requests += 1;
    for (;;) {
      const gateway = gateways[(turn += 1) % gateways.length]!;
      const { met, status, text } = await ask(`${gateway}/api/v1${path}`, init);
      if (met === null) {
        if (status === expected) return JSON.parse(text!);
        ledger.failures.push(`${status} for ${method} ${path}: ${text!.slice(0, SHOWN_CHARS)}`);
        return null;
      }
      ledger.repeated.set(met, (ledger.repeated.get(met) ?? 0) + 1);
      if (Date.now() > giveUpAt) {
        ledger.failures.push(`${met} for ${method} ${path} for ${GIVE_UP_MS / 1_000} s`);
        return null;
      }
      await sleep(REPEAT_PAUSE_MS);
    }
  };
}

function requestOf(method: string, body: unknown, key: string): RequestInit {
  const headers = {
    'x-api-key': key,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
  };
  return { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

interface Met {
  /** Why the request is to be sent again; null when it is not. */
  met: string | null;
  status?: number;
  text?: string;
}

async function ask(url: string, init: RequestInit): Promise<Met> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const text = await response.text();
    const { status } = response;
    if (REPEAT_STATUSES.has(status)) return { met: String(status) };
    if (status === 409 && text.includes('"idempotency_in_flight"')) return { met: 'in flight' };
    return { met: null, status, text };
  } catch (error) {
    return { met: (error as Error).name === 'TimeoutError' ? 'no answer' : 'closed connection' };
  }
}
