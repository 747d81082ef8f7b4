import { setImmediate } from 'node:timers/promises';

const BREATH_MS = 12;

/**
 * For work that goes on for long: call it between its pieces. Gives way to everything else of the process — leases of
 * runs, watchers, a cancel — once it has gone on for a while, and throws when it was given up meanwhile.
 */
export type Breathe = () => Promise<void> | undefined;

export function breathing(signal: AbortSignal): Breathe {
  let since = performance.now();
  const rest = async () => {
    await setImmediate();
    signal.throwIfAborted();
    since = performance.now();
  };
  return () => (performance.now() - since < BREATH_MS ? undefined : rest());
}
