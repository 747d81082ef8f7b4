import type { Operation } from '@cairn/contracts';
import {
  beginSpan,
  contextOf,
  counter,
  durationHistogram,
  endSpan,
  gauge,
  TRACEPARENT,
  within,
} from '@cairn/telemetry';
import type { NextFunction, Request, Response } from 'express';

const requests = counter('cairn_http_requests_total', 'Requests that a service has answered.', ['operation', 'status']);
const durations = durationHistogram(
  'cairn_http_request_duration_seconds',
  'From the head of a request to the end of its response; without streams.',
  ['operation'],
);
const inFlight = gauge('cairn_http_requests_in_flight', 'Requests that a service works on.');

/** Such a response is open for as long as somebody listens. */
const STREAMED: ReadonlySet<string> = new Set(['stream', 'socket', 'mcp']);

/** Counts and times the requests of an operation, and gives each a span that continues the gateway's trace. */
export function observeOperation(operation: Operation) {
  const isTimed = !STREAMED.has(operation.response.kind);
  const name = `${operation.method} ${operation.path}`;
  const attributes = {
    'http.request.method': operation.method,
    'http.route': operation.path,
    'cairn.operation': operation.id,
  };
  return (request: Request, response: Response, next: NextFunction) => {
    const startedMs = performance.now();
    const parent = request.headers[TRACEPARENT];
    const { span, context } = beginSpan(name, {
      kind: 'server',
      attributes,
      parent: contextOf(typeof parent === 'string' ? parent : null),
    });
    inFlight.inc();
    response.once('close', () => {
      inFlight.dec();
      // A client that went away got no answer; nginx's name for that is known to operators.
      const status = response.writableFinished ? response.statusCode : 499;
      requests.inc({ operation: operation.id, status });
      if (isTimed) durations.observe({ operation: operation.id }, (performance.now() - startedMs) / 1_000);
      span.setAttribute('http.response.status_code', status);
      const requestId = request.headers['x-request-id'];
      if (typeof requestId === 'string') span.setAttribute('cairn.request_id', requestId);
      endSpan(span, status >= 500 ? new Error(String(status)) : undefined);
    });
    response.locals['trace'] = context;
    within(context, next);
  };
}
