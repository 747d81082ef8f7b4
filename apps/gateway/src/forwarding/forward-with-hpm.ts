import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { hasBody } from '../bounds.ts';
import { endSoon } from '../problem-response.ts';
import { stripAnswerHeaders } from '../trust-headers.ts';
import { failedAnswer, type OnFailure, STATUS_OF_NONSENSE } from './failed-answer.ts';
import { bindingOf, type Destination, type Forwarder } from './forwarder.ts';
import { joinUpgraded } from './upgraded-sockets.ts';
import { UPSTREAM_CONNECT_MS, UPSTREAM_IDLE_MS, UPSTREAM_SILENT_MS } from './upstream-bounds.ts';

const UPSTREAM_UPGRADE_MS = 10_000;
const UPSTREAM_FREE_SOCKETS_MAX = 256;
const NOWHERE = 'http://127.0.0.1:9';

/** What is known of a request while it is carried. */
interface Carried {
  destination: Destination;
  outgoing: ClientRequest | null;
  /** Nothing more is to be said to the client by this file. */
  settled: boolean;
  silent: boolean;
  repeated: boolean;
}

/** The forwarding port over http-proxy-middleware (its core is httpxy). */
export function createHpmForwarder(onFailure: OnFailure): Forwarder {
  // Not bounded by itself: callers would queue behind slow streams. Each socket belongs to a caller's connection.
  const agent = new Agent({ keepAlive: true, timeout: UPSTREAM_IDLE_MS, maxFreeSockets: UPSTREAM_FREE_SOCKETS_MAX });
  const carried = new WeakMap<IncomingMessage, Carried>();
  const carry = (request: IncomingMessage, destination: Destination): Carried => {
    const state = { destination, outgoing: null, settled: false, silent: false, repeated: false };
    carried.set(request, state);
    return state;
  };
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    // Never used: the router names the upstream of every request.
    target: NOWHERE,
    router: (request) => carried.get(request)?.destination.url ?? NOWHERE,
    agent,
    changeOrigin: true,
    xfwd: false,
    proxyTimeout: UPSTREAM_SILENT_MS,
    upgradeTimeout: UPSTREAM_UPGRADE_MS,
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('proxyReq', (outgoing, request, response) => {
          const state = carried.get(request);
          watchOutgoing(outgoing, state);
          // Here, because the path was written anew on its way.
          if (state !== undefined) outgoing.setHeader(...bindingOf(state.destination, request, outgoing.path));
          // Else the service would hear of an upload with its first byte only, and could not refuse it before.
          if (hasBody(request) && request.readableLength === 0 && !outgoing.destroyed) outgoing.flushHeaders();
          // Nobody else listens for a service that changes the protocol unasked; the client would wait for ever.
          outgoing.once('upgrade', (_answer, socket) => {
            socket.destroy();
            server.emit('error', new Error('the service changed the protocol unasked'), request, response);
          });
        });
        server.on('proxyRes', (answer, _request, response) => prepareAnswer(answer, response));
        server.on('proxyReqWs', (outgoing, request, socket) => {
          const state = carried.get(request);
          if (state !== undefined) outgoing.setHeader(...bindingOf(state.destination, request, outgoing.path));
          watchUpgrade(outgoing, request, socket, state);
        });
        server.on('error', (error, request, target) => {
          const state = request === undefined ? undefined : carried.get(request);
          if (request === undefined || state === undefined || target === undefined) return;
          if (mayRepeat(error, request, target as ServerResponse | Socket, state)) {
            state.repeated = true;
            void proxy(request, target as ServerResponse, () => undefined);
          } else failed(error, request, target as ServerResponse | Socket, state, onFailure);
        });
      },
    ],
  });
  return {
    http(request, response, destination) {
      const state = carry(request, destination);
      void proxy(request, response, () => undefined);
      return {
        abandon() {
          state.settled = true;
          state.outgoing?.destroy();
        },
      };
    },
    upgrade(request, socket, head, destination) {
      carry(request, destination);
      socket.on('error', () => undefined);
      proxy.upgrade(request, socket as Socket & Duplex, head);
    },
    close: () => agent.destroy(),
  };
}

function watchOutgoing(outgoing: ClientRequest, state: Carried | undefined): void {
  if (state === undefined) return;
  state.outgoing = outgoing;
  if (state.settled) {
    outgoing.destroy();
    return;
  }
  outgoing.once('timeout', () => {
    state.silent = true;
  });
  const { socket } = outgoing;
  if (socket?.connecting !== true) return;
  const cut = setTimeout(
    () => outgoing.destroy(new Error(`no connection within ${UPSTREAM_CONNECT_MS} ms`)),
    UPSTREAM_CONNECT_MS,
  );
  socket.once('connect', () => clearTimeout(cut));
  socket.once('close', () => clearTimeout(cut));
}

function prepareAnswer(answer: IncomingMessage, response: ServerResponse): void {
  stripAnswerHeaders(answer.headers);
  sayAsHttpDoes(answer);
  // httpxy keeps the connection whatever the client asked for.
  if (!response.shouldKeepAlive) answer.headers.connection = 'close';
  if (!isEventStream(answer.headers)) return;
  // Else the head of a stream would wait for its first event.
  queueMicrotask(() => {
    if (!response.headersSent && !response.destroyed) response.flushHeaders();
  });
}

/** A reason phrase or status that Node reads but refuses to write would throw where nobody catches it. */
function sayAsHttpDoes(answer: IncomingMessage): void {
  answer.statusMessage = '';
  const { statusCode = 0 } = answer;
  if (statusCode < 200 || statusCode > 599) answer.statusCode = STATUS_OF_NONSENSE;
}

function isEventStream(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** httpxy passes on the head of the service's answer as it is, be it 101 or another; so it is cleaned before. */
function watchUpgrade(
  outgoing: ClientRequest,
  request: IncomingMessage,
  socket: Socket,
  state: Carried | undefined,
): void {
  outgoing.once('upgrade', (answer, serviceSocket) => {
    if (state !== undefined) state.settled = true;
    stripAnswerHeaders(answer.headers);
    Object.assign(answer.headers, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'x-request-id': request.headers['x-request-id'],
    });
    joinUpgraded(socket, serviceSocket as Socket);
  });
  outgoing.once('response', (answer) => {
    if (state !== undefined) state.settled = true;
    stripAnswerHeaders(answer.headers);
    sayAsHttpDoes(answer);
    answer.headers['x-request-id'] = request.headers['x-request-id'];
    socket.once('finish', () => endSoon(socket));
  });
}

/**
 * True for a request that an idle connection was closed under: nothing of an answer came, and asking again does no
 * harm (RFC 9110, 9.2.2). A service that was silent for too long is not asked twice.
 */
function mayRepeat(
  error: NodeJS.ErrnoException,
  request: IncomingMessage,
  target: ServerResponse | Socket,
  state: Carried,
): boolean {
  return (
    !(target instanceof Socket) &&
    !target.headersSent &&
    !target.destroyed &&
    !state.settled &&
    !state.silent &&
    !state.repeated &&
    state.outgoing?.reusedSocket === true &&
    (error.code === 'ECONNRESET' || error.code === 'EPIPE') &&
    (request.method === 'GET' || request.method === 'HEAD') &&
    !hasBody(request)
  );
}

function failed(
  error: unknown,
  request: IncomingMessage,
  target: ServerResponse | Socket,
  state: Carried,
  onFailure: OnFailure,
): void {
  state.outgoing?.destroy();
  if (state.settled) return;
  state.settled = true;
  failedAnswer(request, target, error, onFailure);
}
