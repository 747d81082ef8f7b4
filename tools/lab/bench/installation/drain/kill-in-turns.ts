import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type Part, type RunningCairn } from '@cairn/testing';

const PAUSE_MS = 4_000;
const BACK_WITHIN_MS = 120_000;

/** Kills the parts with -9, one after the other, each time when the last one is back. */
export function killInTurns(cairn: RunningCairn, parts: readonly Part[]): { stop(): Promise<number> } {
  let going = true;
  let kills = 0;
  const killing = (async () => {
    while (going) {
      await sleep(PAUSE_MS);
      if (!going) return;
      await cairn.kill(parts[kills % parts.length]!);
      kills += 1;
      await eventually(async () => (await fetch(`${cairn.baseUrl}/readyz`)).ok, Boolean, BACK_WITHIN_MS);
    }
  })();
  return {
    async stop() {
      going = false;
      await killing;
      return kills;
    },
  };
}
