import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { CertificateHolder } from '@cairn/identity';
import type { ListenAddress } from '../config/config.ts';
import { type InternalTls, isCertificateOf } from '../identity/internal-tls.ts';
import type { Running } from '../running.ts';

export interface HttpBounds {
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  /** A connection on which nothing moves for so long is cut; 0: never. */
  idleTimeoutMs: number;
  /** How often the first two times are looked at. */
  checkEveryMs: number;
  maxHeaderBytes: number;
  /** Further connections are closed at once; 0: no bound. */
  connectionsMax: number;
  /** How long `close` waits for requests in flight. */
  drainTimeoutMs: number;
}

const DEFAULT_BOUNDS: HttpBounds = {
  headersTimeoutMs: 10_000,
  // 25 MiB from a caller with less than a megabit a second; header and idle times bound those who only wait.
  requestTimeoutMs: 300_000,
  // Longer than any caller keeps an idle connection, so that the caller is the one to close it.
  keepAliveTimeoutMs: 75_000,
  idleTimeoutMs: 0,
  // Node's own 30 s would let a caller that sends its header byte by byte stay four times as long as the bound says.
  checkEveryMs: 2_000,
  maxHeaderBytes: 32_768,
  connectionsMax: 0,
  drainTimeoutMs: 5_000,
};

export interface HttpListener extends Running {
  server: Server;
  /** http://host:port as it really is. */
  url: string;
}

interface HttpOptions extends Pick<ServerOptions, 'requireHostHeader' | 'shouldUpgradeCallback'> {
  /** Other processes may listen on the same port; the kernel spreads connections. */
  sharesPort?: boolean;
  /** Serves HTTPS, to these holders of a certificate alone. */
  secured?: { tls: InternalTls; admits: readonly CertificateHolder[] } | undefined;
}

/** Starts an HTTP server with bounded times; `close` stops accepting, lets requests end, then cuts the rest. */
export async function listenHttp(
  handler: RequestListener,
  address: ListenAddress,
  bounds: Partial<HttpBounds> = {},
  { sharesPort = false, secured, ...options }: HttpOptions = {},
): Promise<HttpListener> {
  const limits = { ...DEFAULT_BOUNDS, ...bounds };
  const serverOptions: ServerOptions = {
    ...options,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    maxHeaderSize: limits.maxHeaderBytes,
    noDelay: true,
  };
  const server =
    secured === undefined ? createServer(serverOptions, handler) : createSecuredServer(serverOptions, handler, secured);
  server.timeout = limits.idleTimeoutMs;
  if (limits.connectionsMax > 0) server.maxConnections = limits.connectionsMax;
  let closing = false;
  server.on('request', (request, response) => {
    // Node keeps a connection alive after its answer, and `close` would wait for it.
    response.on('finish', () => {
      if (closing) request.socket.destroySoon();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: address.port, host: address.host, reusePort: sharesPort }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    server,
    url: `${secured === undefined ? 'http' : 'https'}://${host}:${port}`,
    async close() {
      closing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const cut = setTimeout(() => server.closeAllConnections(), limits.drainTimeoutMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** Requests that are being answered may end, and clients learn with an answer that they have to connect again. */
const OUTDATED_CACHE_MS = 10_000;

function createSecuredServer(
  options: ServerOptions,
  handler: RequestListener,
  { tls, admits }: NonNullable<HttpOptions['secured']>,
): Server {
  const secure = { requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3' } as const;
  const context = tls.serverOptions((changed) => server.setSecureContext({ ...changed, minVersion: 'TLSv1.3' }));
  const server = createTlsServer(
    { ...options, ...secure, ...context, handshakeTimeout: options.headersTimeout },
    handler,
  );
  const open = new Set<TLSSocket>();
  let outdated = new WeakSet<object>();
  server.on('secureConnection', (socket: TLSSocket) => {
    const certificate = socket.getPeerCertificate();
    if (!admits.some((holder) => isCertificateOf(certificate, holder))) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.prependListener('request', (request, response) => {
    if (outdated.has(request.socket)) response.shouldKeepAlive = false;
  });
  tls.onAuthorityRemoved(() => {
    const before = [...open];
    outdated = new WeakSet(before);
    setTimeout(() => before.forEach((socket) => socket.destroy()), OUTDATED_CACHE_MS).unref();
  });
  return server;
}
