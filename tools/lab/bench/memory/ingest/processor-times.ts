import { processTime, type RunningCairn } from '@cairn/testing';
import { processKinds } from '../../../measurement/process-kinds.ts';

/**
 * Processor time in milliseconds that an installation took since it began, by what runs: a service by its name, the
 * processes that it started ("memory’s workers"), PostgreSQL's sessions by the service that they serve, its own
 * processes, and the rest ("nats-server", "supervisor").
 */
type ProcessorTimes = ReadonlyMap<string, number>;

export async function processorTimes(installation: RunningCairn): Promise<ProcessorTimes> {
  const times = new Map<string, number>();
  for (const [pid, kind] of await processKinds(installation))
    times.set(kind, (times.get(kind) ?? 0) + ((await processTime(pid))?.ms ?? 0));
  return times;
}

/** What was taken between two times, for one of `count`, the largest first. */
export function takenEach(before: ProcessorTimes, after: ProcessorTimes, count: number): Map<string, number> {
  const taken = [...after].map(([kind, ms]) => [kind, (ms - (before.get(kind) ?? 0)) / count] as const);
  return new Map(taken.sort((a, b) => b[1] - a[1]));
}

export function allOf(times: ProcessorTimes): number {
  return [...times.values()].reduce((sum, ms) => sum + ms, 0);
}
