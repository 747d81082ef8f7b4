import { once } from 'node:events';
import { createServer } from 'node:http';
import { listenOnLoopback } from '@cairn/testing';
import { connect, type Server, type Socket } from 'node:net';

export interface ConnectProxy {
  url: string;
  /** Tunnels that were opened to a local port. */
  tunnelsTo(port: number): number;
  close(): Promise<void>;
}

/** A forward proxy that opens the tunnels it is asked for and counts them. */
export async function startConnectProxy(): Promise<ConnectProxy> {
  const tunnels = new Map<number, number>();
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request, socket: Socket) => {
    const target = new URL(`http://${request.url!}`);
    const port = Number(target.port);
    const upstream = connect(port, target.hostname, () => {
      tunnels.set(port, (tunnels.get(port) ?? 0) + 1);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
    socket.on('close', () => upstream.destroy());
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    tunnelsTo: (port) => tunnels.get(port) ?? 0,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Counts the connections that reach a server, however they got there. */
export function countConnections(server: Server): () => number {
  let connections = 0;
  server.on('connection', () => (connections += 1));
  return () => connections;
}
