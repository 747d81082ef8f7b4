import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { CairnError } from '@cairn/errors';
import { sendProblem, writeProblemToSocket } from '../responses/problem-response.ts';

/** Sent instead of a status that is not valid in HTTP. */
export const STATUS_FOR_INVALID = 502;

export type OnFailure = (error: unknown, request: IncomingMessage) => void;

/** Responds 503 to a client that is still connected, because the service behind the operation failed. */
export function respondUnavailable(
  request: IncomingMessage,
  target: ServerResponse | Socket,
  error: unknown,
  onFailure: OnFailure,
): void {
  const clientGone = request.socket.destroyed;
  if (!clientGone) onFailure(error, request);
  const unavailable = new CairnError('unavailable', 'The service behind this operation cannot be reached right now.', {
    cause: error,
  });
  if (!(target instanceof Socket)) {
    sendProblem(request, target, unavailable);
    return;
  }
  if (clientGone) target.destroy();
  else
    writeProblemToSocket(target, unavailable, {
      requestId: String(request.headers['x-request-id']),
      accept: request.headers.accept,
    });
}
