/** One request in 100 seconds. A limiter's arithmetic is exact far below this; a slower key is of no use to anybody. */
export const REQUESTS_PER_SECOND_MIN = 0.01;
export const REQUESTS_PER_SECOND_MAX = 1_000_000;
export const BURST_MAX = 1_000_000;

/** A rate within its bounds, for one that was stored before there were any. */
export function clampRate({ requestsPerSecond, burst }: { requestsPerSecond: number; burst: number }) {
  return {
    requestsPerSecond: Math.min(Math.max(requestsPerSecond, REQUESTS_PER_SECOND_MIN), REQUESTS_PER_SECOND_MAX),
    burst: Math.min(Math.max(Math.floor(burst), 1), BURST_MAX),
  };
}
