import { context, diag, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

export interface TracingOptions {
  /** Base URL of an OTLP/HTTP receiver, as in OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string;
  /** `name=value` pairs, separated by commas, as in OTEL_EXPORTER_OTLP_HEADERS. May hold a secret. */
  headers: string | undefined;
  /** Share of the traces that are recorded, of those that begin here, 0 to 1. */
  ratio: number;
  /** The name of the service that the spans are of. */
  component: string;
  version: string;
  instance: string;
}

/** Spans wait no longer before they are sent. */
const EXPORT_EVERY_MS = 1_000;
/** Further spans are dropped: a receiver that is away costs memory, and never a request. */
const QUEUE_MAX_SPANS = 4_096;
const EXPORT_TIMEOUT_MS = 5_000;

/** Registers the SDK of OpenTelemetry with the API that the spans are made by. */
export function registerSdk(options: TracingOptions): { close(): Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: parseKeyPairsIntoRecord(options.headers ?? ''),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'cairn',
      'service.name': `cairn-${options.component}`,
      'service.version': options.version,
      'service.instance.id': options.instance,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        maxQueueSize: QUEUE_MAX_SPANS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return {
    async close() {
      await provider
        .shutdown()
        .catch((error: unknown) => diag.warn('tracing: the last spans could not be sent', error));
      trace.disable();
      propagation.disable();
      context.disable();
      manager.disable();
    },
  };
}
