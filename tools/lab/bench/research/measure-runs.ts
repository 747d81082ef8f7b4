import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningCairn } from '@cairn/testing';
import { quantile } from '../../measurement/quantile.ts';
import { type Resident, watchMemory } from './resident-memory.ts';
import { type SlowSites, startSlowSites } from './slow-sites.ts';
import { type WatchResult, watchByStream, watchBySocket } from './watchers.ts';

export interface RunsMeasurement {
  runs: number;
  watchers: number;
  /** Highest number of concurrent runs. */
  together: number;
  completed: number;
  seconds: number;
  events: number;
  /** Sequence numbers that a watcher received twice or never. */
  faults: number;
  latencyMs: { p50: number; p95: number; p99: number };
  research: Resident;
  gateway: Resident;
}

const PAGES_PER_SITE = 25;
/** Below the plan's rate limit of a key. */
const START_PAUSE_MS = 60;

/** Prepares runs, starts them together, and watches each by one WebSocket and several streams. */
export async function measureRuns(cairn: RunningCairn, runs: number, watchersPerRun: number): Promise<RunsMeasurement> {
  const sites = await startSlowSites(runs, PAGES_PER_SITE);
  try {
    return await measureOver(cairn, sites, runs, watchersPerRun);
  } finally {
    await sites.close();
  }
}

async function measureOver(
  cairn: RunningCairn,
  sites: SlowSites,
  runs: number,
  watchersPerRun: number,
): Promise<RunsMeasurement> {
  const memory = await watchMemory(cairn, ['research', 'gateway']);
  const prepared: { thread_id: string; websocket_url: string }[] = [];
  for (const origin of sites.origins) {
    prepared.push(await prepare(cairn, origin));
    await sleep(START_PAUSE_MS);
  }
  const streams: Promise<WatchResult>[] = [];
  for (const { thread_id } of prepared) {
    for (let watcher = 1; watcher < watchersPerRun; watcher += 1) {
      streams.push((await watchByStream(cairn.baseUrl, cairn.apiKey, thread_id)).ended);
      await sleep(START_PAUSE_MS);
    }
  }
  const began = performance.now();
  const sockets: ReturnType<typeof watchBySocket>[] = [];
  for (const { websocket_url, thread_id } of prepared) {
    sockets.push(watchBySocket(websocket_url, thread_id));
    await sleep(START_PAUSE_MS);
  }
  await Promise.all(sockets.map(({ opened }) => opened));
  const watched = await Promise.all([...sockets.map(({ ended }) => ended), ...streams]);
  const seconds = (performance.now() - began) / 1_000;
  const held = memory.stop();
  const latencies = watched.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b);
  return {
    runs,
    watchers: watched.length,
    together: mostTogether(watched),
    completed: new Set(watched.filter(({ endedAtMs }) => endedAtMs !== null).map(({ threadId }) => threadId)).size,
    seconds,
    events: watched.reduce((sum, { events }) => sum + events, 0),
    faults: watched.reduce((sum, { faults }) => sum + faults, 0),
    latencyMs: {
      p50: quantile(latencies, 0.5),
      p95: quantile(latencies, 0.95),
      p99: quantile(latencies, 0.99),
    },
    ...held,
  };
}

async function prepare(cairn: RunningCairn, origin: string): Promise<{ thread_id: string; websocket_url: string }> {
  const response = await fetch(`${cairn.baseUrl}/api/v1/search/agent/web-and-research`, {
    method: 'POST',
    headers: { 'x-api-key': cairn.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      prompt: `How many people got a freezer alarm within how many minutes of the outage, and what was changed? ${origin}`,
    }),
  });
  if (response.status !== 200) throw new Error(`a run could not be prepared: ${await response.text()}`);
  return (await response.json()) as { thread_id: string; websocket_url: string };
}

/** Highest number of intervals that overlap. */
function mostTogether(watched: readonly WatchResult[]): number {
  const spans = new Map(watched.map(({ threadId, startedAtMs, endedAtMs }) => [threadId, { startedAtMs, endedAtMs }]));
  const moves = [...spans.values()].flatMap(({ startedAtMs, endedAtMs }) =>
    startedAtMs === null || endedAtMs === null ? [] : [[startedAtMs, 1] as const, [endedAtMs, -1] as const],
  );
  let now = 0;
  let most = 0;
  for (const [, move] of moves.sort((a, b) => a[0] - b[0] || a[1] - b[1])) most = Math.max(most, (now += move));
  return most;
}
