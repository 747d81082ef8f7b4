import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Carries an admitted request to a service and its answer back, unbuffered in both directions. Headers are
 * final when it is called. A client that goes away ends the upstream's request; an upstream that cannot be
 * reached becomes 503, one that breaks off in the middle of an answer ends the connection.
 */
export interface Forwarder {
  http(request: IncomingMessage, response: ServerResponse, upstream: string): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, upstream: string): void;
  close(): void;
}
