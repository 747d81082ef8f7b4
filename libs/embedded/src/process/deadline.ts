import { setTimeout as sleep } from 'node:timers/promises';

/** A point in monotonic time that bounds one operation. */
export interface Deadline {
  remainingMs(): number;
  passed(): boolean;
}

/** A deadline that many milliseconds from now; wall-clock jumps do not move it. */
export function deadlineIn(durationMs: number): Deadline {
  const at = performance.now() + durationMs;
  return {
    remainingMs: () => Math.max(0, at - performance.now()),
    passed: () => performance.now() >= at,
  };
}

/** Asks again every `intervalMs` until the answer is true (true) or the deadline has passed (false). */
export async function pollUntil(
  condition: () => boolean | Promise<boolean>,
  deadline: Deadline,
  intervalMs: number,
): Promise<boolean> {
  for (;;) {
    if (await condition()) return true;
    if (deadline.passed()) return false;
    await sleep(Math.min(intervalMs, deadline.remainingMs() + 1));
  }
}
