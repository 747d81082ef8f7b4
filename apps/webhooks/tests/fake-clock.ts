import type { Clock } from '../src/clock.ts';

export interface FakeClock extends Clock {
  /** Moves the time on and makes the calls that are due by then, in their order. */
  advance(ms: number): void;
}

/** A clock that stands until it is moved. */
export function createFakeClock(startsAt: Date = new Date()): FakeClock {
  let nowMs = startsAt.getTime();
  let waiting: { atMs: number; call: () => void }[] = [];
  return {
    now: () => new Date(nowMs),
    after(ms, call) {
      const entry = { atMs: nowMs + ms, call };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    advance(ms) {
      const until = nowMs + ms;
      for (;;) {
        const next = waiting.filter(({ atMs }) => atMs <= until).toSorted((a, b) => a.atMs - b.atMs)[0];
        if (next === undefined) break;
        waiting = waiting.filter((entry) => entry !== next);
        nowMs = Math.max(nowMs, next.atMs);
        next.call();
      }
      nowMs = until;
    },
  };
}
