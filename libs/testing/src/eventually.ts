import { setTimeout as sleep } from 'node:timers/promises';

/** On a machine that others keep busy; what takes longer hangs. */
const TIMEOUT_MS = 120_000;
/** Pauses grow: what takes long is not slowed by being asked for all the time. */
const POLL_MIN_MS = 15;
const POLL_MAX_MS = 250;
const POLL_GROWTH = 1.25;

/**
 * Polls until the value satisfies, and returns it. Fails with the last value or failure once the time is up, so that a
 * spec never waits longer than needed and never for ever.
 */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  satisfies: (answer: T) => boolean = Boolean,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = POLL_MIN_MS; ; pauseMs = Math.min(POLL_MAX_MS, pauseMs * POLL_GROWTH)) {
    let last: unknown;
    try {
      const answer = await ask();
      if (satisfies(answer)) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline)
      throw new Error(`not so within ${timeoutMs} ms; last: ${described(last)}`, { cause: last });
    await sleep(pauseMs);
  }
}

function described(value: unknown): string {
  if (value instanceof Error) return value.message;
  return (
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? 'undefined'
  );
}
