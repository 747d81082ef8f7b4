import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListenAddress } from './config.ts';
import type { Running } from './lifecycle.ts';

export interface HttpBounds {
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  maxHeaderBytes: number;
}

const DEFAULT_BOUNDS: HttpBounds = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  // Longer than any caller keeps an idle connection, so that the caller is the one to close it.
  keepAliveTimeoutMs: 75_000,
  maxHeaderBytes: 32_768,
};
const DRAIN_TIMEOUT_MS = 5_000;

export interface HttpListener extends Running {
  server: Server;
  /** http://host:port as it really is. */
  url: string;
}

/** Starts an HTTP server with bounded times; `close` stops accepting, lets requests end, then cuts the rest. */
export async function listenHttp(handler: RequestListener, address: ListenAddress, bounds: Partial<HttpBounds> = {}): Promise<HttpListener> {
  const limits = { ...DEFAULT_BOUNDS, ...bounds };
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      maxHeaderSize: limits.maxHeaderBytes,
      noDelay: true,
    },
    handler,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    server,
    url: `http://${host}:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT_MS);
      await closed;
      clearTimeout(cut);
    },
  };
}
