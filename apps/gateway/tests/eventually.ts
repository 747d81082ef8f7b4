import { setTimeout as pause } from 'node:timers/promises';

const DEADLINE_MS = 5_000;
const LOOK_EVERY_MS = 5;

/** Waits until the condition holds; fails with what was waited for. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await pause(LOOK_EVERY_MS);
  }
}

/** Fails when the promise is not settled in time. */
export async function within<T>(what: string, promise: Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
  const stop = new AbortController();
  const late = pause(deadlineMs, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`not within ${deadlineMs} ms: ${what}`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
    late.catch(() => undefined);
  }
}
