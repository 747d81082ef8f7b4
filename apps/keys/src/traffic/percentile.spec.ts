import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { REQUEST_DURATION_BOUNDS_MS } from '@cairn/contracts';
import { percentile } from './percentile.ts';

const bucketOf = (ms: number) => {
  const at = REQUEST_DURATION_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return at === -1 ? REQUEST_DURATION_BOUNDS_MS.length : at;
};
const bucketsOf = (durations: readonly number[]) => {
  const buckets: number[] = [];
  for (const ms of durations) buckets[bucketOf(ms)] = (buckets[bucketOf(ms)] ?? 0) + 1;
  return buckets;
};

describe('a percentile of counted durations', () => {
  it('is spread evenly over its group', () => {
    expect(percentile([0, 0, 0, 0, 0, 0, 100], 0.5)).toBe(75);
    expect(percentile([50, 0, 0, 0, 0, 0, 0, 0, 50], 0.5)).toBe(1);
    expect(percentile([50, 0, 0, 0, 0, 0, 0, 0, 50], 0.75)).toBe(350);
  });

  it('is null of nothing, and the last bound of what took longer', () => {
    expect(percentile([], 0.5)).toBeNull();
    expect(percentile(bucketsOf([60_000]), 0.95)).toBe(30_000);
  });

  it('lies in the group of the true one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 29_999, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.5, 0.95),
        (durations, share) => {
          const sorted = durations.toSorted((a, b) => a - b);
          const actual = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
          // Rounded to a tenth, so that the edge of a group may belong to the next one.
          expect(Math.abs(bucketOf(percentile(bucketsOf(durations), share)!) - bucketOf(actual))).toBeLessThanOrEqual(
            1,
          );
        },
      ),
    );
  });
});
