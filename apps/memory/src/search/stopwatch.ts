import { durationHistogram } from '@cairn/telemetry';

const steps = durationHistogram('cairn_search_step_duration_seconds', 'The steps of a search.', ['step']);

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
      steps.observe({ step: name }, (now - last) / 1_000);
      last = now;
    },
    laps: () => ({ ...laps, total: round(performance.now() - start) }),
  };
}
