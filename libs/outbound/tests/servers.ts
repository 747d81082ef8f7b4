import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';

export interface RunningServer {
  port: number;
  /** Connections that were opened to it. */
  connections: () => number;
  close(): Promise<void>;
}

async function running(server: Server | TcpServer, host: string): Promise<RunningServer> {
  let connections = 0;
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

export function httpServer(listener: RequestListener, host = '127.0.0.1'): Promise<RunningServer> {
  return running(createServer(listener), host);
}

/** A server that does with each connection what it is told. */
export function tcpServer(onConnection: (socket: Socket) => void): Promise<RunningServer> {
  return running(createTcpServer(onConnection), '127.0.0.1');
}

export interface ForwardProxy extends RunningServer {
  /** What it was asked to open tunnels to. */
  asked: string[];
  /** Credentials it was shown. */
  authorizations: (string | undefined)[];
}

/** A forward proxy whose every tunnel ends at one local port, whatever it was asked for. */
export async function forwardProxy(leadTo: () => number): Promise<ForwardProxy> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, socket: Socket) => {
    asked.push(request.url!);
    authorizations.push(request.headers['proxy-authorization']);
    const target = connect(leadTo(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
    socket.on('close', () => target.destroy());
  });
  return { ...(await running(server, '127.0.0.1')), asked, authorizations };
}
