import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { BINDING_HEADER, IDENTITY_HEADER, type RequestBinder } from '@cairn/identity';

/** The service that a request is for. */
export interface Destination {
  /** Of its HTTP server. */
  url: string;
  bind: RequestBinder;
}

/**
 * Carries an admitted request to a service and its answer back, unbuffered in both directions. `request.headers`
 * are final when it is called; the raw ones are still the caller's and must not be used. The request is paused or
 * untouched, so no byte of its body is gone. A client that goes away ends the upstream's request; an upstream that
 * cannot be reached becomes 503, one that breaks off in the middle of an answer ends the connection.
 */
export interface Forwarder {
  /**
   * Every attempt carries a binding of its own, made of what is sent: a service takes none twice, and none for another
   * target. `streams`: the answer is expected to stay open for long.
   */
  http(request: IncomingMessage, response: ServerResponse, destination: Destination, streams?: boolean): Forwarding;
  /** The connection is the forwarder's from here on: it answers, and ends it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, destination: Destination): void;
  close(): void;
}

export interface Forwarding {
  /** Ends the upstream's part. The client's answer is from here on whoever's who called. */
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
