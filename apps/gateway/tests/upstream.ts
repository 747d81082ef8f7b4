import { listenOnLoopback } from '@cairn/testing';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Duplex } from 'node:stream';

export type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
}

export interface Upstream {
  url: string;
  server: Server;
  /** Heads of all requests so far. */
  seen: SeenRequest[];
  /** How many connections are open. */
  open(): number;
  /** What the next requests get; 200 and `{}` at first. */
  handle(listener: RequestListener): void;
  upgrade(listener: UpgradeListener): void;
  close(): Promise<void>;
}

const NOTHING: RequestListener = (request, response) => {
  request.resume();
  request.once('end', () => response.setHeader('content-type', 'application/json').end('{}'));
};

/** A real HTTP server that plays a service; with `secured` one that requires a certificate. */
export async function startUpstream(secured?: SecureContextOptions): Promise<Upstream> {
  let handle = NOTHING;
  const sockets = new Set<Socket>();
  const seen: Upstream['seen'] = [];
  const note = (request: IncomingMessage) =>
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, rawHeaders: request.rawHeaders });
  const serve: RequestListener = (request, response) => {
    note(request);
    handle(request, response);
  };
  const server: Server =
    secured === undefined ? createServer(serve) : createTlsServer({ ...secured, requestCert: true }, serve);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  const port = await listenOnLoopback(server);
  return {
    url: `${secured === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    server,
    seen,
    open: () => sockets.size,
    handle(listener) {
      handle = listener;
    },
    upgrade(listener) {
      server.removeAllListeners('upgrade');
      server.on('upgrade', (request, socket, head) => {
        note(request);
        listener(request, socket, head);
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
