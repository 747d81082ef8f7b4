/** The pause after a failed attempt, counted from 1. The last pause also follows every later attempt. */
export function pauseAfter(attempt: number, pausesMs: readonly number[]): number {
  return pausesMs[Math.min(attempt, pausesMs.length) - 1]!;
}
