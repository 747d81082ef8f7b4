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
  return { total, busy: total - idle, own: await processorTimeMs(roots) };
}

/** Share of all cores, 0–1, that others used between two looks. */
export function othersShare(before: ProcessorTime, after: ProcessorTime): number {
  const others = after.busy - before.busy - (after.own - before.own);
  return Math.max(0, others) / Math.max(1, after.total - before.total);
}

/** Processor time so far of the processes and of all below them, in milliseconds; NaN where /proc cannot tell. */
export async function processorTimeMs(roots: readonly number[]): Promise<number> {
  const times = new Map<number, ProcessTime>();
  for (const entry of await readdir('/proc').catch(() => [])) {
    const time = /^\d+$/.test(entry) ? await processTime(Number(entry)) : null;
    if (time !== null) times.set(Number(entry), time);
  }
  if (times.size === 0) return NaN;
  const isOwn = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = times.get(at)?.parent)
      if (roots.includes(at)) return true;
    return false;
  };
  return [...times].filter(([pid]) => isOwn(pid)).reduce((sum, [, { ms }]) => sum + ms, 0);
}

interface ProcessTime {
  parent: number;
  /** Its own as user and in the system, and that of children that ended and were waited for. */
  ms: number;
}

/** Null when it has ended. */
export async function processTime(pid: number): Promise<ProcessTime | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The name, in parentheses, may hold spaces; the fields after it are counted from the state on.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return { parent: fields[1] ?? 0, ms: TICK_MS * fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) };
}
