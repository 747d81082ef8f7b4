import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import { hasBody } from '../bounds.ts';
import { stripAnswerHeaders } from '../trust-headers.ts';
import { failedAnswer, type OnFailure, STATUS_OF_NONSENSE } from './failed-answer.ts';
import { bindingOf, type Destination, type Forwarder, type Forwarding } from './forwarder.ts';
import { UPSTREAM_CONNECT_MS, UPSTREAM_IDLE_MS, UPSTREAM_SILENT_MS } from './upstream-bounds.ts';

/** What was read of a body is held in memory, so what is larger streams through the other forwarder. */
const WHOLE_BODY_MAX_BYTES = 65_536;

/**
 * Streams stay open for long, and a pool looks through its open connections for a free one, so they have their own.
 * A repeated request has a fresh connection, which nobody can have closed.
 */
type PoolKind = 'answers' | 'streams' | 'repeats';

const POOL_OPTIONS: Pool.Options = {
  // Not bounded by itself: callers would queue behind slow answers. Each belongs to a caller's connection.
  connections: null,
  keepAliveTimeout: UPSTREAM_IDLE_MS,
  keepAliveMaxTimeout: UPSTREAM_IDLE_MS,
  headersTimeout: UPSTREAM_SILENT_MS,
  bodyTimeout: UPSTREAM_SILENT_MS,
  connect: { timeout: UPSTREAM_CONNECT_MS },
};

/**
 * Requests whose body is there as a whole, or that have none, over undici's pools, which take less than half of the
 * processor that http-proxy-middleware takes; uploads in flight and upgrades over `other`.
 */
export function createUndiciForwarder(onFailure: OnFailure, other: Forwarder): Forwarder {
  const pools = new Map<string, Pool>();
  const poolOf = (upstream: string, kind: PoolKind) => {
    const name = `${upstream} ${kind}`;
    const known = pools.get(name);
    if (known !== undefined) return known;
    const pool = new Pool(upstream, { ...POOL_OPTIONS, pipelining: kind === 'repeats' ? 0 : 1 });
    pools.set(name, pool);
    return pool;
  };
  return {
    http(request, response, destination, streams = false) {
      const body = wholeBody(request);
      if (body === undefined) return other.http(request, response, destination, streams);
      const first = poolOf(destination.url, streams ? 'streams' : 'answers');
      const again = () => poolOf(destination.url, 'repeats');
      return new Exchange({ first, again, destination, request, response, body, onFailure }).begin();
    },
    upgrade: (...connection) => other.upgrade(...connection),
    close() {
      for (const pool of pools.values()) void pool.destroy();
      other.close();
    },
  };
}

/** The body when all of it has arrived, null when there is none, undefined when it has to be streamed. */
function wholeBody(request: IncomingMessage): Buffer | null | undefined {
  if (!hasBody(request)) return null;
  if (!request.complete || request.readableLength > WHOLE_BODY_MAX_BYTES) return undefined;
  // Nothing to read of what has length zero in the end; whoever read it before has taken it.
  return (request.read() as Buffer | null) ?? Buffer.alloc(0);
}

interface ExchangeParts {
  first: Pool;
  /** Where a request goes whose connection was closed under it. */
  again: () => Pool;
  destination: Destination;
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer | null;
  onFailure: OnFailure;
}

/** One request and its answer. Undici calls it back in this order: start, answer's head, its data, its end, or an error. */
class Exchange implements Forwarding, Dispatcher.DispatchHandler {
  private readonly parts: ExchangeParts;
  private controller: Dispatcher.DispatchController | null = null;
  /** Nothing more is to be said to the client by this file. */
  private settled = false;
  private repeated = false;
  /** Length of the answer's body as its head says; NaN: it does not. */
  private length = NaN;
  /** The whole body, when it came in one piece: it leaves together with the head. */
  private whole: Buffer | undefined;

  constructor(parts: ExchangeParts) {
    this.parts = parts;
  }

  begin(): Forwarding {
    // `close` comes after a whole answer too; then there is nothing left to end.
    this.parts.response.once('close', () => {
      if (!this.settled) this.abandon();
    });
    this.send(this.parts.first);
    return this;
  }

  abandon(): void {
    this.settled = true;
    this.controller?.abort(new Error('abandoned'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.settled) controller.abort(new Error('abandoned'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 100) return controller.abort(new Error(`the service answered with status ${status}`));
    // An early hint; the answer follows.
    if (status < 200) return;
    const { response } = this.parts;
    stripAnswerHeaders(headers);
    this.length = Number(headers['content-length'] ?? NaN);
    // This hop frames its own answers.
    delete headers['transfer-encoding'];
    try {
      response.writeHead(status > 599 ? STATUS_OF_NONSENSE : status, headers);
      // Else the head of a stream would wait for its first event.
      if (headers['content-type']?.startsWith('text/event-stream') === true) response.flushHeaders();
    } catch (error) {
      controller.abort(error as Error);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { response } = this.parts;
    if (this.settled) return;
    if (chunk.length === this.length) {
      // Its end follows from the same bytes.
      this.whole = chunk;
      return;
    }
    if (response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.settled) return;
    this.settled = true;
    this.parts.response.end(this.whole);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.settled) return;
    if (this.mayRepeat(error)) {
      this.repeated = true;
      this.send(this.parts.again());
      return;
    }
    this.settled = true;
    const { request, response, onFailure } = this.parts;
    failedAnswer(request, response, error, onFailure);
  }

  private send(pool: Pool): void {
    const { destination, request, body } = this.parts;
    const target = request.url!;
    try {
      pool.dispatch(
        {
          path: target,
          method: request.method as Dispatcher.HttpMethod,
          headers: [...sentHeaders(request.headers, body), ...bindingOf(destination, request, target)],
          body,
        },
        this,
      );
    } catch (error) {
      this.onResponseError(null, error as Error);
    }
  }

  /**
   * True for a request that an idle connection was closed under: nothing of an answer came, and asking again does no
   * harm (RFC 9110, 9.2.2). A service that was silent for too long, or that cannot be reached, is not asked twice.
   */
  private mayRepeat(error: NodeJS.ErrnoException): boolean {
    const { request, response, body } = this.parts;
    return (
      !this.repeated &&
      !response.headersSent &&
      !response.destroyed &&
      body === null &&
      (request.method === 'GET' || request.method === 'HEAD') &&
      (error.code === 'UND_ERR_SOCKET' || error.code === 'ECONNRESET' || error.code === 'EPIPE')
    );
  }
}

const NOT_SENT: ReadonlySet<string> = new Set(['host', 'connection', 'transfer-encoding', 'content-length']);

/** The final headers as undici takes them; what frames the message and names the service is its own. */
function sentHeaders(headers: IncomingHttpHeaders, body: Buffer | null): string[] {
  const sent: string[] = [];
  for (const name in headers) {
    if (NOT_SENT.has(name)) continue;
    const value = headers[name];
    if (typeof value === 'string') sent.push(name, value);
    else if (value !== undefined) for (const each of value) sent.push(name, each);
  }
  if (body !== null) sent.push('content-length', String(body.length));
  return sent;
}
