import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemContentType, problemHeaders, toProblem } from '@cairn/errors';

const LINGER_MS = 2_000;

/** Sends an error answer. What is left of the body is read and dropped for a moment, so that the caller sees the answer. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, error: unknown, headers: Record<string, string> = {}): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const problem = toProblem(error, String(request.headers['x-request-id'] ?? ''));
  const body = Buffer.from(JSON.stringify(problem));
  for (const [name, value] of Object.entries({ ...problemHeaders(error), ...headers })) response.setHeader(name, value);
  response.setHeader('content-type', problemContentType(request.headers.accept));
  response.setHeader('content-length', body.length);
  const unread = !request.complete;
  if (unread) response.setHeader('connection', 'close');
  response.statusCode = problem.status;
  response.end(body);
  if (unread) {
    request.resume();
    const cut = setTimeout(() => request.socket.destroy(), LINGER_MS);
    cut.unref();
    request.once('end', () => clearTimeout(cut));
  }
}

/** The same for an upgrade that is refused: there is no response object yet. */
export function writeProblemToSocket(socket: Duplex, error: unknown, request: IncomingMessage): void {
  const problem = toProblem(error, String(request.headers['x-request-id'] ?? ''));
  const body = JSON.stringify(problem);
  const headers = {
    ...problemHeaders(error),
    'content-type': problemContentType(request.headers.accept),
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': problem.request_id,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}
