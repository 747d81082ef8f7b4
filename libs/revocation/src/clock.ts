/** Time as the protocol sees it; a simulation brings its own. */
export interface Clock {
  /** Milliseconds that never go back, from an arbitrary origin. They may stand still while the machine sleeps. */
  monotonicMs(): number;
  /** Milliseconds since the epoch; somebody may adjust them. */
  wallMs(): number;
  /** Resolves after the time, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end, { once: true });
    });
  },
};
