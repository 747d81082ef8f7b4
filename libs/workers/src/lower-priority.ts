import { readdir, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Under load a third of the processor time of those who answer requests: an expensive file slows nobody's search much,
 * and documents become searchable on a machine that never rests (a ninth, niceness 10, took them minutes).
 */
const NICENESS = 5;
/** Without privileges one write in a tenth of a second is let through, for all who write. */
const GROUP_TRIES = 5;
const GROUP_PAUSE_MS = 100;

/**
 * Lowers the priority of a process that leads a session of its own, with all of its threads. What the system does not
 * let us do is left out: the process then works at the priority of the service.
 */
export async function lowerProcessPriority(pid: number): Promise<void> {
  // Linux gives a niceness to a thread; elsewhere the process has one.
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [String(pid)]);
  for (const thread of threads) lowerThreadPriority(Number(thread));
  // Where Linux shares the processors among sessions, a niceness counts only within its session: it gets one, too.
  for (let tries = 0; tries < GROUP_TRIES; tries += 1) {
    try {
      await writeFile(`/proc/${pid}/autogroup`, String(NICENESS), { flag: 'r+' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      await sleep(GROUP_PAUSE_MS);
    }
  }
}

/** Lowers the priority of one thread, where the system lets us. */
export function lowerThreadPriority(thread: number | null): void {
  if (thread === null) return;
  try {
    setPriority(thread, NICENESS);
  } catch {
    // It has ended already, or may not be changed.
  }
}
