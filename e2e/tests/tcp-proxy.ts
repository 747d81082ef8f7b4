import { listenOnLoopback } from '@cairn/testing';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** host:port to come in by. */
  address: string;
  /** Where it leads; may change while it is open. */
  lead(address: string): void;
  /** From here on nothing passes in either direction and nobody is told; connections stay, as in a network that is cut. */
  cut(): void;
  /** Ends what was there and lets new connections pass. */
  restore(): void;
  close(): Promise<void>;
}

/** A wire between two parts that can be cut. */
export async function startTcpProxy(target = '', host = '127.0.0.1'): Promise<TcpProxy> {
  let to = target;
  let open = true;
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    track(near);
    if (!open) return;
    const [host, port] = [to.slice(0, to.lastIndexOf(':')), Number(to.slice(to.lastIndexOf(':') + 1))];
    const far = connect(port, host);
    track(far);
    const pass = (from: Socket, into: Socket) => {
      from.on('data', (bytes) => {
        if (open) into.write(bytes);
      });
      from.on('close', () => {
        if (open) into.destroy();
      });
    };
    pass(near, far);
    pass(far, near);
  });
  const port = await listenOnLoopback(server, host);
  return {
    address: `${host}:${port}`,
    lead(address) {
      to = address;
    },
    cut() {
      open = false;
    },
    restore() {
      open = true;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
