import { setTimeout as pause } from 'node:timers/promises';

/** Only what hangs takes so long, even on a busy machine. */
const DEADLINE_MS = 20_000;

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
