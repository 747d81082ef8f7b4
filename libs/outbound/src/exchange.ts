import type { Agent, Dispatcher } from 'undici';
import { failureOf } from './failure-of.ts';
import { OutboundError } from './outbound-error.ts';

/** One request and its answer, without following anything. */
interface ExchangeOptions {
  agent: Agent;
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** From now to the last byte that is read. */
  timeoutMs: number;
  bodyMaxBytes: number;
  /** What a longer body means: `refuse` throws, `truncate` keeps the first bytes and hangs up. */
  whenLonger: 'refuse' | 'truncate';
  signal: AbortSignal | undefined;
}

export interface ExchangeResult {
  status: number;
  headers: Record<string, string | string[]>;
  /** As it was sent, content coding included. */
  body: Buffer;
  truncated: boolean;
}

/** Made when a body was read far enough; undici needs a reason to hang up. */
const READ_ENOUGH = new Error('the body was read as far as it is wanted');

/** Sends a request and reads at most `bodyMaxBytes` of its answer, all within `timeoutMs`. Throws `OutboundError`. */
export function exchange(options: ExchangeOptions): Promise<ExchangeResult> {
  const { agent, url, bodyMaxBytes, signal } = options;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let settled = false;
    let status: number | null = null;
    let headers: Record<string, string | string[]> = {};
    const chunks: Buffer[] = [];
    let bytes = 0;

    const settle = (finish: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const fail = (error: OutboundError) => {
      settle(() => reject(error));
      controller?.abort(error);
    };
    const succeed = (truncated: boolean) =>
      settle(() => resolve({ status: status!, headers, body: Buffer.concat(chunks), truncated }));
    const onAbort = () => fail(new OutboundError('aborted', 'the request was given up by its caller'));
    const timer = setTimeout(() => fail(timedOut(url, options.timeoutMs, status !== null)), options.timeoutMs);

    if (signal?.aborted === true) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: options.method as Dispatcher.HttpMethod,
        headers: options.headers,
        body: options.body ?? null,
        // One clock judges the whole exchange, above.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(started) {
          controller = started;
          // It was given up while it waited for its connection.
          if (settled) started.abort(READ_ENOUGH);
        },
        onResponseStart(_controller, code, received) {
          if (code < 200) return;
          status = code;
          headers = received as Record<string, string | string[]>;
        },
        onResponseData(reading, chunk) {
          const room = bodyMaxBytes - bytes;
          chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
          bytes += Math.min(chunk.length, room);
          if (chunk.length <= room) return;
          if (options.whenLonger === 'refuse') return fail(tooLarge(url, bodyMaxBytes));
          succeed(true);
          reading.abort(READ_ENOUGH);
        },
        onResponseEnd: () => succeed(false),
        onResponseError: (_controller, error) => settle(() => reject(failureOf(error, url))),
      },
    );
  });
}

export function tooLarge(url: URL, maxBytes: number): OutboundError {
  return new OutboundError('body_too_large', `the answer of ${url.host} is longer than ${maxBytes} bytes`);
}

function timedOut(url: URL, timeoutMs: number, afterHeaders: boolean): OutboundError {
  return afterHeaders
    ? new OutboundError('timed_out_after_headers', `${url.host} did not finish its answer within ${timeoutMs} ms`)
    : new OutboundError('timed_out_before_headers', `${url.host} did not answer within ${timeoutMs} ms`);
}
