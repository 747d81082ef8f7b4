import { describe, expect, it } from '@jest/globals';
import { fitLogistic, fitRanking } from './fit-weights.ts';

describe('fitRanking', () => {
  it('weighs the feature that the right rows have over one that all have', () => {
    const group = (at: number) => ({
      features: [0, 1, 2].map((row) => [1, row === at ? 1 : 0, row / 3]),
      good: [0, 1, 2].map((row) => row === at),
      weight: 1,
    });
    const [same, telling, order] = fitRanking([group(0), group(1), group(2)], 0.01);
    expect(telling!).toBeGreaterThan(1);
    expect(Math.abs(same!)).toBeLessThan(0.05);
    expect(Math.abs(order!)).toBeLessThan(0.2);
  });

  it('gives the same weights for the same groups', () => {
    const groups = [
      {
        features: [
          [1, 0],
          [0, 1],
        ],
        good: [true, false],
        weight: 1,
      },
    ];
    expect(fitRanking(groups, 0.01)).toEqual(fitRanking(groups, 0.01));
  });
});

describe('fitLogistic', () => {
  it('says how likely a row is good, on features of any scale', () => {
    const rows = Array.from({ length: 40 }, (_, at) => ({ features: [at * 100, 7], good: at >= 20, weight: 1 }));
    const [slope, constant, bias] = fitLogistic(rows, 0.001);
    const likely = (value: number) => 1 / (1 + Math.exp(-(slope! * value + constant! * 7 + bias!)));
    expect(likely(0)).toBeLessThan(0.1);
    expect(likely(3_900)).toBeGreaterThan(0.9);
    expect(likely(1_950)).toBeCloseTo(0.5, 1);
  });
});
