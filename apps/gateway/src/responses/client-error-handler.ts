import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CairnError } from '@cairn/errors';
import { writeProblemToSocket } from './problem-response.ts';

const HEADERS_TOO_LARGE = 431;

/**
 * The handler of the server's `clientError`: responds to bytes that Node's parser rejected, or to a request that did
 * not arrive in time, with a problem like any other error. `lastResponse` is the last one of the connection: while one
 * is being sent, further bytes would be read as part of it, so the connection is only closed.
 */
export function createClientErrorHandler(): (
  error: NodeJS.ErrnoException,
  socket: Duplex,
  lastResponse: ServerResponse | undefined,
) => void {
  // The parser emits the error again for every further chunk that arrives.
  const handled = new WeakSet<Duplex>();
  return (error, socket, lastResponse) => {
    if (handled.has(socket)) return;
    handled.add(socket);
    const midResponse =
      lastResponse !== undefined &&
      !lastResponse.writableFinished &&
      (lastResponse.headersSent || lastResponse.req.complete);
    if (!socket.writable || error.code === 'ECONNRESET' || error.code === 'EPIPE' || midResponse) {
      socket.destroy();
      return;
    }
    const requestId =
      lastResponse !== undefined && !lastResponse.writableFinished
        ? String(lastResponse.getHeader('x-request-id'))
        : randomUUID();
    writeProblemToSocket(socket, causeOf(error), {
      requestId,
      ...(error.code === 'HPE_HEADER_OVERFLOW' ? { status: HEADERS_TOO_LARGE } : {}),
    });
  };
}

function causeOf(error: NodeJS.ErrnoException): CairnError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new CairnError('request_timeout', 'The request did not arrive in time.', { cause: error });
    case 'HPE_HEADER_OVERFLOW':
      return new CairnError('malformed_request', 'The header fields are too large.', { cause: error });
    default:
      return new CairnError('malformed_request', 'This is not a well-formed HTTP/1.1 request.', { cause: error });
  }
}
