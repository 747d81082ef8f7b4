import { readFile } from 'node:fs/promises';
import { processesOf, processOfEach, type RunningCairn } from '@cairn/testing';

/**
 * Processor time in milliseconds that an installation took since it began, by what runs: a service by its name, the
 * processes that it started ("memory’s readers"), PostgreSQL's sessions by the service that they serve, its own
 * processes, and the rest ("nats-server", "node").
 */
type ProcessorTimes = ReadonlyMap<string, number>;

/** `/proc/<pid>/stat` counts in hundredths of a second. */
const TICK_MS = 10;

export async function processorTimes(installation: RunningCairn): Promise<ProcessorTimes> {
  const services = new Map([...(await processOfEach(installation))].map(([service, pid]) => [pid, service]));
  const times = new Map<string, number>();
  for (const pid of await processesOf(installation.dataDir, installation.pid)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (stat === '') continue;
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Its own as user and in the system, and that of children that ended: sessions of PostgreSQL come and go.
    const ms = TICK_MS * fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    const parent = services.get(Number(fields[1]));
    const kind =
      name === 'postgres'
        ? await sessionOf(pid)
        : (services.get(pid) ?? (parent === undefined ? name : `${parent}’s readers`));
    times.set(kind, (times.get(kind) ?? 0) + ms);
  }
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

/** A session's title names its role, which is called after its service. */
async function sessionOf(pid: number): Promise<string> {
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const role =
    /^postgres: ([a-z]+)_(?:app|worker|owner)? ?/.exec(title)?.[1] ?? /^postgres: ([a-z]+) cairn/.exec(title)?.[1];
  return role === undefined ? 'PostgreSQL itself' : `PostgreSQL for ${role}`;
}
