import { CairnError, ConnectionError } from './errors.ts';
import { loopbackRoute } from './loopback.ts';
import type { Connection } from './shapes.ts';
import type { PreparedCall, Transport } from './transport.ts';

type SocketOptions = { headers: Record<string, string>; dispatcher?: object } | string[];
type SocketClass = new (url: string, options: SocketOptions) => Connection;

/** Opens a WebSocket. Node 22+, Bun and Deno send the credential as a header; a browser needs a ticket in the query. */
export async function connect(transport: Transport, { call, url, options }: PreparedCall): Promise<Connection> {
  const address = url.replace(/^http/, 'ws');
  const headers = await transport.credential(call, options.signal);
  const Socket = globalThis.WebSocket as unknown as SocketClass | undefined;
  if (Socket === undefined) throw new CairnError('This platform has no WebSocket; follow the run with events().');
  const bounds = transport.bounds(options);
  const way = loopbackRoute(address);
  const hasTicket = new URL(address).searchParams.has('ticket');
  const plain = hasTicket ? [] : { headers };
  const socket = new Socket(
    address,
    way.dispatcher === undefined ? plain : { headers: hasTicket ? {} : headers, ...way },
  );
  try {
    return await new Promise<Connection>((resolve, reject) => {
      bounds.signal.addEventListener('abort', () => reject(bounds.signal.reason as Error), { once: true });
      socket.addEventListener('open', () => resolve(socket), { once: true });
      socket.addEventListener('error', () => reject(new ConnectionError('The WebSocket was refused.')), { once: true });
    });
  } catch (error) {
    socket.close();
    throw error;
  } finally {
    bounds.end();
  }
}
