export { counter, durationHistogram, gauge, readMetrics, startProcessMetrics } from './metrics.ts';
export { queueSamples } from './queues.ts';
export { reportSampleFailures, sampledGauge, startSampling } from './sampling.ts';
export type { GaugeSample } from './sampling.ts';
export {
  beginSpan,
  contextOf,
  endSpan,
  inSpan,
  isInTrace,
  isRecording,
  isTracing,
  parentOfBatch,
  traceFields,
  TRACEPARENT,
  traceparentOf,
  within,
} from './spans.ts';
export type { TraceContext } from './spans.ts';
export { startTracing } from './tracing.ts';
