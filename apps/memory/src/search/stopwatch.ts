/** Milliseconds that each step took, to a hundredth, and all of them together. */
export function stopwatch() {
  const start = performance.now();
  let last = start;
  const laps: Record<string, number> = {};
  const round = (ms: number) => Math.round(ms * 100) / 100;
  return {
    lap(name: string) {
      const now = performance.now();
      laps[name] = round(now - last);
      last = now;
    },
    laps: () => ({ ...laps, total: round(performance.now() - start) }),
  };
}
