import type { InternalTls } from '@cairn/service-kit';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { ServiceName } from '@cairn/contracts';
import { createProxyMiddleware, type Plugin, type RequestHandler as HpmHandler } from 'http-proxy-middleware';
import { hasBody } from '../admission/request-bounds.ts';
import { endGracefully } from '../responses/problem-response.ts';
import { respondUnavailable, type OnFailure, STATUS_FOR_INVALID } from './upstream-failure.ts';
import { bindingOf, type Destination, type Forwarder, readServiceHeaders } from './forwarder.ts';
import { joinUpgraded } from './upgraded-sockets.ts';
import type { ReplicaDirectory, Replicas } from './replicas.ts';
import { UPSTREAM_CONNECT_MS, UPSTREAM_IDLE_MS, UPSTREAM_SILENT_MS } from './upstream-bounds.ts';
import { agentTo, takesConnections } from './upstream-connections.ts';

const UPSTREAM_UPGRADE_MS = 10_000;
const UPSTREAM_FREE_SOCKETS_MAX = 256;
const NOWHERE = 'http://127.0.0.1:9';

type Agent = ReturnType<typeof agentTo>;
type RequestHandler = HpmHandler<IncomingMessage, ServerResponse>;

/** The state of a request while it is forwarded. */
interface ForwardState {
  destination: Destination;
  replicas: Replicas;
  /** URL of the replica that it goes to. */
  replica: string;
  outgoing: ClientRequest | null;
  /** The client has its response, or somebody else is responsible for it. */
  settled: boolean;
  silent: boolean;
  repeated: boolean;
}

/** The forwarding port over http-proxy-middleware (its core is httpxy). */
export function createHpmForwarder(
  onFailure: OnFailure,
  directory: ReplicaDirectory,
  tls: InternalTls | null = null,
): Forwarder {
  // Unbounded: callers would queue behind slow streams. Each socket belongs to a caller's connection, which are
  // bounded.
  const agentOptions = { keepAlive: true, timeout: UPSTREAM_IDLE_MS, maxFreeSockets: UPSTREAM_FREE_SOCKETS_MAX };
  const agents = new Map<ServiceName, Agent>();
  const proxies = new Map<ServiceName, RequestHandler>();
  const states = new WeakMap<IncomingMessage, ForwardState>();
  const begin = (request: IncomingMessage, destination: Destination): ForwardState => {
    const state = newState(destination, directory.of(destination.url));
    states.set(request, state);
    return state;
  };
  const proxyTo = ({ name }: Destination): RequestHandler => {
    const known = proxies.get(name);
    if (known !== undefined) return known;
    const agent = agentTo(name, tls, agentOptions);
    const made = createProxyMiddleware<IncomingMessage, ServerResponse>({
      // Never used: the router names the upstream of every request.
      target: NOWHERE,
      router: (request) => states.get(request)?.replica ?? NOWHERE,
      agent,
      changeOrigin: true,
      xfwd: false,
      proxyTimeout: UPSTREAM_SILENT_MS,
      upgradeTimeout: UPSTREAM_UPGRADE_MS,
      ejectPlugins: true,
      plugins: [plugin],
    });
    agents.set(name, agent);
    proxies.set(name, made);
    return made;
  };
  const again = (destination: Destination, request: IncomingMessage, response: ServerResponse) =>
    void proxyTo(destination)(request, response, () => undefined);
  const plugin = forwardingEvents({ states, onFailure, again });
  return {
    http(request, response, destination) {
      const state = begin(request, destination);
      const forward = () => void proxyTo(destination)(request, response, () => undefined);
      onceReachable(state, response, tls, forward, (error) => failed(error, request, response, state, onFailure));
      return {
        abandon() {
          state.settled = true;
          state.outgoing?.destroy();
        },
      };
    },
    upgrade(request, socket, head, destination) {
      const state = begin(request, destination);
      socket.on('error', () => undefined);
      const forward = () => proxyTo(destination).upgrade(request, socket as Socket & Duplex, head);
      onceReachable(state, socket, tls, forward, (error) => failed(error, request, socket as Socket, state, onFailure));
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      directory.close();
    },
  };
}

interface ForwardingEvents {
  states: WeakMap<IncomingMessage, ForwardState>;
  onFailure: OnFailure;
  /** Sends a request a second time. */
  again: (destination: Destination, request: IncomingMessage, response: ServerResponse) => void;
}

/** What happens to a request on its way, and to its response. */
function forwardingEvents({ states, onFailure, again }: ForwardingEvents): Plugin<IncomingMessage, ServerResponse> {
  return (server) => {
    server.on('proxyReq', (outgoing, request, response) => {
      const state = states.get(request);
      watchOutgoing(outgoing, state);
      // Here, because the proxy has rewritten the path by now.
      if (state !== undefined) outgoing.setHeader(...bindingOf(state.destination, request, outgoing.path));
      // Otherwise the service would see an upload with its first byte only, and could not refuse it before.
      if (hasBody(request) && request.readableLength === 0 && !outgoing.destroyed) outgoing.flushHeaders();
      // Nothing else handles a service that switches protocols unrequested; the client would wait forever.
      outgoing.once('upgrade', (_upstreamResponse, socket) => {
        socket.destroy();
        server.emit('error', new Error('the service switched protocols unrequested'), request, response);
      });
    });
    server.on('proxyRes', (upstreamResponse, request, response) =>
      prepareResponse(upstreamResponse, response, states.get(request)),
    );
    server.on('proxyReqWs', (outgoing, request, socket) => {
      const state = states.get(request);
      if (state !== undefined) outgoing.setHeader(...bindingOf(state.destination, request, outgoing.path));
      watchUpgrade(outgoing, request, socket, state);
    });
    server.on('error', (error, request, target) => {
      const state = request === undefined ? undefined : states.get(request);
      if (request === undefined || state === undefined || target === undefined) return;
      if (mayRepeat(error, request, target as ServerResponse | Socket, state)) {
        Object.assign(state, { repeated: true, replica: state.replicas.next(new Set([state.replica])) });
        again(state.destination, request, target as ServerResponse);
      } else failed(error, request, target as ServerResponse | Socket, state, onFailure);
    });
  };
}

