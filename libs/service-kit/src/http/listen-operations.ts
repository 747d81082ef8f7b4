import type { RequestListener } from 'node:http';
import type { ListenAddress } from '../config/config.ts';
import { type HttpListener, listenHttp } from './http-server.ts';
import type { InternalTls } from '../identity/internal-tls.ts';
import { createLargeBodies } from '../bodies/large-bodies.ts';
import { operationsApp, type OperationsAppOptions } from './operations-app.ts';
import { closeInReverse } from '../running.ts';

interface ListenOptions {
  httpListen: ListenAddress;
  /** A further server for probes. */
  healthListen: ListenAddress | undefined;
  tls: InternalTls | null;
}

const HEALTH_PATHS = new Set(['/healthz', '/readyz']);

/** Starts the HTTP server of a service. With `tls`, only gateways and the operator's commands reach it. */
export async function listenOperations(
  options: Omit<OperationsAppOptions, 'largeBodies'>,
  listen: ListenOptions,
): Promise<HttpListener> {
  const { tls, httpListen, healthListen } = listen;
  const largeBodies = createLargeBodies();
  const app = operationsApp({ ...options, largeBodies });
  const secured = tls === null ? undefined : { tls, admits: ['gateway', 'operator'] as const };
  const http = await listenHttp(app, httpListen, {}, { secured });
  if (healthListen === undefined) return { ...http, close: closeInReverse([largeBodies, http]).close };
  const onlyHealth: RequestListener = (request, response) => {
    if (HEALTH_PATHS.has(request.url ?? '')) return app(request, response);
    response.writeHead(404).end();
  };
  const health = await listenHttp(onlyHealth, healthListen);
  return { ...http, close: closeInReverse([largeBodies, health, http]).close };
}
