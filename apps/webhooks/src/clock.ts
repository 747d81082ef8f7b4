/** The time and timers: the system's, or those of a spec with virtual time. */
export interface Clock {
  now(): Date;
  /** Calls back once after so many milliseconds, at once when they are over; returns a function that cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};
