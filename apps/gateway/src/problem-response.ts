import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemContentType, problemHeaders, toOAuthError, toProblem } from '@cairn/errors';

/** How long a caller may go on sending what nobody reads, so that it sees the answer instead of a reset. */
const LINGER_MS = 2_000;

const asOAuth = new WeakSet<IncomingMessage>();

/** From here on whatever refuses the request is said in RFC 6749's shape. */
export function sayProblemsAsOAuth(request: IncomingMessage): void {
  asOAuth.add(request);
}

/** Sends an error answer. The connection stays usable when the whole request has arrived; else it ends with the answer. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  headers: Record<string, string> = {},
): void {
  // A refusal that comes while the parser still holds the packet would take a request that is all there for half of one.
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
  // Ending the answer closes the connection, and closing it with bytes unread resets it: the answer would be lost.
  dropRest(request, () => response.end());
}

/** Reads and drops what is left of a body, for a moment; then calls `done` once. */
function dropRest(request: IncomingMessage, done: () => void): void {
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

export interface SocketAnswer {
  requestId: string;
  accept?: string | undefined;
  /** When the code's own says less than HTTP can. */
  status?: number;
  headers?: Record<string, string>;
}

/** The same where there is no response object: an upgrade that is refused, or bytes that are no request. */
export function writeProblemToSocket(socket: Duplex, error: unknown, answer: SocketAnswer): void {
  const { requestId, accept, status } = answer;
  const problem = toProblem(error, requestId);
  if (status !== undefined) Object.assign(problem, { status, title: STATUS_CODES[status] });
  const body = JSON.stringify(problem);
  const headers = {
    ...problemHeaders(error),
    ...answer.headers,
    'content-type': problemContentType(accept),
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  endSoon(socket);
}

/** Ends a connection: what is on its way is sent, what comes in is dropped, and a peer that does not close is cut. */
export function endSoon(socket: Duplex): void {
  socket.end();
  socket.resume();
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}
