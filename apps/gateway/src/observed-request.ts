import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Operation } from '@cairn/contracts';
import { toProblem } from '@cairn/errors';
import {
  beginSpan,
  contextOf,
  counter,
  durationHistogram,
  endSpan,
  gauge,
  isTracing,
  type TraceContext,
  TRACEPARENT,
  traceparentOf,
} from '@cairn/telemetry';
import type { AnsweredRequest } from './limits/request-series.ts';

const requests = counter(
  'cairn_gateway_requests_total',
  'Requests that the gateway has answered, refusals included. Status 101: upgraded; 499: the client left first.',
  ['operation', 'status'],
);
const durations = durationHistogram(
  'cairn_gateway_request_duration_seconds',
  'From the head of a request to the end of its response; without streams.',
  ['operation'],
);
const inFlight = gauge('cairn_gateway_requests_in_flight', 'Requests and open streams of clients.');

/** Of a request that no operation was found for. */
const NO_OPERATION = 'none';
const STREAMED: ReadonlySet<string> = new Set(['stream', 'socket', 'mcp']);
const UPGRADED = 101;
const CLIENT_LEFT = 499;

/** Whether a client's own trace is continued, or only linked to; see `CAIRN_TRACE_CALLERS`. */
export type CallerTraces = 'linked' | 'trusted';

/** Whose request it is. */
type Caller = Pick<AnsweredRequest, 'tenantId' | 'keyId'>;

interface ObserveOptions {
  callerTraces: CallerTraces;
  /** Called with each permitted request when it has ended. */
  answered: (request: AnsweredRequest) => void;
}

/** A request of a client, while it is counted, timed and traced. */
export interface ObservedRequest {
  context: TraceContext;
  /** The route was found. */
  setOperation(operation: Operation): void;
  /** The request is permitted; it may still be over its rate or quota. */
  calledBy(caller: Caller): void;
  /** A request to upgrade is refused. */
  refused(error: unknown): void;
  /** To be called before the request is forwarded, as it also names the span to the service. */
  forwarded(): void;
}

/**
 * Begins to observe a request, and ends when its connection or response does. What a client says about traces is taken
 * out of its headers: whoever may call could otherwise have everything traced, and write into traces of others.
 */
export function observeRequest(
  request: IncomingMessage,
  connection: ServerResponse | Duplex,
  { callerTraces, answered }: ObserveOptions,
): ObservedRequest {
  const startedMs = performance.now();
  const callersTrace = takeTrace(request);
  const caller = contextOf(callersTrace);
  const { span, context } = beginSpan(request.method ?? 'GET', {
    kind: 'server',
    ...(callerTraces === 'trusted' ? { parent: caller } : { parent: contextOf(null), links: [caller] }),
  });
  let operation: Operation | undefined;
  let refusedWith: number | undefined;
  let calledBy: Caller | undefined;
  inFlight.inc();
  onceEnded(request, connection, () => {
    inFlight.dec();
    const id = operation?.id ?? NO_OPERATION;
    const status = refusedWith ?? statusOf(connection);
    requests.inc({ operation: id, status });
    const isStream = operation !== undefined && STREAMED.has(operation.response.kind);
    const durationMs = isStream ? null : performance.now() - startedMs;
    if (durationMs !== null) durations.observe({ operation: id }, durationMs / 1_000);
    if (calledBy !== undefined) answered({ ...calledBy, operation: id, status, durationMs });
    if (!isTracing()) return;
    span.updateName(operation === undefined ? (request.method ?? 'GET') : `${operation.method} ${operation.path}`);
    span.setAttributes({
      'http.request.method': request.method ?? '',
      'http.response.status_code': status,
      'cairn.operation': id,
      ...requestIdAttribute(request.headers['x-request-id']),
      ...(operation === undefined ? {} : { 'http.route': operation.path }),
    });
    endSpan(span, status >= 500 ? new Error(String(status)) : undefined);
  });
  return {
    context,
    setOperation(found) {
      operation = found;
    },
    calledBy({ tenantId, keyId }) {
      calledBy = { tenantId, keyId };
    },
    refused(error) {
      refusedWith = toProblem(error, '').status;
    },
    forwarded() {
      const traceparent = traceparentOf(context);
      if (traceparent !== null) request.headers[TRACEPARENT] = traceparent;
    },
  };
}

/** An id as programs make them. A caller may send any text as one, which is in logs and responses, and in no span. */
const PLAIN_ID = /^[\w.:-]{1,64}$/;

function requestIdAttribute(id: string | string[] | undefined): Record<string, string> {
  return typeof id === 'string' && PLAIN_ID.test(id) ? { 'cairn.request_id': id } : {};
}

/** What is to be done when a socket closes, for each request that came over it and has not ended. */
const endings = new WeakMap<Duplex, Set<() => void>>();

/**
 * Calls once when the response or the connection has ended. The response to a pipelined request whose turn never comes
 * has no connection and gets no event when its client's connection closes.
 */
function onceEnded(request: IncomingMessage, connection: ServerResponse | Duplex, end: () => void): void {
  const { socket } = request;
  let open = endings.get(socket);
  if (open === undefined) {
    const opened = (open = new Set());
    endings.set(socket, opened);
    socket.once('close', () => {
      for (const each of opened) each();
    });
  }
  const waiting = open;
  const endOnce = () => {
    if (waiting.delete(endOnce)) end();
  };
  waiting.add(endOnce);
  // It comes once; `once` would cost each request a wrapper and a removal.
  connection.on('close', endOnce);
}

/** Takes what W3C Trace Context and Baggage define out of the headers; returns the caller's `traceparent`. */
function takeTrace({ headers }: IncomingMessage): string | null {
  const traceparent = headers[TRACEPARENT];
  for (const name of [TRACEPARENT, 'tracestate', 'baggage']) if (headers[name] !== undefined) delete headers[name];
  return typeof traceparent === 'string' ? traceparent : null;
}

function statusOf(connection: ServerResponse | Duplex): number {
  if (!('statusCode' in connection)) return UPGRADED;
  return connection.writableFinished ? connection.statusCode : CLIENT_LEFT;
}