/**
 * Begins to forward when the replica takes connections, or else the next one that does: what was read of a body cannot be
 * sent to another one later. A service with a single replica is not asked.
 */
function onceReachable(
  state: ForwardState,
  client: ServerResponse | Duplex,
  tls: InternalTls | null,
  forward: () => void,
  onError: (error: unknown) => void,
): void {
  if (!state.replicas.hasOther(new Set([state.replica]))) {
    forward();
    return;
  }
  (async () => {
    const tried = new Set([state.replica]);
    while (!(await takesConnections(state.replica, state.destination.name, tls))) {
      state.replicas.failed(state.replica);
      if (!state.replicas.hasOther(tried)) break;
      state.replica = state.replicas.next(tried, false);
      tried.add(state.replica);
    }
    if (!state.settled && !client.destroyed) forward();
  })().catch(onError);
}

function newState(destination: Destination, replicas: Replicas): ForwardState {
  // A body that was begun cannot be sent twice.
  const replica = replicas.next(undefined, false);
  return { destination, replicas, replica, outgoing: null, settled: false, silent: false, repeated: false };
}

function watchOutgoing(outgoing: ClientRequest, state: ForwardState | undefined): void {
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
  const connected = socket instanceof TLSSocket ? 'secureConnect' : 'connect';
  const cut = setTimeout(
    () => outgoing.destroy(new Error(`no connection within ${UPSTREAM_CONNECT_MS} ms`)),
    UPSTREAM_CONNECT_MS,
  );
  socket.once(connected, () => clearTimeout(cut));
  socket.once('close', () => clearTimeout(cut));
}

function prepareResponse(
  upstreamResponse: IncomingMessage,
  response: ServerResponse,
  state: ForwardState | undefined,
): void {
  state?.replicas.reached(state.replica);
  readServiceHeaders(upstreamResponse.headers, state?.destination);
  normalizeStatus(upstreamResponse);
  // httpxy keeps the connection open whatever the client requested.
  if (!response.shouldKeepAlive) upstreamResponse.headers.connection = 'close';
  if (!isEventStream(upstreamResponse.headers)) return;
  // Otherwise the head of a stream would wait for its first event.
  queueMicrotask(() => {
    if (!response.headersSent && !response.destroyed) response.flushHeaders();
  });
}

/** A reason phrase or status that Node parses but refuses to write would throw where nothing catches it. */
function normalizeStatus(upstreamResponse: IncomingMessage): void {
  upstreamResponse.statusMessage = '';
  const { statusCode = 0 } = upstreamResponse;
  if (statusCode < 200 || statusCode > 599) upstreamResponse.statusCode = STATUS_FOR_INVALID;
}

function isEventStream(headers: IncomingHttpHeaders): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** httpxy forwards the head of the service's response unchanged, whatever its status; so it is cleaned before. */
function watchUpgrade(
  outgoing: ClientRequest,
  request: IncomingMessage,
  socket: Socket,
  state: ForwardState | undefined,
): void {
  outgoing.once('upgrade', (upstreamResponse, serviceSocket) => {
    if (state !== undefined) state.settled = true;
    readServiceHeaders(upstreamResponse.headers, state?.destination);
    Object.assign(upstreamResponse.headers, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'x-request-id': request.headers['x-request-id'],
    });
    joinUpgraded(socket, serviceSocket as Socket);
  });
  outgoing.once('response', (upstreamResponse) => {
    if (state !== undefined) state.settled = true;
    readServiceHeaders(upstreamResponse.headers, state?.destination);
    normalizeStatus(upstreamResponse);
    upstreamResponse.headers['x-request-id'] = request.headers['x-request-id'];
    socket.once('finish', () => endGracefully(socket));
  });
}

/**
 * True for a request that an idle connection was closed under: no byte of a response arrived, and the method is
 * idempotent (RFC 9110, 9.2.2). A request that timed out is not repeated.
 */
function mayRepeat(
  error: NodeJS.ErrnoException,
  request: IncomingMessage,
  target: ServerResponse | Socket,
  state: ForwardState,
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
  state: ForwardState,
  onFailure: OnFailure,
): void {
  // A client that left while the connection was made says nothing about the replica.
  const hasClient = !state.settled && !target.destroyed;
  if (hasClient && state.outgoing?.socket?.connecting !== false) state.replicas.failed(state.replica);
  state.outgoing?.destroy();
  if (state.settled) return;
  state.settled = true;
  respondUnavailable(request, target, error, onFailure);
}
