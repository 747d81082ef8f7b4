/** The time, and waiting for it; the system's, or one that a spec moves. */
export interface Clock {
  now(): Date;
  /** Calls once after so many milliseconds; gives what calls it off. */
  after(ms: number, call: () => void): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
