import type { Call } from './calls.ts';
import { type Credentials, credentialsOf, type CredentialOptions } from './credentials.ts';
import { CairnError, ConnectionError, errorOf, type ProblemDetails, TimeoutError } from './errors.ts';
import { loopbackRoute } from './loopback.ts';
import type { RequestOptions } from './shapes.ts';

export interface ClientOptions extends CredentialOptions {
  /** Where Cairn is. Default: `http://localhost:8080`, where `npm start` serves. */
  baseUrl?: string;
  /** Milliseconds for each attempt until the answer begins. Default: 60,000. */
  timeoutMs?: number;
  /** Attempts after the first one that failed without an answer, or with one that says “later”. Default: 2. */
  maxRetries?: number;
  /** Default: the platform's. */
  fetch?: typeof fetch;
  /** Sent with every request. */
  headers?: Record<string, string>;
}

export interface PreparedCall {
  call: Call;
  url: string;
  body?: NonNullable<RequestInit['body']>;
  contentType?: string;
  /** Whether a second attempt can do no harm. */
  repeatable: boolean;
  options: RequestOptions;
}

interface Bounds {
  signal: AbortSignal;
  /** The time is not counted any longer. */
  answered(): void;
  end(): void;
}

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 2;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** Longer waits are the caller's to decide. */
const RETRY_AFTER_MAX_SECONDS = 60;
/** The Model Context Protocol demands both. */
const MCP_ACCEPT = 'application/json, text/event-stream';
const LATER = new Set([408, 500, 502, 503, 504]);

/** Sends requests: credentials, time limits, retries, errors. */
export class Transport {
  readonly baseUrl: string;
  private readonly options: ClientOptions;
  private readonly credentials: Credentials;

  constructor(options: ClientOptions) {
    this.options = options;
    this.baseUrl = (options.baseUrl ?? 'http://localhost:8080').replace(/\/$/, '');
    this.credentials = credentialsOf(options, (path, form) =>
      this.send(
        {
          call: { method: 'POST', path, marks: new Set(['oauth']), query: new Set(), rows: null },
          url: this.baseUrl + path,
          body: new URLSearchParams(form),
          repeatable: true,
          options: {},
        },
        (response) => response.json(),
      ),
    );
  }

  /** Sends the request until it is answered, and gives what `read` makes of the answer. */
  async send<T>(request: PreparedCall, read: (response: Response) => Promise<T>): Promise<T> {
    const { options, repeatable } = request;
    const retries = options.maxRetries ?? this.options.maxRetries ?? MAX_RETRIES;
    const key = options.idempotencyKey ?? (request.call.marks.has('repeat') ? newKey() : undefined);
    let renewed = false;
    for (let attempt = 0; ; attempt += 1) {
      // Asking for a token has its own repetitions.
      const credential = await this.credential(request.call, options.signal);
      try {
        return await this.attempt(request, credential, key, read);
      } catch (error) {
        if (!(error instanceof CairnError)) throw error;
        if (error.status === 401 && !request.call.marks.has('oauth') && !renewed && this.credentials.renew()) {
          renewed = true;
          continue;
        }
        const pause = pauseBefore(error, repeatable, attempt);
        if (pause === null || attempt >= retries) throw error;
        await sleep(pause, options.signal);
      }
    }
  }

  /** The header with the credential. One token is asked for by all calls that need it, so none of them can end that. */
  async credential(call: Call, signal: AbortSignal | undefined): Promise<Record<string, string>> {
    if (call.marks.has('oauth')) return {};
    signal?.throwIfAborted();
    const header = this.credentials.header();
    if (signal === undefined) return header;
    let leave: () => void;
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
    });
    return Promise.race([header, left]).finally(() => signal.removeEventListener('abort', leave));
  }

  /** The bounds of one attempt: aborted when its time is up or the caller leaves. `end` leaves both alone. */
  bounds({ signal, timeoutMs = this.options.timeoutMs ?? TIMEOUT_MS }: RequestOptions): Bounds {
    signal?.throwIfAborted();
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new TimeoutError(`No answer within ${timeoutMs} ms.`)), timeoutMs);
    const leave = () => abort.abort(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    const answered = () => clearTimeout(timer);
    return {
      signal: abort.signal,
      answered,
      end() {
        answered();
        signal?.removeEventListener('abort', leave);
      },
    };
  }

  private async attempt<T>(
    { call, url, body, contentType, options }: PreparedCall,
    credential: Record<string, string>,
    key: string | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const bounds = this.bounds(options);
    const isOpenEnded = call.marks.has('stream') || call.marks.has('file');
    try {
      const accept: Record<string, string> = call.marks.has('mcp') ? { accept: MCP_ACCEPT } : {};
      const headers: Record<string, string> = { ...accept, ...this.options.headers, ...credential, ...options.headers };
      if (contentType !== undefined) headers['content-type'] = contentType;
      if (key !== undefined) headers['idempotency-key'] = key;
      const init: RequestInit = { method: call.method, headers, signal: bounds.signal, redirect: 'error' };
      if (body !== undefined) init.body = body;
      const send = this.options.fetch;
      const response = await (send === undefined
        ? fetch(url, { ...init, ...loopbackRoute(url) } as RequestInit)
        : send(url, init));
      if (!response.ok) throw await problemOf(response);
      // A stream or a file may take as long as it takes.
      if (isOpenEnded) bounds.answered();
      const result = await read(response);
      return result;
    } catch (error) {
      if (error instanceof CairnError || options.signal?.aborted === true) throw options.signal?.reason ?? error;
      if (bounds.signal.reason instanceof TimeoutError) throw bounds.signal.reason;
      const cause = error instanceof Error ? (error.cause instanceof Error ? error.cause : error) : undefined;
      throw new ConnectionError(`There was no answer: ${cause?.message ?? String(error)}`, {}, null, { cause: error });
    } finally {
      // Who is given the body may still leave; a stream's reader removes its own signal.
      if (isOpenEnded) bounds.answered();
      else bounds.end();
    }
  }
}

/** Not a UUID: browsers make those only on pages that were loaded over https or from the same machine. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Milliseconds until the next attempt; null when there should be none. */
function pauseBefore(error: CairnError, repeatable: boolean, attempt: number): number | null {
  const refused = error.status === 429 && error.code !== 'quota_exceeded';
  const waits = error.code === 'idempotency_in_flight';
  const failed = error instanceof ConnectionError || LATER.has(error.status);
  if (!refused && !waits && !(failed && repeatable)) return null;
  if (error.retryAfter !== null) return error.retryAfter > RETRY_AFTER_MAX_SECONDS ? null : error.retryAfter * 1_000;
  const most = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
  // Full jitter would also try at once, which helps nobody.
  return most / 2 + (Math.random() * most) / 2;
}

async function problemOf(response: Response): Promise<CairnError> {
  const text = await response.text().catch(() => '');
  const seconds = Number(response.headers.get('retry-after') ?? 'none');
  const retryAfter = Number.isFinite(seconds) ? seconds : null;
  let problem: ProblemDetails = {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) problem = value;
  } catch {
    // A proxy answered: there is the status alone.
  }
  const id = response.headers.get('x-request-id');
  if (problem.request_id === undefined && id !== null) problem.request_id = id;
  return errorOf({ ...problem, status: response.status }, retryAfter);
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, ms);
    function done(): void {
      signal?.removeEventListener('abort', left);
      resolve();
    }
    function left(): void {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    }
    signal?.addEventListener('abort', left, { once: true });
  });
}
