import { connect, createServer, type Server, type Socket, type AddressInfo } from 'node:net';

/** A TCP proxy to a server that can be cut and restored, while its address stays. */
export interface FlakyProxy {
  /** The URL with the proxy's address in place of the server's. */
  through(url: string): string;
  /** Cuts all connections; new ones are refused. */
  cut(): Promise<void>;
  restore(): Promise<void>;
}

export async function startFlakyProxy(url: string): Promise<FlakyProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let port = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const proxy: FlakyProxy = {
    through(other) {
      const via = new URL(other);
      via.hostname = '127.0.0.1';
      via.port = String(port);
      return via.href;
    },
    async cut() {
      const closed = new Promise<void>((resolve) => server?.close(() => resolve()) ?? resolve());
      for (const socket of sockets) socket.destroy();
      await closed;
      server = null;
    },
    async restore() {
      server = createServer((near) => {
        const far = connect(Number(target.port), target.hostname);
        for (const socket of [near, far]) keep(socket);
        near.pipe(far).pipe(near);
        near.on('close', () => far.destroy());
        far.on('close', () => near.destroy());
      });
      await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    },
  };
  await proxy.restore();
  return proxy;
}
