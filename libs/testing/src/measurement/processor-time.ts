import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';

/** Processor time so far, in milliseconds over all cores. */
export interface ProcessorTime {
  total: number;
  busy: number;
  /** Of the given processes and their descendants; NaN where /proc cannot tell. */
  own: number;
}

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

/** What the machine and the processes below `roots` used. */
export async function processorTime(roots: readonly number[]): Promise<ProcessorTime> {
  const times = cpus().map((cpu) => cpu.times);
  const total = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  return { total, busy: total - idle, own: await ownTime(roots) };
}

/** Share of all cores, 0–1, that others used between two looks. */
export function othersShare(before: ProcessorTime, after: ProcessorTime): number {
  const others = after.busy - before.busy - (after.own - before.own);
  return Math.max(0, others) / Math.max(1, after.total - before.total);
}

interface ProcessStat {
  parent: number;
  ticks: number;
  /** Of children that ended and were waited for. */
  endedTicks: number;
}

async function ownTime(roots: readonly number[]): Promise<number> {
  const stats = new Map<number, ProcessStat>();
  for (const entry of await readdir('/proc').catch(() => [])) {
    const stat = /^\d+$/.test(entry) ? await readStat(entry) : null;
    if (stat !== null) stats.set(Number(entry), stat);
  }
  if (stats.size === 0) return NaN;
  const isOwn = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = stats.get(at)?.parent)
      if (roots.includes(at)) return true;
    return false;
  };
  let ticks = 0;
  for (const [pid, stat] of stats) if (isOwn(pid)) ticks += stat.ticks + stat.endedTicks;
  return ticks * TICK_MS;
}

async function readStat(pid: string): Promise<ProcessStat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The name, in parentheses, may hold spaces; the fields after it are counted from the state on.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((i) => fields[i]);
  return { parent, ticks: user + system, endedTicks: endedUser + endedSystem };
}
