import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { AnsweredCalls } from '../../measurement/callers.ts';
import { quantile } from '../../measurement/quantile.ts';
import type { Load } from './callers-thread.ts';
import type { PipelineProcesses } from './pipeline-processes.ts';

/** What a number of callers saw who ask at the same time, each again as soon as it has its answer. */
export interface CallerTimes {
  processes: number;
  callers: number;
  p50: number;
  p95: number;
  /** Answers in a second, of all callers together. */
  perSecond: number;
  /** Processor time of the service and of PostgreSQL for one search, in milliseconds. */
  serviceMs: number;
  postgresMs: number;
}

const CALLERS: readonly number[] = [1, 8, 32];
const RESULTS = 10;
const ASKED_BY_ALL = 400;
/** Many callers do not ask a few each. */
const ASKED_BY_EACH = 20;

/** Asks processes by turns, from a thread of this one. */
export async function measureCallers(
  { addresses, spentMs }: Pick<PipelineProcesses, 'addresses' | 'spentMs'>,
  questions: readonly string[],
  { callers = CALLERS, requests = ASKED_BY_ALL }: { callers?: readonly number[]; requests?: number } = {},
): Promise<CallerTimes[]> {
  const results: CallerTimes[] = [];
  for (const count of callers) {
    const bodies = Array.from({ length: Math.max(requests, (count - 1) * ASKED_BY_EACH) }, (_none, at) =>
      JSON.stringify({ query: questions[at % questions.length], top_k: RESULTS }),
    );
    const load: Load = { addresses, path: '/api/v1/memory/search', bodies, callers: count };
    const before = await spentMs();
    const thread = new Worker(new URL('./callers-thread.ts', import.meta.url), { workerData: load });
    const [asked] = (await once(thread, 'message')) as [AnsweredCalls];
    const after = await spentMs();
    const searches = asked.times.length;
    results.push({
      processes: addresses.length,
      callers: count,
      p50: quantile(asked.times, 0.5),
      p95: quantile(asked.times, 0.95),
      perSecond: (searches * 1_000) / asked.tookMs,
      serviceMs: (after.service - before.service) / searches,
      postgresMs: (after.postgres - before.postgres) / searches,
    });
  }
  return results;
}
