import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { readMetrics, reportSampleFailures, startProcessMetrics, startTracing } from '@cairn/telemetry';
import type { ConfigOf, ListenAddress, telemetryVariables } from '../config/config.ts';
import { type HttpListener, listenHttp } from '../http/http-server.ts';
import type { Logger } from '../telemetry/logging.ts';
import type { Running } from '../running.ts';
import { VERSION } from './version.ts';

export type TelemetryConfig = ConfigOf<typeof telemetryVariables> & {
  /** The metrics are on the host of the internal server. */
  grpcListen: ListenAddress;
};

interface Telemetry extends Running {
  /** Null when no port is configured. */
  serveMetrics(): Promise<HttpListener | null>;
}

/** Metrics and traces of this process, as configured. */
export async function startTelemetry(logger: Logger, config: TelemetryConfig): Promise<Telemetry> {
  const { metricsPort, grpcListen } = config;
  const component = String(logger.bindings()['service']);
  const tracing = await startTracing({
    endpoint: config.otlpEndpoint,
    headers: config.otlpHeaders,
    ratio: config.traceRatio,
    component,
    version: VERSION,
    instance: randomUUID(),
  });
  return {
    async serveMetrics() {
      if (metricsPort === undefined) return null;
      startProcessMetrics(component);
      reportSampleFailures((sample, error) =>
        logger.warn({ err: error, sample }, 'metrics: a reading failed; it is left out until it succeeds'),
      );
      return listenHttp(showMetrics, { host: grpcListen.host, port: metricsPort });
    },
    close: tracing.close,
  };
}

const showMetrics: RequestListener = (request, response) => {
  const path = (request.url ?? '').split('?', 1)[0];
  if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('The metrics are at GET /metrics.\n');
    return;
  }
  readMetrics().then(
    ({ contentType, text }) => response.writeHead(200, { 'content-type': contentType }).end(text),
    (error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(`The metrics cannot be read: ${String(error)}\n`);
    },
  );
};
