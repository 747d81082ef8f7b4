import { bestAmong, type SelectiveScorer, type Weights } from '../../../../libs/reading/src/learned/linear-model.ts';

/** Averaged perceptron over hashed features (Collins 2002), with the totals kept lazily. */
export class Perceptron implements SelectiveScorer {
  readonly bits: number;
  readonly classes: number;
  readonly mask: number;
  private readonly weights: Float32Array;
  private readonly totals: Float64Array;
  private readonly stamps: Int32Array;
  private readonly scores: Float32Array;
  private steps = 0;

  constructor(bits: number, classes: number) {
    this.bits = bits;
    this.classes = classes;
    this.mask = 2 ** bits - 1;
    this.weights = new Float32Array(2 ** bits * classes);
    this.totals = new Float64Array(this.weights.length);
    this.stamps = new Int32Array(this.weights.length);
    this.scores = new Float32Array(classes);
  }

  score(rows: Int32Array, count: number): Float32Array {
    const { weights, scores, classes } = this;
    scores.fill(0);
    for (let i = 0; i < count; i++) {
      const at = rows[i]! * classes;
      for (let c = 0; c < classes; c++) scores[c]! += weights[at + c]!;
    }
    return scores;
  }

  bestOf(rows: Int32Array, count: number, candidates: readonly number[]): number {
    return bestAmong(this.score(rows, count), candidates);
  }

  update(truth: number, guess: number, rows: Int32Array, count: number): void {
    this.steps++;
    if (truth === guess) return;
    this.add(rows, count, truth, 1);
    this.add(rows, count, guess, -1);
  }

  add(rows: Int32Array, count: number, c: number, by: number): void {
    const { weights, totals, stamps, classes, steps } = this;
    for (let i = 0; i < count; i++) {
      const k = rows[i]! * classes + c;
      totals[k]! += (steps - stamps[k]!) * weights[k]!;
      stamps[k] = steps;
      weights[k]! += by;
    }
  }

  average(): void {
    const { weights, totals, stamps, steps } = this;
    for (let k = 0; k < weights.length; k++) {
      if (stamps[k] === 0) continue;
      totals[k]! += (steps - stamps[k]!) * weights[k]!;
      weights[k] = totals[k]! / steps;
    }
  }

  quantised(scale: number, smallest: number): Weights {
    return { bits: this.bits, classes: this.classes, values: quantise(this.weights, scale, smallest) };
  }
}

/** In 8 bits. `scale`: what one is in the stored weights; small weights are dropped, very large ones are cut off. */
export function quantise(weights: Float32Array, scale: number, smallest: number): Int8Array<ArrayBuffer> {
  const values = new Int8Array(weights.length);
  for (let k = 0; k < values.length; k++) {
    const weight = weights[k]!;
    if (Math.abs(weight) < smallest) continue;
    values[k] = Math.max(-127, Math.min(127, Math.round(weight * scale)));
  }
  return values;
}

/** A fixed sequence of pseudo-random numbers below one, so that training gives the same weights every time. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

export function shuffle<T>(list: T[], random: () => number): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
}
