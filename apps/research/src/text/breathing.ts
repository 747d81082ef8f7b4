import { setImmediate } from 'node:timers/promises';

const BREATH_MS = 12;

/**
 * For work that goes on for long: call it between its pieces. Gives way to everything else of the process — leases of
 * runs, watchers, a cancel — once it has gone on for a while, and throws when it was given up meanwhile.
 */
export type Breathe = () => Promise<void> | undefined;

export function breathing(signal: AbortSignal): Breathe {
  let since = performance.now();
  return () => {
    if (performance.now() - since < BREATH_MS) return undefined;
    return setImmediate().then(() => {
      signal.throwIfAborted();
      since = performance.now();
    });
  };
}
