import { readdir, readFile } from 'node:fs/promises';

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

/** Processor time so far of the processes and of all below them, in milliseconds; 0 where /proc cannot tell. */
export async function processorTimeMs(roots: readonly number[]): Promise<number> {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const entry of await readdir('/proc').catch(() => [])) {
    const stat = /^\d+$/.test(entry) ? await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => null) : null;
    if (stat === null) continue;
    // The name, in parentheses, may hold spaces. Children that ended are counted with who waited for them.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + (fields[at] ?? 0), 0);
    processes.set(Number(entry), { parent: fields[1] ?? 0, ticks });
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = processes.get(at)?.parent)
      if (roots.includes(at)) return true;
    return false;
  };
  let ticks = 0;
  for (const [pid, process] of processes) if (isBelow(pid)) ticks += process.ticks;
  return ticks * TICK_MS;
}
