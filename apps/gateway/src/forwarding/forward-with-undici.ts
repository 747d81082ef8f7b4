import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { InternalTls } from '@cairn/service-kit';
import { type Dispatcher, Pool } from 'undici';
import { hasBody } from '../admission/request-bounds.ts';
import { respondUnavailable, type OnFailure, STATUS_FOR_INVALID } from './upstream-failure.ts';
import { bindingOf, type Destination, type Forwarder, type Forwarding, readServiceHeaders } from './forwarder.ts';
import type { ReplicaDirectory, Replicas } from './replicas.ts';
import { REPLICA_CONNECT_MS, UPSTREAM_CONNECT_MS, UPSTREAM_IDLE_MS, UPSTREAM_SILENT_MS } from './upstream-bounds.ts';
import { connectorTo, isNotConnected } from './upstream-connections.ts';

/** A body that was read is held in memory, so larger ones stream through the other forwarder. */
const WHOLE_BODY_MAX_BYTES = 65_536;

/**
 * Streams stay open for long, and a pool searches its open connections for a free one, so they have a pool of their
 * own. A retried request gets a fresh connection, which the service cannot have closed.
 */
type PoolKind = 'requests' | 'streams' | 'retries';

const POOL_OPTIONS: Pool.Options = {
  // Unbounded: callers would queue behind slow responses. Each belongs to a caller's connection, which are bounded.
  connections: null,
  keepAliveTimeout: UPSTREAM_IDLE_MS,
  keepAliveMaxTimeout: UPSTREAM_IDLE_MS,
  headersTimeout: UPSTREAM_SILENT_MS,
  bodyTimeout: UPSTREAM_SILENT_MS,
};

/**
 * Forwards requests whose body has arrived completely, or that have none, over undici's pools, which use less than half
 * of the CPU time of http-proxy-middleware; uploads in flight and upgrades go to `other`.
 */
