import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** By then the first requests and the first rounds of background work are over. */
const AFTER_MS = 5_000;

/**
 * Collects once what starting has left behind, a third of the memory of a service that has nothing to do: V8 collects
 * when it needs room, and an idle process needs none.
 */
export async function collectStartGarbage(afterMs: number = AFTER_MS): Promise<void> {
  await sleep(afterMs, undefined, { ref: false });
  collectGarbage();
}

/** Collects all that nothing refers to, which stops the process for tens of milliseconds. */
export function collectGarbage(): void {
  // `node --expose-gc` would give it to all code of the process.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
