import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Carries an admitted request to a service and its answer back, unbuffered in both directions. `request.headers`
 * are final when it is called; the raw ones are still the caller's and must not be used. The request is paused or
 * untouched, so no byte of its body is gone. A client that goes away ends the upstream's request; an upstream that
 * cannot be reached becomes 503, one that breaks off in the middle of an answer ends the connection.
 */
export interface Forwarder {
  /** `streams`: the answer is expected to stay open for long. */
  http(request: IncomingMessage, response: ServerResponse, upstream: string, streams?: boolean): Forwarding;
  /** The connection is the forwarder's from here on: it answers, and ends it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, upstream: string): void;
  close(): void;
}

export interface Forwarding {
  /** Ends the upstream's part. The client's answer is from here on whoever's who called. */
  abandon(): void;
}
