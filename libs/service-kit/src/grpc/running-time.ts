const TICKS = 10;

/**
 * Calls back after `ms` in which the event loop ran; returns what stops that. A stall counts as a tenth at most: what
 * arrived during it is read before anything is given up for having come too late.
 */
export function afterRunning(ms: number, then: () => void): () => void {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks < TICKS) return;
    clearInterval(timer);
    then();
  }, ms / TICKS);
  return () => clearInterval(timer);
}
