import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './address-network.ts';

export interface ConnectionBounds {
  connectionsMax: number;
  /** Of one address (IPv6: its network of 64 bits); Infinity: no bound of its own. */
  connectionsPerAddressMax: number;
}

interface Connection {
  network: string;
  /** Requests under way, an upgraded connection among them. */
  active: number;
}

/** Connections without a request under way, the one idle longest first, which is the order of a Map's entries. */
type IdleConnections = Map<Socket, Connection>;

/**
 * Limits open connections. A connection beyond a limit evicts the one that has been idle longest, so that whoever only
 * holds connections open keeps nobody out: of its own address when that has too many, else of all. When all are active
 * the new one is closed. One that has not finished sending a request's head counts as idle.
 */
export function limitConnections(server: Server, bounds: ConnectionBounds): void {
  const open = new Map<Socket, Connection>();
  const idle: IdleConnections = new Map();
  const idleByNetwork = new Map<string, IdleConnections>();
  const openByNetwork = new Map<string, number>();

  const setIdle = (socket: Socket, connection: Connection) => {
    idle.set(socket, connection);
    const own = idleByNetwork.get(connection.network) ?? new Map();
    idleByNetwork.set(connection.network, own.set(socket, connection));
  };
  const unsetIdle = (socket: Socket, { network }: Connection) => {
    idle.delete(socket);
    const own = idleByNetwork.get(network);
    own?.delete(socket);
    if (own?.size === 0) idleByNetwork.delete(network);
  };
  const forget = (socket: Socket) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    open.delete(socket);
    unsetIdle(socket, connection);
    const left = (openByNetwork.get(connection.network) ?? 1) - 1;
    if (left > 0) openByNetwork.set(connection.network, left);
    else openByNetwork.delete(connection.network);
  };
  /** Closes the one that is idle longest; false when none is. */
  const evict = (candidates: IdleConnections | undefined): boolean => {
    const socket = candidates?.keys().next().value;
    if (socket === undefined) return false;
    // Before its `close` event: several connections may arrive until then.
    forget(socket);
    socket.destroy();
    return true;
  };
  const hasRoom = (network: string): boolean => {
    if ((openByNetwork.get(network) ?? 0) >= bounds.connectionsPerAddressMax) return evict(idleByNetwork.get(network));
    return open.size < bounds.connectionsMax || evict(idle);
  };

  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    if (!hasRoom(network)) {
      socket.destroy();
      return;
    }
    const connection = { network, active: 0 };
    open.set(socket, connection);
    openByNetwork.set(network, (openByNetwork.get(network) ?? 0) + 1);
    setIdle(socket, connection);
    socket.once('close', () => forget(socket));
  });
  const begin = (socket: Socket): Connection | undefined => {
    const connection = open.get(socket);
    if (connection === undefined) return undefined;
    connection.active += 1;
    unsetIdle(socket, connection);
    return connection;
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.prependListener(event, (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      const connection = begin(socket);
      if (connection === undefined) return;
      // It comes once; `once` would cost each request a wrapper and a removal.
      response.on('close', () => {
        connection.active -= 1;
        if (connection.active === 0 && open.has(socket)) setIdle(socket, connection);
      });
    });
  }
  // From here on it is a WebSocket, or is being closed.
  server.prependListener('upgrade', (request: IncomingMessage) => void begin(request.socket));
}

/** Each active connection may need one to a service; the rest is left to files and gRPC. */
const DESCRIPTORS_PER_CONNECTION = 2;
const HEADROOM_SHARE = 0.1;

/** As many connections as the process has file descriptors for, and no more than `wantedMax`. */
export function connectionsWithinDescriptors(wantedMax: number, descriptorsMax: number): number {
  const usable = descriptorsMax * (1 - HEADROOM_SHARE);
  return Math.max(1, Math.min(wantedMax, Math.floor(usable / DESCRIPTORS_PER_CONNECTION)));
}

/** The operating system's limit of file descriptors for this process; Infinity where it reports none. */
export function fileDescriptorsMax(): number {
  // Newer than the type declarations; without it the report would resolve the name of every peer.
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  report.excludeNetwork = true;
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isFinite(soft) && soft > 0 ? soft : Infinity;
}
