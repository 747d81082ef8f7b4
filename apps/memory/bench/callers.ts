import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { quantile } from '@cairn/testing';
import type { AskedAll, Load } from './callers-thread.ts';
import type { PipelineServer } from './pipeline-server.ts';

/** What a number of callers saw who ask at the same time, each again as soon as it has its answer. */
export interface CallerTimes {
  callers: number;
  p50: number;
  p95: number;
  /** Answers in a second, of all callers together. */
  perSecond: number;
}

const CALLERS: readonly number[] = [1, 8, 32];
const RESULTS = 10;
const ASKED_BY_ALL = 400;
/** Many callers do not ask a few each. */
const ASKED_BY_EACH = 20;

/** Asks a server from a thread of its own, so that reading answers does not hold up the server in this one. */
export async function measureCallers(
  { url, headers }: PipelineServer,
  questions: readonly string[],
  { callers = CALLERS, requests = ASKED_BY_ALL }: { callers?: readonly number[]; requests?: number } = {},
): Promise<CallerTimes[]> {
  const results: CallerTimes[] = [];
  for (const count of callers) {
    const bodies = Array.from({ length: Math.max(requests, (count - 1) * ASKED_BY_EACH) }, (_none, at) =>
      JSON.stringify({ query: questions[at % questions.length], top_k: RESULTS }),
    );
    const load: Load = { url: `${url}/api/v1/memory/search`, headers, bodies, callers: count };
    const thread = new Worker(new URL('./callers-thread.ts', import.meta.url), { workerData: load });
    const [asked] = (await once(thread, 'message')) as [AskedAll];
    results.push({
      callers: count,
      p50: quantile(asked.times, 0.5),
      p95: quantile(asked.times, 0.95),
      perSecond: (asked.times.length * 1_000) / asked.tookMs,
    });
  }
  return results;
}
