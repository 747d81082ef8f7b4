/** Rows of features; `good` says which of them are right. */
export interface RankedGroup {
  features: readonly (readonly number[])[];
  good: readonly boolean[];
  weight: number;
}

export interface JudgedRow {
  features: readonly number[];
  good: boolean;
  weight: number;
}

const STEPS = 300;
const RATE = 0.08;

/**
 * Weights that put the right rows of each group before the others: the likelihood that a right one is drawn (ListNet's
 * softmax, Cao and others 2007), with a penalty on large weights. Deterministic.
 */
export function fitRanking(groups: readonly RankedGroup[], penalty: number): number[] {
  const size = groups[0]!.features[0]!.length;
  const total = groups.reduce((sum, { weight }) => sum + weight, 0);
  return descend(size, penalty, size, (weights, gradient) => {
    for (const { features, good, weight } of groups) {
      const values = features.map((row) => dot(row, weights));
      const highest = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
      let all = 0;
      let right = 0;
      const drawn = values.map((value, at) => {
        const likely = Math.exp(value - highest);
        all += likely;
        if (good[at]) right += likely;
        return likely;
      });
      for (const [at, likely] of drawn.entries()) {
        const slope = (weight / total) * (likely / all - (good[at] ? likely / right : 0));
        if (Math.abs(slope) > 1e-9) addScaled(gradient, features[at]!, slope);
      }
    }
  });
}

/** Weights, and the bias behind them, of a logistic regression on features as they are. */
export function fitLogistic(rows: readonly JudgedRow[], penalty: number): number[] {
  const size = rows[0]!.features.length;
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const mean = rows[0]!.features.map((_, at) => average(rows, (row) => row.features[at]!, total));
  const spread = mean.map((centre, at) => {
    const variance = average(rows, (row) => (row.features[at]! - centre) ** 2, total);
    return variance === 0 ? 1 : Math.sqrt(variance);
  });
  const scaled = rows.map(({ features }) => [...features.map((value, at) => (value - mean[at]!) / spread[at]!), 1]);
  const weights = descend(size + 1, penalty, size, (now, gradient) => {
    for (const [at, row] of scaled.entries()) {
      const likely = 1 / (1 + Math.exp(-dot(row, now)));
      addScaled(gradient, row, (rows[at]!.weight / total) * (likely - (rows[at]!.good ? 1 : 0)));
    }
  });
  const own = mean.map((_, at) => weights[at]! / spread[at]!);
  return [...own, weights[size]! - own.reduce((sum, weight, at) => sum + weight * mean[at]!, 0)];
}

/** Adam (Kingma and Ba 2015) from zero; the first `penalised` weights are drawn to zero. */
function descend(
  size: number,
  penalty: number,
  penalised: number,
  slopes: (weights: readonly number[], gradient: number[]) => void,
): number[] {
  const weights = Array.from({ length: size }, () => 0);
  const first = Array.from({ length: size }, () => 0);
  const second = Array.from({ length: size }, () => 0);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight, at) => (at < penalised ? penalty * weight : 0));
    slopes(weights, gradient);
    for (const [at, slope] of gradient.entries()) {
      first[at] = 0.9 * first[at]! + 0.1 * slope;
      second[at] = 0.999 * second[at]! + 0.001 * slope ** 2;
      const rate = RATE / (Math.sqrt(second[at]! / (1 - 0.999 ** step)) + 1e-8);
      weights[at] = weights[at]! - (rate * first[at]!) / (1 - 0.9 ** step);
    }
  }
  return weights;
}

function average(rows: readonly JudgedRow[], pick: (row: JudgedRow) => number, total: number): number {
  return rows.reduce((sum, row) => sum + row.weight * pick(row), 0) / total;
}

function dot(row: readonly number[], weights: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < row.length; at++) if (row[at] !== 0) sum += row[at]! * weights[at]!;
  return sum;
}

function addScaled(target: number[], row: readonly number[], factor: number): void {
  for (let at = 0; at < row.length; at++) if (row[at] !== 0) target[at] = target[at]! + factor * row[at]!;
}
