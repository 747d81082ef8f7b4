import {
  type Attributes,
  context,
  type Context,
  INVALID_SPAN_CONTEXT,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** The header of W3C Trace Context that names a span; also stored with what waits in a queue. */
export const TRACEPARENT = 'traceparent';

export type TraceContext = Context;

interface SpanOptions {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** Ids and names only: no text of a tenant, no parameter of a statement, no credential. */
  attributes?: Attributes;
  /** Default: the span that is active. */
  parent?: TraceContext;
  /** Spans that have to do with this one without being its parent. */
  links?: readonly TraceContext[];
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
// Delegates to whatever `startTracing` registers.
const tracer = trace.getTracer('cairn');

let tracing = false;

/** Called by `startTracing`: from now on spans are made. */
export function setTracing(on: boolean): void {
  tracing = on;
}

/** False as long as no receiver of traces is configured; then nothing below costs more than this question. */
export function isTracing(): boolean {
  return tracing;
}

/** Begins a span that the caller ends with `endSpan`; `within` makes it the active one. */
export function beginSpan(name: string, options: SpanOptions): { span: Span; context: TraceContext } {
  const parent = options.parent ?? context.active();
  if (!tracing) return { span: NO_SPAN, context: parent };
  const links = (options.links ?? []).flatMap((linked) => {
    const to = trace.getSpanContext(linked);
    return to === undefined ? [] : [{ context: to }];
  });
  const { kind, attributes = {} } = options;
  const span = tracer.startSpan(name, { kind: KINDS[kind], attributes, links }, parent);
  return { span, context: trace.setSpan(parent, span) };
}

/** Ends the span; with an error it is marked as failed, under the name of the error and without its message. */
export function endSpan(span: Span, error?: unknown): void {
  if (error !== undefined) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', nameOf(error));
  }
  span.end();
}

/** Runs `work` in a span of its own. */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (!tracing) return work(NO_SPAN);
  const { span, context: inside } = beginSpan(name, options);
  try {
    const result = await context.with(inside, () => work(span));
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, error);
    throw error;
  }
}

/** Runs `work` with the context as the active one. */
export function within<T>(inside: TraceContext, work: () => T): T {
  return tracing ? context.with(inside, work) : work();
}

/** Whether the active span is recorded: only then are spans of statements worth making. */
export function isRecording(): boolean {
  return tracing && trace.getActiveSpan()?.isRecording() === true;
}

/** Whether something is traced at the moment, recorded or not. */
export function isInTrace(): boolean {
  return tracing && trace.getSpanContext(context.active()) !== undefined;
}

/** The active span, or that of a context, as the value of a `traceparent` header; null without one. */
export function traceparentOf(of?: TraceContext): string | null {
  if (!tracing) return null;
  const carrier: Record<string, string> = {};
  propagation.inject(of ?? context.active(), carrier);
  return carrier[TRACEPARENT] ?? null;
}

/** The context that a `traceparent` names; an empty one without it, or when it is malformed. */
export function contextOf(traceparent: string | null | undefined): TraceContext {
  if (!tracing || traceparent === null || traceparent === undefined) return ROOT_CONTEXT;
  return propagation.extract(ROOT_CONTEXT, { [TRACEPARENT]: traceparent });
}

/**
 * The parent and links of work on what came from several traces: that of a single one continues its trace, that of many
 * begins a trace of its own with a link to each, as the conventions for messaging say.
 */
export function parentOfBatch(traceparents: readonly (string | null)[]): Pick<SpanOptions, 'parent' | 'links'> {
  const contexts = traceparents.filter((each) => each !== null).map(contextOf);
  if (traceparents.length === 1) return { parent: contexts[0] ?? ROOT_CONTEXT };
  return { parent: ROOT_CONTEXT, links: contexts.slice(0, LINKS_MAX) };
}

/** What the SDK keeps of them by default. */
const LINKS_MAX = 128;

/** What a log record says about the trace that it belongs to. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  if (!tracing) return {};
  const active = trace.getSpanContext(context.active());
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
