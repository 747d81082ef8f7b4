import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { CairnError } from '@cairn/errors';
import { sendProblem, writeProblemToSocket } from '../problem-response.ts';

/** Stands for a status that HTTP does not have. */
export const STATUS_OF_NONSENSE = 502;

export type OnFailure = (error: unknown, request: IncomingMessage) => void;

/** Tells a client, if it is still there, that the service behind the operation failed. */
export function failedAnswer(
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
