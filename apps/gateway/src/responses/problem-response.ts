import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemContentType, problemHeaders, toOAuthError, toProblem } from '@cairn/errors';

/** How long a caller may go on sending a body that is discarded, so that it sees the response instead of a reset. */
const LINGER_MS = 2_000;

const asOAuth = new WeakSet<IncomingMessage>();

/** From here on errors of the request have the shape of RFC 6749. */
export function useOAuthErrors(request: IncomingMessage): void {
  asOAuth.add(request);
}

const challenges = new WeakMap<IncomingMessage, string>();

/** What a 401 of the request says instead of how any operation takes its credential. */
export function useChallenge(request: IncomingMessage, challenge: string): void {
  challenges.set(request, challenge);
}

/**
 * Sends an error. The connection stays usable when the whole request has arrived; else it is closed after the response.
 */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  headers: Record<string, string> = {},
): void {
  // While the parser still holds the packet, a request that has arrived completely looks incomplete.
  if (request.complete) send(request, response, error, headers);
  else setImmediate(send, request, response, error, headers);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  headers: Record<string, string>,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const oauth = asOAuth.has(request) ? toOAuthError(error) : null;
  const problem = toProblem(error, String(request.headers['x-request-id'] ?? ''));
  const body = Buffer.from(JSON.stringify(oauth?.body ?? problem));
  for (const [name, value] of Object.entries({ ...problemHeaders(error), ...headers })) response.setHeader(name, value);
  const challenge = challenges.get(request);
  if (challenge !== undefined && problem.status === 401) response.setHeader('www-authenticate', challenge);
  response.setHeader('content-type', problemContentType(request.headers.accept));
  response.setHeader('content-length', body.length);
  response.setHeader('cache-control', 'no-store');
  response.statusCode = oauth?.status ?? problem.status;
  if (request.complete) {
    response.end(body);
    return;
  }
  response.setHeader('connection', 'close');
  response.write(body);
  // Ending the response closes the connection, and closing it with unread bytes resets it: the response would be lost.
  discardBody(request, () => response.end());
}

/** Discards what is left of a body, for a limited time; then calls `done` once. */
function discardBody(request: IncomingMessage, done: () => void): void {
  const finish = () => {
    clearTimeout(cut);
    for (const event of ['end', 'close', 'error']) request.off(event, finish);
    done();
  };
  const cut = setTimeout(finish, LINGER_MS);
  cut.unref();
  for (const event of ['end', 'close', 'error']) request.on(event, finish);
  request.unpipe();
  request.resume();
}

interface SocketProblem {
  requestId: string;
  accept?: string | undefined;
  /** Instead of the error code's own, where HTTP has a more specific one. */
  status?: number;
  headers?: Record<string, string>;
}

/** The same without a response object: for a refused upgrade, or bytes that are no request. */
export function writeProblemToSocket(socket: Duplex, error: unknown, options: SocketProblem): void {
  const { requestId, accept, status } = options;
  const problem = toProblem(error, requestId);
  if (status !== undefined) Object.assign(problem, { status, title: STATUS_CODES[status] });
  const body = JSON.stringify(problem);
  const headers = {
    ...problemHeaders(error),
    ...options.headers,
    'content-type': problemContentType(accept),
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  endGracefully(socket);
}

/**
 * Closes a connection gracefully: pending data is sent, incoming data discarded, and a peer that does not close is cut
 * off.
 */
export function endGracefully(socket: Duplex): void {
  socket.end();
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}
