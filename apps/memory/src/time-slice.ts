import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long work shares the event loop: after each small step it asks whether others are to have a turn. */
interface TimeSlice {
  readonly isOver: boolean;
  /** Resolves when everything that was waiting had its turn; the next slice begins then. */
  rest(): Promise<void>;
}

const SLICE_MAX_MS = 5;

export function timeSlice(maxMs = SLICE_MAX_MS): TimeSlice {
  let beganAtMs = performance.now();
  return {
    get isOver() {
      return performance.now() - beganAtMs > maxMs;
    },
    async rest() {
      await nextTurn();
      beganAtMs = performance.now();
    },
  };
}
