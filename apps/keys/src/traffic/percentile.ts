import { REQUEST_DURATION_BOUNDS_MS } from '@cairn/contracts';

/**
 * The duration in milliseconds that a share of the requests did not exceed, from counts by
 * `REQUEST_DURATION_BOUNDS_MS`: as if those of a group were spread evenly over it (histogram_quantile of Prometheus).
 * Of the last group, which has no end, its beginning. Null without requests.
 */
export function percentile(buckets: readonly (number | undefined)[], share: number): number | null {
  const total = buckets.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  if (total === 0) return null;
  const rank = share * total;
  let before = 0;
  for (const [bucket, upper] of REQUEST_DURATION_BOUNDS_MS.entries()) {
    const count = buckets[bucket] ?? 0;
    if (count > 0 && before + count >= rank) {
      const lower = bucket === 0 ? 0 : REQUEST_DURATION_BOUNDS_MS[bucket - 1]!;
      return Math.round((lower + ((upper - lower) * (rank - before)) / count) * 10) / 10;
    }
    before += count;
  }
  return REQUEST_DURATION_BOUNDS_MS.at(-1)!;
}
