import { processorTimeMs, testIdentity } from '@cairn/testing';
import { callInTurns } from '../../measurement/callers.ts';
import { quantile } from '../../measurement/quantile.ts';
import type { BenchHarness } from './bench-harness.ts';
import type { YearOfUsage } from './fill-rollups.ts';

export interface ReadingResult {
  what: string;
  /** Requests that wait for their answers at a time. */
  callers: number;
  queries: number;
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  /** Of service and PostgreSQL together, for one query. */
  processorMs: number;
}

interface ReadingOptions {
  harness: BenchHarness;
  year: YearOfUsage;
  random: () => number;
  queries: number;
}

const TODAY = () => new Date().toISOString().slice(0, 10);
const DAY_MS = 86_400_000;

const CALLERS = [1, 8, 32];

/** Asks the service over HTTP as the gateway does, for random tenants and ids; each caller as soon as it has its answer. */
export async function measureReading(options: ReadingOptions): Promise<ReadingResult[]> {
  const { year } = options;
  const shapes: [string, number][] = [
    [`the whole year (${year.days} days)`, year.days],
    ['the last 30 days', 30],
  ];
  const results: ReadingResult[] = [];
  for (const [what, days] of shapes)
    for (const callers of CALLERS) {
      for (let n = 0; n < WARM_UP; n += 1) await ask(options, days);
      results.push({ what, callers, ...(await measureCallers(options, days, callers)) });
    }
  return results;
}

const WARM_UP = 50;

async function measureCallers(options: ReadingOptions, days: number, callers: number) {
  const { harness, queries } = options;
  const before = await processorTimeMs(harness.roots());
  const all = Array.from({ length: queries });
  const { times, perSecond } = await callInTurns(all, callers, () => ask(options, days));
  const [p50Ms, p95Ms, p99Ms] = [0.5, 0.95, 0.99].map((share) => quantile(times, share)) as [number, number, number];
  const processorMs = ((await processorTimeMs(harness.roots())) - before) / times.length;
  return { queries: times.length, perSecond, p50Ms, p95Ms, p99Ms, processorMs };
}

async function ask({ harness, year, random }: ReadingOptions, days: number): Promise<void> {
  const below = (n: number) => Math.floor(random() * n);
  const identity = testIdentity({ tenantId: `tnt_${1 + below(year.tenants)}` });
  const dimensions = ['tenant', 'model', ...Object.keys(year.ids)];
  const dimension = dimensions[below(dimensions.length)]!;
  const query = new URLSearchParams({
    dimension,
    group_by: random() < 0.5 ? 'day' : 'model',
    from: new Date(Date.parse(TODAY()) - (days - 1) * DAY_MS).toISOString().slice(0, 10),
    to: TODAY(),
  });
  if (dimension === 'model') query.set('id', `model-${1 + below(year.models)}`);
  else if (dimension !== 'tenant' && random() < 0.5) query.set('id', `${dimension}_${below(year.ids[dimension]!)}`);
  const target = `/api/v1/usage/llm?${query}`;
  const headers = await harness.headersFor(identity, target);
  const response = await fetch(harness.service.httpUrl() + target, { headers });
  const body = (await response.json()) as { totals?: { calls: number } };
  if (body.totals === undefined || body.totals.calls === 0) throw new Error(`nothing was read for ${query}`);
}
