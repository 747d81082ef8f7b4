import { CairnError, ConnectionError } from './errors.ts';
import type { Connection } from './shapes.ts';
import type { Prepared, Transport } from './transport.ts';

type SocketClass = new (url: string, options: { headers: Record<string, string> } | string[]) => Connection;

/** Opens a WebSocket. Node 22+, Bun and Deno send the credential as a header; a browser needs a ticket in the query. */
export async function connect(transport: Transport, { call, url, options }: Prepared): Promise<Connection> {
  const address = url.replace(/^http/, 'ws');
  const headers = await transport.credential(call, options.signal);
  const Socket = globalThis.WebSocket as unknown as SocketClass | undefined;
  if (Socket === undefined) throw new CairnError('This platform has no WebSocket; follow the run with events().');
  const bounds = transport.bounds(options);
  const socket = new Socket(address, new URL(address).searchParams.has('ticket') ? [] : { headers });
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
