import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

// A process has one set of metrics, as it has one event loop: instruments are constants beside the code they count.
const registry = new Registry();

/** From half a millisecond to half a minute. */
const DURATION_BUCKETS_SECONDS = [0.0005, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A number that only grows; its name ends in `_total`. Labels must have few values: never a tenant, an id or a URL. */
export function counter<Label extends string>(
  name: `cairn_${string}_total`,
  help: string,
  labelNames: readonly Label[] = [],
): Counter<Label> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

/** A distribution of durations in seconds. */
export function durationHistogram<Label extends string>(
  name: `cairn_${string}_seconds`,
  help: string,
  labelNames: readonly Label[] = [],
): Histogram<Label> {
  return new Histogram({ name, help, labelNames, buckets: DURATION_BUCKETS_SECONDS, registers: [registry] });
}

/** A number that goes up and down, kept up to date by whoever changes it. */
export function gauge<Label extends string>(
  name: `cairn_${string}`,
  help: string,
  labelNames: readonly Label[] = [],
  collect?: (this: Gauge<Label>) => void | Promise<void>,
): Gauge<Label> {
  return new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    ...(collect === undefined ? {} : { collect }),
  });
}

/**
 * Adds the metrics of the process (processor time, memory, event-loop delay, garbage collection), and the label
 * `component` to all. Called once, by a process that serves its metrics.
 */
export function startProcessMetrics(component: string): void {
  registry.setDefaultLabels({ component });
  collectDefaultMetrics({ register: registry });
}

/** All metrics in the text format of Prometheus. */
export async function readMetrics(): Promise<{ contentType: string; text: string }> {
  return { contentType: registry.contentType, text: await registry.metrics() };
}
