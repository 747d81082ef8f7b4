import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long work shares the event loop: after each small step it asks whether its time is over. */
interface TimeSlice {
  readonly isOver: boolean;
  /** Resolves after everything that was waiting has run; the next slice begins then. */
  yieldToEventLoop(): Promise<void>;
}

const SLICE_MAX_MS = 5;

export function timeSlice(maxMs = SLICE_MAX_MS): TimeSlice {
  let beganAtMs = performance.now();
  return {
    get isOver() {
      return performance.now() - beganAtMs > maxMs;
    },
    async yieldToEventLoop() {
      await nextTurn();
      beganAtMs = performance.now();
    },
  };
}
