import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CairnError } from '@cairn/errors';
import { writeProblemToSocket } from './problem-response.ts';

const HEADERS_TOO_LARGE = 431;

/**
 * Answers bytes that Node's parser refused, or a request that did not arrive in time, in the shape of every other
 * error. `answering` is the last response of the connection: when one is under way, bytes of ours in the middle of it
 * would be taken for a part of it, and the connection is only cut.
 */
export function createMalformedHttp(): (
  error: NodeJS.ErrnoException,
  socket: Duplex,
  answering: ServerResponse | undefined,
) => void {
  // The parser repeats its complaint for every further piece that arrives.
  const answered = new WeakSet<Duplex>();
  return (error, socket, answering) => {
    if (answered.has(socket)) return;
    answered.add(socket);
    const inAnswer =
      answering !== undefined && !answering.writableFinished && (answering.headersSent || answering.req.complete);
    if (!socket.writable || error.code === 'ECONNRESET' || error.code === 'EPIPE' || inAnswer) {
      socket.destroy();
      return;
    }
    const requestId =
      answering !== undefined && !answering.writableFinished
        ? String(answering.getHeader('x-request-id'))
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