export function createUndiciForwarder(
  onFailure: OnFailure,
  other: Forwarder,
  directory: ReplicaDirectory,
  tls: InternalTls | null = null,
): Forwarder {
  const pools = new Map<string, Pool>();
  directory.onGone((url) => {
    for (const [name, pool] of pools) {
      if (!name.startsWith(`${url} `)) continue;
      // Requests in progress finish; what is queued for the replica fails and is sent to another one.
      void pool.close();
      pools.delete(name);
    }
  });
  const poolOf = (replicaUrl: string, kind: PoolKind, destination: Destination) => {
    // With the service's name, which the certificate at the address has to hold.
    const name = `${replicaUrl} ${destination.name} ${kind}`;
    const known = pools.get(name);
    if (known !== undefined) return known;
    const timeoutMs = replicaUrl === destination.url ? UPSTREAM_CONNECT_MS : REPLICA_CONNECT_MS;
    const connect = connectorTo(destination.name, tls, timeoutMs);
    const pool = new Pool(replicaUrl, { ...POOL_OPTIONS, connect, pipelining: kind === 'retries' ? 0 : 1 });
    pools.set(name, pool);
    return pool;
  };
  return {
    http(request, response, destination, streams = false) {
      const body = wholeBody(request);
      if (body === undefined) return other.http(request, response, destination, streams);
      const replicas = directory.of(destination.url);
      const kind = streams ? 'streams' : 'requests';
      return new Exchange({ replicas, poolOf, kind, destination, request, response, body, onFailure }).begin();
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
  // `null` for a body that turned out to be empty.
  return (request.read() as Buffer | null) ?? Buffer.alloc(0);
}

interface ExchangeDeps {
  replicas: Replicas;
  poolOf: (replicaUrl: string, kind: PoolKind, destination: Destination) => Pool;
  kind: PoolKind;
  destination: Destination;
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer | null;
  onFailure: OnFailure;
}

/** One request and its response. Undici's callbacks come in this order: start, head, data, end, or an error. */
class Exchange implements Forwarding, Dispatcher.DispatchHandler {
  private readonly deps: ExchangeDeps;
  private controller: Dispatcher.DispatchController | null = null;
  /** The client has its response, or somebody else is responsible for it. */
  private settled = false;
  private retried = false;
  /** Replicas that the request was sent to, or meant for; the last one is at work. */
  private readonly tried = new Set<string>();
  private replica = '';
  /** Content-Length of the response; NaN: it has none. */
  private length = NaN;
  /** The whole body, when it came in one piece: it leaves together with the head. */
  private whole: Buffer | undefined;

  constructor(deps: ExchangeDeps) {
    this.deps = deps;
  }

  begin(): Forwarding {
    // `close` follows a complete response, too; then there is nothing left to abort.
    this.deps.response.once('close', () => {
      if (!this.settled) this.abandon();
    });
    this.send(this.deps.kind);
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
    if (status < 100) return controller.abort(new Error(`the service responded with status ${status}`));
    // An early hint; the response follows.
    if (status < 200) return;
    const { response, replicas, destination } = this.deps;
    replicas.reached(this.replica);
    readServiceHeaders(headers, destination);
    this.length = Number(headers['content-length'] ?? NaN);
    // This hop frames its own responses.
    delete headers['transfer-encoding'];
    try {
      response.writeHead(status > 599 ? STATUS_FOR_INVALID : status, headers);
      // Otherwise the head of a stream would wait for its first event.
      if (headers['content-type']?.startsWith('text/event-stream') === true) response.flushHeaders();
    } catch (error) {
      controller.abort(error as Error);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { response } = this.deps;
    if (this.settled) return;
    if (chunk.length === this.length) {
      // Sent together with the end, which follows from the same packet.
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
    this.deps.response.end(this.whole);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const isUnsent = isNotConnected(error) || (error as NodeJS.ErrnoException).code === POOL_CLOSED;
    if (isUnsent) this.deps.replicas.failed(this.replica);
    if (this.settled) return;
    if (isUnsent && this.mayGoElsewhere()) {
      this.send(this.deps.kind);
      return;
    }
    if (this.mayRetry(error)) {
      this.retried = true;
      this.send('retries');
      return;
    }
    this.settled = true;
    const { request, response, onFailure } = this.deps;
    respondUnavailable(request, response, error, onFailure);
  }

  private send(kind: PoolKind): void {
    const { destination, replicas, poolOf, request, body } = this.deps;
    const target = request.url!;
    this.replica = replicas.next(this.tried);
    this.tried.add(this.replica);
    try {
      poolOf(this.replica, kind, destination).dispatch(
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

  /** Nothing was sent to a replica that could not be reached, so any request may go to another one. */
  private mayGoElsewhere(): boolean {
    const { replicas, response } = this.deps;
    const isWaiting = !response.headersSent && !response.destroyed;
    return isWaiting && this.tried.size < REPLICAS_TRIED_MAX && replicas.hasOther(this.tried);
  }

  /**
   * True for a request that an idle connection was closed under: no byte of a response arrived, and the method is
   * idempotent (RFC 9110, 9.2.2). A request that timed out is not retried.
   */
  private mayRetry(error: NodeJS.ErrnoException): boolean {
    const { request, response, body } = this.deps;
    return (
      !this.retried &&
      !response.headersSent &&
      !response.destroyed &&
      body === null &&
      (request.method === 'GET' || request.method === 'HEAD') &&
      (error.code === 'UND_ERR_SOCKET' || error.code === 'ECONNRESET' || error.code === 'EPIPE')
    );
  }
}

const REPLICAS_TRIED_MAX = 3;

/** Of a pool whose replica has just left. */
const POOL_CLOSED = 'UND_ERR_CLOSED';

const NOT_SENT: ReadonlySet<string> = new Set(['host', 'connection', 'transfer-encoding', 'content-length']);

/** The final headers in undici's form; it sets framing and Host itself. */
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
