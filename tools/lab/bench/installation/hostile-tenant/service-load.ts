import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processTime, type RunningCairn } from '@cairn/testing';
import { processKinds } from '../../../measurement/process-kinds.ts';

/** What one kind of process of the installation used during a phase. */
export interface ServiceLoad {
  kind: string;
  /** Processor time per second of the phase: 1,000 is a whole core. */
  cpuMsPerSecond: number;
  /** Longest delays of its event loop; null for what has none, such as PostgreSQL. */
  loop: { p99Ms: number; maxMs: number } | null;
}

interface LoadProbe {
  /** What each kind of process used since the probe began, the most expensive first. */
  end(): Promise<ServiceLoad[]>;
}

const LAG_P99 = 'nodejs_eventloop_lag_p99_seconds';
const LAG_MAX = 'nodejs_eventloop_lag_max_seconds';

/** Begins to observe the processes of an installation. Those that start and end meanwhile are not counted. */
export async function observeLoad(installation: RunningCairn): Promise<LoadProbe> {
  const beginMs = performance.now();
  const before = await cpuMsByProcess(installation);
  // Reading the metrics starts the next measurement of delays.
  await loopDelays(installation);
  return {
    async end() {
      const seconds = (performance.now() - beginMs) / 1_000;
      const delays = await loopDelays(installation);
      const byKind = new Map<string, number>();
      for (const [pid, { kind, ms }] of await cpuMsByProcess(installation))
        byKind.set(kind, (byKind.get(kind) ?? 0) + ms - (before.get(pid)?.ms ?? 0));
      return [...byKind]
        .map(([kind, ms]) => ({ kind, cpuMsPerSecond: ms / seconds, loop: delays.get(kind) ?? null }))
        .sort((a, b) => b.cpuMsPerSecond - a.cpuMsPerSecond);
    },
  };
}

async function cpuMsByProcess(installation: RunningCairn): Promise<Map<number, { kind: string; ms: number }>> {
  const found = new Map<number, { kind: string; ms: number }>();
  for (const [pid, kind] of await processKinds(installation)) {
    const time = await processTime(pid);
    if (time !== null) found.set(pid, { kind, ms: time.ms });
  }
  return found;
}

/** Delays of each service's event loop since they were read last; none where the metrics are switched off. */
async function loopDelays({ dataDir }: RunningCairn): Promise<Map<string, NonNullable<ServiceLoad['loop']>>> {
  const addresses = JSON.parse(await readFile(join(dataDir, 'addresses.json'), 'utf8')) as {
    metrics?: Record<string, string>;
  };
  const delays = new Map<string, NonNullable<ServiceLoad['loop']>>();
  for (const [service, url] of Object.entries(addresses.metrics ?? {})) {
    const text = await fetch(url).then((response) => response.text());
    delays.set(service, { p99Ms: readingOf(text, LAG_P99) * 1_000, maxMs: readingOf(text, LAG_MAX) * 1_000 });
  }
  return delays;
}

function readingOf(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name}{`)) ?? '';
  return Number(line.slice(line.lastIndexOf(' ') + 1));
}
