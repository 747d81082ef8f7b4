import type { Gauge } from 'prom-client';
import { counter, gauge } from './metrics.ts';

/** What one sampler found: a value for a gauge, or for one combination of its labels. */
export interface GaugeSample {
  gauge: SampledGauge;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** A gauge whose values are read when Prometheus asks for them. */
interface SampledGauge {
  readonly name: string;
  /** How the values of several samplers of one process are combined, e.g. of several databases. */
  readonly combine: 'sum' | 'max' | 'min';
}

interface SamplerOptions {
  /** Names the sampler in `cairn_sample_failures_total`. */
  name: string;
  read: () => Promise<readonly GaugeSample[]> | readonly GaugeSample[];
  /** A reading is used again for so long, however often the metrics are asked for. 0: always read again. */
  cacheMs?: number;
}

const CACHE_MS = 10_000;
/** A scrape does not wait longer for a reading, and shows the last one. */
const WAIT_MAX_MS = 2_000;
/** A reading that could not be repeated for so long is no longer shown: an old number would look like a healthy one. */
const STALE_AFTER_MS = 60_000;

const failures = counter('cairn_sample_failures_total', 'Readings of queues and brokers that failed.', ['sample']);
const samplers = new Set<Sampler>();
let report: (sample: string, error: unknown) => void = () => undefined;

/** Has a sampler that begins to fail reported, once until it succeeds again. */
export function reportSampleFailures(to: typeof report): void {
  report = to;
}

export function sampledGauge(
  name: `cairn_${string}`,
  help: string,
  options: { labels?: readonly string[]; combine: SampledGauge['combine'] },
): SampledGauge {
  const sampled: SampledGauge = { name, combine: options.combine };
  gauge(name, help, options.labels ?? [], async function collect() {
    await Promise.all([...samplers].map((sampler) => sampler.refresh()));
    this.reset();
    // What could not be read is not shown: a gauge without labels would be 0 instead.
    if (options.labels === undefined) this.remove();
    setCombined(this, sampled);
  });
  return sampled;
}

/**
 * Reads gauges when the metrics are asked for, and not more often than every ten seconds: a reading may be a query.
 * Close it with what it reads from.
 */
export function startSampling(options: SamplerOptions): { close(): Promise<void> } {
  const sampler = new Sampler(options);
  samplers.add(sampler);
  failures.inc({ sample: options.name }, 0);
  return {
    async close() {
      samplers.delete(sampler);
    },
  };
}

function setCombined(target: Gauge, sampled: SampledGauge): void {
  const combined = new Map<string, { labels: Record<string, string>; value: number }>();
  for (const { gauge: of, labels = {}, value } of [...samplers].flatMap((sampler) => sampler.readings())) {
    if (of !== sampled) continue;
    const key = JSON.stringify(labels);
    const before = combined.get(key)?.value;
    combined.set(key, { labels, value: before === undefined ? value : COMBINE[sampled.combine](before, value) });
  }
  for (const { labels, value } of combined.values()) target.set(labels, value);
}

const COMBINE = { sum: (a: number, b: number) => a + b, max: Math.max, min: Math.min };

class Sampler {
  private readonly options: SamplerOptions;
  private last: readonly GaugeSample[] = [];
  private readAtMs = Number.NEGATIVE_INFINITY;
  private triedAtMs = Number.NEGATIVE_INFINITY;
  private isFailing = false;
  private reading: Promise<void> | null = null;

  constructor(options: SamplerOptions) {
    this.options = options;
  }

  /** Reads when the last reading is too old; several that ask at once wait for one reading. Never rejects. */
  async refresh(): Promise<void> {
    const { cacheMs = CACHE_MS } = this.options;
    if (this.reading === null && performance.now() - this.triedAtMs < cacheMs) return;
    this.reading ??= this.read().finally(() => {
      this.reading = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAIT_MAX_MS);
    });
    await Promise.race([this.reading, waited]);
    clearTimeout(timer);
  }

  readings(): readonly GaugeSample[] {
    return performance.now() - this.readAtMs < STALE_AFTER_MS ? this.last : [];
  }

  private async read(): Promise<void> {
    this.triedAtMs = performance.now();
    try {
      this.last = await this.options.read();
      this.readAtMs = performance.now();
      this.isFailing = false;
    } catch (error) {
      failures.inc({ sample: this.options.name });
      if (!this.isFailing) report(this.options.name, error);
      this.isFailing = true;
    }
  }
}
