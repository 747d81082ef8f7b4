import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServiceName } from '@cairn/contracts';
import { BINDING_HEADER, IDENTITY_HEADER, type RequestBinder } from '@cairn/identity';
import { LOOP_DELAY_HEADER } from '@cairn/service-kit';
import { stripResponseHeaders } from '../admission/trust-headers.ts';

/** The service that a request is for. */
export interface Destination {
  name: ServiceName;
  /** Of its HTTP server. */
  url: string;
  bind: RequestBinder;
  /** Called with how late the event loop of a replica was when it responded; not called for one that is on time. */
  isLate: (latenessMs: number) => void;
}

/** Takes what a service says to the gateway out of the headers of its response. */
export function readServiceHeaders(headers: IncomingHttpHeaders, destination: Destination | undefined): void {
  const latenessMs = Number(headers[LOOP_DELAY_HEADER] ?? 0);
  if (latenessMs > 0) destination?.isLate(latenessMs);
  stripResponseHeaders(headers);
}

/**
 * Forwards an admitted request to a service and its response back, unbuffered in both directions. `request.headers`
 * are final when it is called; the raw ones are still the caller's and must not be used. The request is paused or
 * untouched, so no byte of its body is gone. A client that goes away ends the upstream's request; an upstream that
 * cannot be reached becomes 503, one that breaks off in the middle of a response closes the connection.
 */
export interface Forwarder {
  /**
   * Every attempt carries a binding of its own, made of what is sent: a service takes none twice, and none for another
   * target. `streams`: the response is expected to stay open for long.
   */
  http(request: IncomingMessage, response: ServerResponse, destination: Destination, streams?: boolean): Forwarding;
  /** The forwarder owns the connection from here on: it responds, and closes it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, destination: Destination): void;
  close(): void;
}

export interface Forwarding {
  /** Aborts the upstream request. The caller of this is responsible for the client's response from here on. */
  abandon(): void;
}

/** Name and value of the header that binds what is sent now. */
export function bindingOf(
  { bind }: Destination,
  request: IncomingMessage,
  target: string,
): [name: string, value: string] {
  const token = request.headers[IDENTITY_HEADER];
  const method = request.method ?? 'GET';
  return [BINDING_HEADER, bind({ method, target, token: typeof token === 'string' ? token : '' })];
}
